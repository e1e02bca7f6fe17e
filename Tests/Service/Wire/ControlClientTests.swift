import Apod
import Configuration
import Files
import Glibc
import Store
import Syncing
import TestSupport
import Testing

@testable import Service

@Suite(.patience)
struct ControlClientTests {
    private let fixture: ArchiveFixture
    private let listener: LocalSocket

    init() throws {
        fixture = try ArchiveFixture()
        let archive = try fixture.archive()
        listener = try LocalSocket.listening(as: "control", in: archive.tree.own)
        try archive.announce("\(fixture.root)/.apod-mirror/control")
    }

    private static let ok = "HTTP/1.1 200 \r\nConnection: close\r\n\r\n"
    private static let head = ok.bytes[...]

    /// What the command makes of what it is answered. Without an answer, nobody hangs up.
    private func ask(answering answer: String?) async throws -> Problem.Code? {
        let client = try #require(try ControlClient.reach(root: fixture.root, timeout: .seconds(1)))
        let service = try #require(try listener.accept())
        let failure = await blocking { () -> Problem.Code? in
            if let answer {
                _ = try? service.send(answer.bytes[...])
                shutdown(service.descriptor, Int32(SHUT_WR))
            }
            do {
                try client.ask(.prune())
                return nil
            } catch {
                return error.problem.code
            }
        }
        #expect(try service.receive() == ServiceRequest.job(Job.prune()).bytes)
        return failure
    }

    @Test(
        "A command understands what a service answers",
        arguments: [
            (ok + "{\"event\":{\"_0\":{\"received\":{\"_0\":1}}}}\n{\"end\":{}}\n", nil),
            (ok + "{\"end\":{\"_0\":{\"code\":\"other\",\"detail\":\"no room\"}}}\n", .other),
            (ok + "{\"mistake\":{\"_0\":\"--until\"}}\n", .other), ("{\"version\":3}\n", .otherVersion),
            (ok + "{\"event\":{\"_0\":{\"received\":{\"_0\":1}}}}\n", .gone), ("HTTP/1.1 200 OK\r\n", .gone),
            (ok + "{\"event\":{\"_0\":{\"received\":{\"_0\":1}}}}\n{\"end\":{", .gone),
            (ok + String(repeating: "x", count: 100_000) + "\n", .gibberish), (nil, .silent),
        ] as [(String?, Problem.Code?)])
    func answers(answer: String?, failure: Problem.Code?) async throws {
        #expect(try await ask(answering: answer) == failure)
    }

    @Test("A command does not take a service that has no place for it for none")
    func crowded() throws {
        #expect(listen(listener.descriptor, 0) == 0)
        var clients: [ControlClient] = []
        let failure = #expect(throws: Problem.self) {
            while clients.count < 9 {
                clients.append(
                    try #require(try ControlClient.reach(root: fixture.root, timeout: .milliseconds(50))))
            }
        }
        #expect(failure?.code == .silent)
    }

    @Test(
        "A command is told why when it is sent away before it has asked",
        arguments: ["too many others ask", nil])
    func sentAway(why: String?) async throws {
        let client = try #require(try ControlClient.reach(root: fixture.root))
        try {
            let service = try #require(try listener.accept())
            if let why { _ = try service.send(Self.head + ControlAnswer.end(Problem(.other, why)).line) }
        }()
        #expect(throws: why.map { Problem(.other, $0) } ?? Problem(.gone)) {
            try client.ask(.prune())
        }
    }

    @Test(
        "A command waits for a job as long as that takes, but not for an answer",
        arguments: [true, false])
    func slow(isJob: Bool) async throws {
        let client = try #require(try ControlClient.reach(root: fixture.root, timeout: .milliseconds(100)))
        let service = try #require(try listener.accept())
        _ = try service.send(Self.head + (isJob ? ControlAnswer.taken.line : []))
        if isJob {
            startThread {
                usleep(300_000)
                _ = try? service.send(ControlAnswer.end(nil).line[...])
            }
        }
        let failure = await blocking { () -> Problem.Code? in
            do {
                try client.ask(.prune())
                return nil
            } catch {
                return error.problem.code
            }
        }
        #expect(failure == (isJob ? nil : .silent))
    }

    @Test("A command does not take a line that has no end")
    func endless() async throws {
        let client = try #require(try ControlClient.reach(root: fixture.root))
        let service = try #require(try listener.accept())
        startThread {
            let flood = [UInt8](repeating: "x", count: 1 << 16)
            var left = 4 << 20
            while left > 0 {
                var room = pollfd(fd: service.descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&room, 1, -1)
                guard let count = try? service.send(flood[...]) else { return }
                left -= count
            }
            service.hangUp()
        }
        #expect(throws: Problem(.gibberish)) { try client.ask(.prune()) }
    }

    private func isReached() throws -> Bool { try ControlClient.reach(root: fixture.root).map { _ in true } ?? false }

    @Test(
        "A command finds nobody where nobody listens, or nothing that can be asked has the mirror"
    )
    func nobody() async throws {
        try fixture.archive().announce("\(fixture.root)/.apod-mirror/gone")
        #expect(try !isReached())
        try fixture.archive().announce(nil)
        #expect(try !isReached())
        try fixture.archive().announce("\(fixture.root)/.apod-mirror/control")
        #expect(try isReached())
        // What was left behind by one that was killed is nobody's.
        try await fixture.close()
        #expect(try !isReached())
        #expect(try ControlClient.reach(root: fixture.folder.path).map { _ in true } == nil)
    }

    @Test(
        "A command is served by a service that waits for its root, and by no other")
    func waiting() throws {
        let runtime = try TemporaryFolder()
        mkdir(runtime.appending("apod-mirror"), 0o755)
        let activity = Activity()
        let control = ControlServer(home: runtime.appending("apod-mirror"), version: "test", activity: activity)
        try control.listenAtHome()
        defer { control.close() }
        let (root, environment) = (runtime.appending("APOD"), ["XDG_RUNTIME_DIR": runtime.path])
        for other in [root, "\(root)/", runtime.path, ""] {
            activity.change { $0.settings = Settings(root: other) }
            let isServed = try ControlClient.reach(root: root, environment: environment).map { _ in true } ?? false
            #expect(isServed == (other == root), "\(other)")
            #expect((ControlClient.status(root: root, environment: environment) != nil) == (other == root), "\(other)")
        }
    }
}
