internal import Archive
internal import Files
internal import Glibc

/// One connection to the service: a request comes, and then answers go.
struct Connection {
    private enum Stage { case asking, waiting, leaving }

    enum Heard {
        case nothing
        case request([UInt8])
        case nonsense
        case gone
    }

    private let socket: LocalSocket
    private var stage = Stage.asking
    private var heard: [UInt8] = []
    private var unsaid: ArraySlice<UInt8> = []
    /// When there must have been some progress.
    private(set) var deadline: ContinuousClock.Instant?
    /// Called when nobody is there any more.
    var onHangUp: (@Sendable () -> Void)?

    /// A `sync` of all days that there ever were has room.
    private static let longestRequest = 1 << 20
    private static let mostUnsaid = 4 << 20
    private static let readerTimeout = Duration.seconds(30)

    init(_ socket: LocalSocket, timeout: Duration) {
        self.socket = socket
        deadline = .now + timeout
    }

    var descriptor: Int32 { socket.descriptor }
    var isFinished: Bool { stage == .leaving && unsaid.isEmpty }
    var isListening: Bool { unsaid.isEmpty }

    /// What to wait for. When it has asked, nothing more is read: what it may send then stays with it.
    var events: Int16 {
        Int16(stage == .asking ? POLLIN : 0) | Int16(unsaid.isEmpty ? 0 : POLLOUT)
    }

    mutating func hear() -> Heard {
        guard stage == .asking else { return .nothing }
        while true {
            do throws(StorageError) {
                guard let bytes = try socket.receive() else { return .nothing }
                if bytes.isEmpty { return .gone }
                heard += bytes
            } catch {
                return .gone
            }
            let end = heard.firstIndex(of: UInt8(ascii: "\n"))
            if end ?? heard.count > Self.longestRequest { return .nonsense }
            guard let end else { continue }
            defer { heard = [] }
            stage = .waiting
            deadline = nil
            return .request(Array(heard[..<end]))
        }
    }

    /// Returns false if it does not listen.
    mutating func say(_ line: [UInt8]) -> Bool {
        guard stage != .leaving else { return true }
        unsaid += line
        return unsaid.count <= Self.mostUnsaid && speak()
    }

    /// Says as much as it takes at once. Returns false if it has gone.
    mutating func speak() -> Bool {
        while !unsaid.isEmpty {
            guard let count = try? socket.send(unsaid) else { return false }
            if count == 0 { break }
            unsaid = unsaid.dropFirst(count)
            deadline = nil
        }
        if unsaid.isEmpty {
            unsaid = []
            if stage != .asking { deadline = nil }
        } else if deadline == nil {
            deadline = .now + Self.readerTimeout
        }
        return true
    }

    /// While somebody waits for it, closing it would not be noticed on the other side.
    func hangUp() { socket.hangUp() }

    /// Nothing more is said behind what has been said.
    mutating func leave() { stage = .leaving }
}
