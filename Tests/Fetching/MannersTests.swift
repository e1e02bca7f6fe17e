import Apod
import TestSupport
import Testing

@testable import Fetching

struct MannersTests {
    @Test("Requests for documents keep a distance, between attempts as well")
    func distance() async throws {
        let fixture = try FetchFixture(HTTPServer { $0.attempt < 2 ? .html(500) : .text("") }) {
            $0.distance = .milliseconds(100)
        }
        let start = ContinuousClock.now
        await withTaskGroup { group in
            for number in 0..<4 { group.addTask { _ = await fixture.refusal("/\(number)") } }
        }
        let times = fixture.requests.map(\.time).sorted()
        #expect(times.count == 8)
        // However late the others come, this one cannot have left sooner.
        for (index, time) in times.enumerated() { #expect(time - start >= .milliseconds(100) * index) }
    }

    /// First as many as may be, all of which hang; then, those cancelled, more than may be.
    @Test("As many files as was said are fetched at once, and two documents", arguments: [1, 3, nil])
    func atOnce(connections: Int?) async throws {
        let server = try HTTPServer { request in
            if request.path.hasPrefix("/hang") { return .hanging }
            var response = Response.jpeg()
            response.delay = .milliseconds(30)
            return response
        }
        let fixture = try FetchFixture(server) { $0.connections = connections ?? 4 }
        let most = connections ?? 2
        @Sendable func fetch(_ path: String) async {
            _ = connections == nil ? await fixture.refusal(path) : await fixture.failure(path)
        }
        // Documents have places of their own, and leave none to files.
        for number in 0..<5 { _ = try await fixture.document("/document \(number)") }
        let hanging = Task {
            await withTaskGroup { group in
                for number in 0..<most { group.addTask { await fetch("/hang/\(number)") } }
            }
        }
        try await lookOut(for: "all") { server.mostAtOnce == most }
        hanging.cancel()
        await hanging.value
        try await everybodyLeft(server)
        await withTaskGroup { group in
            for number in 0..<9 { group.addTask { await fetch("/\(number)") } }
        }
        #expect(server.requests.count { !$0.path.hasPrefix("/hang") } == 9 && server.mostAtOnce <= most)
    }

    enum Moment: CaseIterable { case before, document, file, attempt, wish, turn, place }

    /// So patient that nothing ends by itself while the test lasts.
    @Test("What is cancelled ends at once, asks no more, and leaves others alone", arguments: Moment.allCases)
    func cancelled(moment: Moment) async throws {
        let fixture = try FetchFixture(
            HTTPServer { request in
                switch (moment, request.path) {
                case (_, "/other") where moment != .place: .jpeg()
                case (.attempt, _): .html(503)
                case (.wish, _): .html(503, retryAfter: "300")
                default: .hanging
                }
            }
        ) {
            ($0.stallSeconds, $0.pause, $0.longestPause) = (120, .seconds(120), .seconds(600))
            $0.connections = moment == .place ? 1 : 4
            if moment == .turn { $0.distance = .seconds(120) }
        }
        if [.turn, .file].contains(moment) { _ = try await fixture.document("/other") }
        let other = Task { moment == .place ? await fixture.failure("/other") : .cancelled }
        if ![.before, .document, .attempt, .wish].contains(moment) { try await fixture.asked() }
        let isFile = [.file, .place].contains(moment)
        let task = Task {
            if moment == .before { withUnsafeCurrentTask { $0?.cancel() } }
            return isFile ? await fixture.failure("/a") : await fixture.refusal("/a")
        }
        if ![.before, .turn, .place].contains(moment) { try await fixture.asked { $0.path == "/a" } }
        if moment == .place { try await lookOut(for: "the file") { try fixture.names.count == 2 } }
        if moment == .file { #expect(await fixture.failure("/other") == nil) }
        let asked = fixture.requests.count
        let start = ContinuousClock.now
        task.cancel()
        #expect(await task.value == .cancelled && ContinuousClock.now - start < .seconds(100))
        #expect(fixture.requests.count == asked && asked <= (moment == .file ? 3 : 1))
        other.cancel()
        #expect(await other.value == .cancelled)
    }
}
