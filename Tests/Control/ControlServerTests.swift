import Apod
import Concurrency
import Configuration
import Files
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Control
@testable import Syncing

@Suite(.serialized, .timeLimit(.minutes(10)))
struct ControlServerTests {
    private let folder: TemporaryFolder
    private let control: ControlServer

    init() throws {
        folder = try TemporaryFolder()
        let activity = Activity()
        activity.change { $0.settings = Settings(root: "/srv/apod") }
        control = ControlServer(home: folder.path, version: "test", activity: activity, timeout: .milliseconds(300))
    }

    private func connect(timeout: Duration = .seconds(20)) throws -> LocalSocket {
        try LocalSocket.connected(to: "control", in: try Folder.open(folder.path), timeout: timeout)
    }

    private func ask(_ text: String) throws -> String {
        let socket = try connect()
        _ = try socket.send(Array(text.utf8)[...])
        return String(decoding: socket.heard, as: UTF8.self)
    }

    private let status = String(decoding: ControlRequest.status.line, as: UTF8.self)

    private static let done = "{\"end\":{}}\n"

    private static func end(_ code: Problem.Code) -> String {
        String(decoding: ControlAnswer.end(Problem(code)).line, as: UTF8.self)
    }

    @Test("At the web's socket everyone may ask, but for less, whoever they are")
    func web() throws {
        let web = ControlServer(home: folder.path, version: "test", activity: Activity(), isOfWeb: true)
        try web.listenAtHome()
        defer { web.close() }
        web.handle { writer, request in
            writer.end(.end(nil))
            return true
        }
        #expect(Facts(folder.appending("web"))?.permissions == 0o666)
        func ask(_ request: ControlRequest) throws -> String {
            let socket = try LocalSocket.connected(
                to: "web", in: try Folder.open(folder.path), timeout: .seconds(20))
            _ = try socket.send(request.line[...])
            return String(decoding: socket.heard, as: UTF8.self)
        }
        #expect(try ask(.job(.favorites(FavoritesOrder(.add, [Subject(Day("2026-11-08")!)])))) == Self.done)
        for request in [.status, .job(.prune())] as [ControlRequest] {
            #expect(try ask(request) == Self.end(.nonsense))
        }
    }

    @Test("The control socket answers whoever asks, without a mirror too")
    func answers() throws {
        try control.listenAtHome()
        defer { control.close() }
        #expect(Facts(folder.appending("control"))?.permissions == (geteuid() < 1000 ? 0o660 : 0o600))
        let answer = try ask(status)
        #expect(answer.hasPrefix("{\"status\":{\"_0\":{\"root\":\"/srv/apod\"") && answer.hasSuffix(Self.done))
        let sync = String(decoding: ControlRequest.job(.sync(SyncOrder())).line, as: UTF8.self)
        #expect(try ask(sync) == Self.end(.busy))
    }

    @Test("The control socket tells whoever speaks otherwise so")
    func nonsense() throws {
        try control.listenAtHome()
        defer { control.close() }
        #expect(try ask("GET / HTTP/1.1\n") == Self.end(.nonsense))
        #expect(try ask("\n") == Self.end(.nonsense))
        #expect(try ask("{\"version\":1}\n") == "{\"version\":\(serviceVersion)}\n")
    }

    @Test("The control socket is soon rid of whoever says nothing, or never comes to the end of a line")
    func silent() throws {
        try control.listenAtHome()
        defer { control.close() }
        let start = ContinuousClock.now
        #expect(try ask("") == "")
        #expect(try ask("{\"version\":1") == "")
        #expect(.now - start >= .milliseconds(600))
    }

    @Test("The control socket does not listen to megabytes")
    func megabytes() throws {
        let control = ControlServer(home: folder.path, version: "test", activity: Activity(), timeout: .seconds(20))
        try control.listenAtHome()
        defer { control.close() }
        let socket = try connect()
        let flood = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 16)
        var sent = 0
        while let count = try? socket.send(flood[...]), count > 0 { sent += count }
        #expect(sent < 4 << 20)
        #expect(socket.heard.isEmpty)
    }

    @Test("The control socket serves many at once, and those that come while the house is full")
    func many() async throws {
        try control.listenAtHome()
        defer { control.close() }
        let silent = try (0..<Connections.most).map { _ in try connect() }
        let answers = await withTaskGroup(of: String.self) { group in
            for _ in 0..<100 { group.addTask { await blocking { (try? self.ask(self.status)) ?? "" } } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.count { $0.hasSuffix(Self.done) } == 100)
        for socket in silent { #expect(socket.heard.isEmpty) }
    }

    @Test("The control socket is not held up by clients that say half of what they want")
    func halves() throws {
        let patient = ControlServer(home: folder.path, version: "test", activity: Activity(), timeout: .seconds(100))
        try patient.listenAtHome()
        defer { patient.close() }
        let half = try (0..<500).map { _ in
            let socket = try connect()
            _ = try socket.send(Array(status.utf8.dropLast(2))[...])
            return socket
        }
        #expect(try ask(status).hasSuffix(Self.done))
        #expect(half[0].heard.isEmpty)
    }

    @Test("The control socket takes the place of one that was left behind, and leaves nothing behind")
    func leftOver() throws {
        _ = try LocalSocket.listening(as: "control", in: try Folder.open(folder.path))
        let open = listing("/proc/self/fd").count
        #expect(throws: Problem.self) { try connect() }
        try control.listenAtHome()
        #expect(try ask(status).hasSuffix(Self.done))
        // Every conversation ends with it.
        let socket = try connect()
        control.close()
        #expect(socket.heard.isEmpty && listing(folder.path).isEmpty)
        #expect(throws: Problem.self) { try connect() }
        // The thread has to wake up to end.
        let deadline = ContinuousClock.now + .seconds(10)
        while listing("/proc/self/fd").count > open + 1, .now < deadline { usleep(1000) }
        #expect(listing("/proc/self/fd").count <= open + 1)
        withExtendedLifetime(socket) {}
    }

    @Test("The control socket is left to another service that listens there")
    func occupied() throws {
        try control.listenAtHome()
        defer { control.close() }
        let other = ControlServer(home: folder.path, version: "other", activity: Activity())
        #expect(throws: Problem.self) { try other.listenAtHome() }
        other.close()
        #expect(try ask(status).contains("\"version\":\"test\""))
    }

    @Test("The control socket stays at home when the mirror is closed, but leaves any other folder")
    func leaves() throws {
        try control.listenAtHome()
        defer { control.close() }
        control.leave()
        #expect(try ask(status).hasSuffix(Self.done))
        let (guest, place) = (ControlServer(home: nil, version: "test", activity: Activity()), try TemporaryFolder())
        defer { guest.close() }
        #expect(try guest.listen(beside: place.path) == place.appending("control"))
        guest.leave()
        #expect(listing(place.path).isEmpty)
    }
}
