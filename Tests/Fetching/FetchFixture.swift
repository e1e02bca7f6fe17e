import Apod
import Files
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

    init(_ handler: @escaping HTTPServer.Handler) throws { try self.init(HTTPServer(handler)) }

    func asked(where fits: @escaping @Sendable (Request) -> Bool = { _ in true }) async throws {
        try await server?.request(where: fits)
    }

    var requests: [Request] { server?.requests ?? [] }
    /// The parts that were asked for; nil: all.
    var ranges: [String?] { requests.map { $0.headers["range"] } }
    var names: [String] { get throws { try folder.names().sorted() } }

    /// The same with a new fetcher, as after a restart.
    func again() throws -> FetchFixture { try FetchFixture(server!, in: home) }

    func file(
        _ text: String? = nil, kind: MediaType.Kind = .image, limit: Int = 64 << 20
    ) async throws -> Fetched {
        let wanted = Download(
            key: .day(november(20)), address: place(text), kind: kind, limit: limit, published: november(20).noon)
        return try await fetcher.file(wanted, in: folder)!
    }

    /// Expects that this comes whole, and that nothing else is left of it.
    func fetch(_ picture: Body, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let fetched = try await file()
        let contents = try fetched.staged.folder.file(fetched.staged.name)?.contents(atMost: 64 << 20)
        #expect(contents == picture.bytes && fetched.facts.bytes == picture.count, sourceLocation: sourceLocation)
        #expect(fetched.facts.sha256 == Digest(of: picture.bytes), sourceLocation: sourceLocation)
        let names = [fetched.staged.name, fetched.staged.companion].compactMap(\.self)
        #expect(try self.names == names, sourceLocation: sourceLocation)
    }

    func document(
        _ text: String? = nil, limit: Int = 32 << 20
    ) async throws -> Fetcher.Received {
        try await fetcher.document(place(text), limit: limit)
    }

    /// A path is one of the server's.
    private func place(_ text: String?) -> WebAddress {
        address(text.map { $0.hasPrefix("/") ? origin + $0 : $0 } ?? origin)
    }

    /// Why a file, or a document, could not be fetched; nil if it was.
    func failure(_ text: String? = nil, kind: MediaType.Kind = .image, limit: Int = 64 << 20) async -> FetchError? {
        await reason { try await file(text, kind: kind, limit: limit) }
    }

    func refusal(_ text: String? = nil) async -> FetchError? { await reason { try await document(text) } }

    /// The same of files that are asked for at the same time.
    func reasons(_ numbers: Range<Int>, _ address: @escaping @Sendable (Int) -> String) async -> [FetchError?] {
        await withTaskGroup(of: FetchError?.self) { group in
            for number in numbers { group.addTask { await failure(address(number)) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }
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

/// What is counted at most from now on is what there is now.
func everybodyLeft(_ server: HTTPServer) async throws {
    try await lookOut(for: "their leaving") {
        server.forgetRequests()
        return server.mostAtOnce == 0
    }
}

extension FetchError {
    private var problem: Problem { problem(at: address("http://a.example")) }
    var code: Problem.Code { problem.code }
    var isAbsence: Bool { problem.isAbsence }
}

let framings: [Response.Framing] = [.length, .chunked, .untilClose]
