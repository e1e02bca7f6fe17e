import Apod
import Configuration
import Files
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Service
@testable import Syncing

@Suite(.patience)
struct ControlServerTests {
    private let folder: TemporaryFolder
    private let control: ControlServer

    init() throws {
        folder = try TemporaryFolder()
        let activity = Activity()
        activity.change { $0.settings = Settings(root: "/srv/apod") }
        control = ControlServer(home: folder.path, version: "test", activity: activity, timeout: .milliseconds(300))
    }

    private func connect() throws -> LocalSocket {
        try LocalSocket.connected(at: folder.appending("control"), timeout: .seconds(20))
    }

    private func ask(_ text: String) throws -> String {
        let socket = try connect()
        _ = try socket.send(text.bytes[...])
        return socket.heard.text
    }

    private func ask(_ request: ServiceRequest = .status) throws -> String {
        try ask(request.bytes.text)
    }

    private static let isTold = "\"conditions\":[]}\n"

    private static func end(_ status: Int, _ problem: Problem? = nil) -> String {
        "HTTP/1.1 \(status) \r\nContent-Type: application/json\r\nConnection: close\r\n\r\n"
            + ControlAnswer.end(problem).line.text
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
        func ask(_ request: ServiceRequest) throws -> String {
            try LocalSocket.answer(to: request, at: folder.appending("web"))
        }
        let heart = Job.favorites(FavoritesOrder(.add, [.day(Day("2026-11-08")!)]))
        #expect(try ask(.job(heart)) == Self.end(200))
        for request in [.status, .job(Job.prune())] as [ServiceRequest] {
            #expect(try ask(request) == Self.end(403, Problem(.nonsense)))
        }
    }

    @Test("The control socket answers whoever asks, without a mirror too")
    func answers() throws {
        try control.listenAtHome()
        defer { control.close() }
        #expect(Facts(folder.appending("control"))?.permissions == (geteuid() < 1000 ? 0o660 : 0o600))
        let answer = try ask()
        #expect(answer.hasPrefix("HTTP/1.1 200 ") && answer.contains("\r\n\r\n{\"root\":\"/srv/apod\""))
        #expect(try ControlClient.connect(folder.appending("control"), .seconds(20))?.status() == control.status)
        #expect(try ask(.job(Job.sync(SyncOrder()))) == Self.end(200, Problem(.busy)))
    }

    @Test("The control socket tells whoever speaks otherwise so")
    func nonsense() throws {
        try control.listenAtHome()
        defer { control.close() }
        for text in ["GET / HTTP/1.1\r\n\r\n", "{\"version\":1}\n", "POST /14/job HTTP/1.1\r\n\r\n"] {
            #expect(try ask(text) == Self.end(404, Problem(.otherVersion)))
        }
        for length in ["", "Content-Length: 1\r\n", "Content-Length: -1\r\n"] {
            #expect(
                try ask("\(ServiceRequest.jobLine) HTTP/1.1\r\n\(length)\r\n{}") == Self.end(400, Problem(.nonsense)))
        }
    }

    @Test("The control socket is soon rid of whoever says nothing, or never comes to the end of a line")
    func silent() throws {
        try control.listenAtHome()
        defer { control.close() }
        let start = ContinuousClock.now
        #expect(try ask("") == "")
        #expect(try ask("GET /status HTTP/1.1\r\nContent-Length: 1\r\n\r\n") == "")
        #expect(.now - start >= .milliseconds(600))
    }

    @Test("The control socket does not listen to megabytes")
    func megabytes() throws {
        let control = ControlServer(home: folder.path, version: "test", activity: Activity(), timeout: .seconds(20))
        try control.listenAtHome()
        defer { control.close() }
        let socket = try connect()
        let flood = [UInt8](repeating: "x", count: 1 << 16)
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
            for _ in 0..<100 { group.addTask { await blocking { (try? self.ask()) ?? "" } } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.count { $0.hasSuffix(Self.isTold) } == 100)
        for socket in silent { #expect(socket.heard.isEmpty) }
    }

    @Test("The control socket is not held up by clients that say half of what they want")
    func halves() throws {
        let patient = ControlServer(home: folder.path, version: "test", activity: Activity(), timeout: .seconds(100))
        try patient.listenAtHome()
        defer { patient.close() }
        let half = try (0..<500).map { _ in
            let socket = try connect()
            _ = try socket.send(ServiceRequest.status.bytes.dropLast(2))
            return socket
        }
        #expect(try ask().hasSuffix(Self.isTold))
        #expect(half[0].heard.isEmpty)
    }

    @Test("The control socket takes the place of one that was left behind, and leaves nothing behind")
    func leftOver() throws {
        _ = try LocalSocket.listening(as: "control", in: try Folder.open(folder.path))
        let open = listing("/proc/self/fd").count
        #expect(throws: Problem.self) { try connect() }
        try control.listenAtHome()
        #expect(try ask().hasSuffix(Self.isTold))
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
        #expect(try ask().contains("\"version\":\"test\""))
    }

    @Test("The control socket stays at home when the mirror is closed, but leaves any other folder")
    func leaves() throws {
        try control.listenAtHome()
        defer { control.close() }
        control.leave()
        #expect(try ask().hasSuffix(Self.isTold))
        let (guest, place) = (ControlServer(home: nil, version: "test", activity: Activity()), try TemporaryFolder())
        defer { guest.close() }
        #expect(try guest.listen(beside: place.path) == place.appending("control"))
        guest.leave()
        #expect(listing(place.path).isEmpty)
    }
}
