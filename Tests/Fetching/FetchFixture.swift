import Apod
import Files
import Glibc
import TestSupport
import Testing

@testable import Fetching

/// What a server sends, not the fetcher's type of this name.
typealias Body = TestSupport.Body

/// A fetcher in a hurry, and a folder for what it fetches.
struct FetchFixture: Sendable {
    let fetcher: Fetcher
    /// Where it fetches what is not said otherwise.
    let origin: String
    /// Runs as long as it may be asked.
    private var server: HTTPServer?
    let home: TemporaryFolder
    let folder: Folder

    init(
        upstream: String, in home: TemporaryFolder? = nil, _ change: (inout FetchSettings) -> Void = { _ in }
    ) throws {
        var settings = FetchSettings(userAgent: "apod-mirror/test (+https://example.org)")
        settings.distance = .zero
        settings.stallSeconds = 20
        settings.attempts = 3
        settings.pause = .milliseconds(5)
        settings.cooldowns = HostCooldowns(shortest: .milliseconds(1))
        change(&settings)
        fetcher = Fetcher(settings, upstream: address(upstream))
        origin = upstream
        self.home = try home ?? TemporaryFolder()
        folder = try Folder.open(self.home.path)
    }

    init(
        _ server: HTTPServer, in home: TemporaryFolder? = nil, _ change: (inout FetchSettings) -> Void = { _ in }
    ) throws {
        try self.init(upstream: server.origin, in: home, change)
        self.server = server
    }

    /// A new fetcher on the same folder, as after a restart.
    func again(_ server: HTTPServer, _ change: (inout FetchSettings) -> Void = { _ in }) throws -> FetchFixture {
        try FetchFixture(server, in: home, change)
    }

    func file(
        _ text: String? = nil, kind: MediaType.Kind = .image, limit: Int = 64 << 20
    ) async throws -> Fetched {
        try await file(text, kind: kind, limit: limit, known: nil)!
    }

    /// Expects that this comes whole, and that nothing else is left of it.
    @discardableResult
    func fetch(_ picture: Body, sourceLocation: SourceLocation = #_sourceLocation) async throws -> Fetched {
        let fetched = try await file()
        #expect(try fetched.contents() == picture.bytes, sourceLocation: sourceLocation)
        #expect(try names == fetched.names, sourceLocation: sourceLocation)
        return fetched
    }

    /// nil where the known one is still the same.
    func file(
        _ text: String? = nil, kind: MediaType.Kind = .image, limit: Int = 64 << 20, known: Validators?
    ) async throws -> Fetched? {
        try await fetcher.file(
            Download(day: Self.day, address: place(text), kind: kind, limit: limit, known: known),
            in: folder)
    }

    func document(
        _ text: String? = nil, limit: Int = 32 << 20, statuses: Set<Int> = [200]
    ) async throws -> Fetcher.Document {
        try await fetcher.document(place(text), limit: limit, statuses: statuses)
    }

    /// A path is one of the server's.
    private func place(_ text: String?) -> WebAddress {
        address(text.map { $0.hasPrefix("/") ? origin + $0 : $0 } ?? origin)
    }

    static let day = november(20)

    /// Why a file could not be fetched; nil if it was.
    func failure(_ text: String? = nil, kind: MediaType.Kind = .image, limit: Int = 64 << 20) async -> FetchError? {
        await reason { try await file(text, kind: kind, limit: limit) }
    }

    /// Of files that are asked for at the same time: why each could not be fetched; nil for one that was.
    func reasons(_ numbers: Range<Int>, _ address: @escaping @Sendable (Int) -> String) async -> [FetchError?] {
        await withTaskGroup(of: FetchError?.self) { group in
            for number in numbers { group.addTask { await failure(address(number)) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// Keeps the folder until it is read.
    func contents(_ text: String? = nil) async throws -> [UInt8] {
        let contents = try await file(text).contents()
        return withExtendedLifetime(home) { contents }
    }

    var names: [String] { get throws { try folder.names().sorted() } }
}

func address(_ text: String) -> WebAddress { WebAddress(text)! }

extension HTTPServer {
    /// What parts were asked for; nil: all.
    var ranges: [String?] { requests.map { $0.headers["range"] } }
}

extension Response {
    /// A picture that comes so, or breaks off.
    static func jpeg(
        _ picture: Body = Pictures.jpeg(), tag: String? = nil, framing: Framing = .length, ending: Ending = .whole
    ) -> Response {
        var response = media(picture, type: "image/jpeg", tag: tag)
        (response.framing, response.ending) = (framing, ending)
        return response
    }
}

extension Fetched {
    func contents() throws -> [UInt8] {
        try staged.folder.file(staged.name)?.contents(atMost: 64 << 20) ?? []
    }

    /// What there is of it in its folder, until it has its final name.
    var names: [String] { [staged.name, staged.companion].compactMap(\.self) }
}

/// Why it could not be fetched; nil if it was.
func reason(_ work: () async throws -> some Any) async -> FetchError? {
    do {
        _ = try await work()
        return nil
    } catch {
        return FetchError(error.problem)
    }
}

extension FetchError {
    /// What an attempt had failed by.
    fileprivate init(_ problem: Problem) {
        let (detail, number) = (problem.detail ?? "", problem.number ?? 0)
        self =
            switch problem.code {
            case .refused: .status(number, retryAfter: problem.requestedPause)
            case .transfer: .connection(detail)
            case .unreachable: .unreachable(detail)
            case .stalled: .stalled(seconds: number)
            case .large: .tooLarge(limit: number)
            case .unfit: .wrongType(detail)
            case .broken: .cutShort(detail)
            case .room: .noRoom(bytes: number)
            case .redirect: .redirectRefused(detail)
            case .forbidden: .forbiddenHost(detail)
            case .stopped: .cancelled
            default: .disk(problem)
            }
    }
}

/// Waits for what gives no sign when it changes; false if it has not for a long time.
func eventually(_ holds: () throws -> Bool) async rethrows -> Bool {
    let end = ContinuousClock.now + .seconds(60)
    while try !holds() {
        guard ContinuousClock.now < end else { return false }
        sched_yield()
        await Task.yield()
    }
    return true
}

/// What is counted at most from now on is what there is now.
func everybodyLeft(_ server: HTTPServer) async -> Bool {
    await eventually {
        server.forgetRequests()
        return server.mostAtOnce == 0
    }
}

extension FetchError {
    var isAbsence: Bool { problem(at: address("https://a.example/")).isAbsence }
    var isConnection: Bool { if case .connection = self { true } else { false } }
    var isUnreachable: Bool { if case .unreachable = self { true } else { false } }
    var isWrongType: Bool { if case .wrongType = self { true } else { false } }
    var isRedirectRefused: Bool { if case .redirectRefused = self { true } else { false } }
    var isForbidden: Bool { if case .forbiddenHost = self { true } else { false } }
}

let spaces = [UInt8](repeating: 0x20, count: 1 << 16)

let framings: [Response.Framing] = [.length, .chunked, .untilClose]
