import Apod
import Files
import Glibc
import Store

/// One client's connection: reads a request, then writes the answers.
struct Connection {
    private enum Stage { case asking, waiting, leaving }

    enum Heard {
        case nothing
        case request(ServiceRequest)
        /// The client has closed, or has sent more than any request has.
        case gone
    }

    private let socket: LocalSocket
    private var stage = Stage.asking
    private var heard: [UInt8] = []
    private var unsent: ArraySlice<UInt8> = []
    /// When the client is given up unless there is progress; nil while nothing is expected of it.
    private(set) var deadline: ContinuousClock.Instant?
    /// Called when the client is gone.
    var onHangUp: (@Sendable () -> Void)?

    /// Enough for a `sync` that names every day.
    private static let longestRequest = 1 << 20
    private static let mostUnsent = 4 << 20
    private static let readerTimeout = Duration.seconds(30)

    init(_ socket: LocalSocket, timeout: Duration) {
        self.socket = socket
        deadline = .now + timeout
    }

    var descriptor: Int32 { socket.descriptor }
    var user: UInt32 { socket.user }
    /// Whether its request is still to come.
    var isAsking: Bool { stage == .asking }
    var isFinished: Bool { stage == .leaving && unsent.isEmpty }
    var isListening: Bool { unsent.isEmpty }

    /// The events to poll for. After the request, nothing more is read.
    var events: Int16 {
        Int16(stage == .asking ? POLLIN : 0) | Int16(unsent.isEmpty ? 0 : POLLOUT)
    }

    /// Once for each time that something has come: who says little at a time holds up nobody.
    mutating func hear() -> Heard {
        guard stage == .asking else { return .nothing }
        do {
            guard let bytes = try socket.receive() else { return .nothing }
            if bytes.isEmpty { return .gone }
            heard += bytes
        } catch {
            return .gone
        }
        if heard.count > Self.longestRequest { return .gone }
        guard let request = ServiceRequest(heard: heard) else { return .nothing }
        heard = []
        stage = .waiting
        deadline = nil
        return .request(request)
    }

    /// Sends a line, or keeps it for later. Returns false if too much is kept, or the client is gone.
    mutating func say(_ line: [UInt8]) -> Bool {
        guard stage != .leaving else { return true }
        unsent += line
        return unsent.count <= Self.mostUnsent && speak()
    }

    /// Sends as much as the socket takes. Returns false if the client is gone.
    mutating func speak() -> Bool {
        while !unsent.isEmpty {
            guard let count = try? socket.send(unsent) else { return false }
            if count == 0 { break }
            unsent = unsent.dropFirst(count)
            deadline = nil
        }
        if unsent.isEmpty {
            unsent = []
            if stage != .asking { deadline = nil }
        } else if deadline == nil {
            deadline = .now + Self.readerTimeout
        }
        return true
    }

    /// Shuts the socket down. Closing is not enough: poll(2) in the loop's thread keeps the socket open.
    func hangUp() { socket.hangUp() }

    /// Ends the answers: what is said later is dropped.
    mutating func leave() { stage = .leaving }
}
