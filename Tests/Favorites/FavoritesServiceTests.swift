import Apod
import Files
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Favorites
@testable import Store

@Suite(.patience)
struct FavoritesServiceTests {
    private enum Event { case failed, recovered, settled, other }

    private let events = Awaited<[Event]>([])
    /// After what failed, in seconds.
    private let pauses = Awaited<[Int]>([])

    /// While the service runs.
    private func serve(
        _ fixture: FavoritesFixture, wholeLook: Duration = .seconds(86_400), _ work: () async throws -> Void
    ) async throws {
        let report: EventHandler = { [events, pauses] event in
            if case .workFailed(_, _, _, let pause) = event { pauses.update { $0.append(pause) } }
            let event: Event =
                switch event {
                case .workFailed: .failed
                case .recovered: .recovered
                case .favoritesSettled: .settled
                default: .other
                }
            events.update { $0.append(event) }
        }
        let service = FavoritesService(
            try fixture.mirror.archive(), clock: { time(nil) }, wholeLook: wholeLook, report: report)
        let task = Task { try await service.run() }
        defer { task.cancel() }
        _ = try await events.first { $0.contains(.settled) }
        try await work()
        task.cancel()
        try await task.value
    }

    /// What is told from now on until that.
    @discardableResult
    private func told(until last: Event, after count: Int) async throws -> [Event] {
        Array(try await events.first { $0.dropFirst(count).contains(last) }.dropFirst(count))
    }

    @Test(
        "The service says what cannot be written, and does it when it says, though nothing else happens",
        arguments: ["unfinished/favorites.json", "history"])
    func recovers(inTheWay: String) async throws {
        let fixture = try await FavoritesFixture()
        try await serve(fixture) {
            let (path, count) = (fixture.mirror[".apod-mirror/\(inTheWay)"], events.value.count)
            mkdir(path, 0o755)
            try fixture.link("x", to: FavoritesFixture.orionLink)
            try await told(until: .failed, after: count)
            rmdir(path)
            let told = try await told(until: .recovered, after: count)
            #expect(told.contains(.recovered) && pauses.value.allSatisfy { 0...8 ~= $0 })
            #expect(try fixture.favorites == ["2026-11-20: x"])
            #expect(inTheWay == "history" || exists(fixture.mirror["favorites.json"]))
        }
    }

    @Test("The service looks at the whole folder from time to time, whatever the system tells of it")
    func wholeLook() async throws {
        let fixture = try await FavoritesFixture()
        try fixture.link("x", to: FavoritesFixture.orionLink)
        try await serve(fixture, wholeLook: .seconds(3)) {
            let count = events.value.count
            try fixture.log.unfavor([FavoritesFixture.orion], at: time(nil))
            try await told(until: .settled, after: count)
            #expect(try fixture.favorites == ["2026-11-20: x"])
        }
    }
}
