import Apod
import Archive
import Catalog
import Concurrency
import Control
import Favorites
import Syncing
import TestMirror
import TestSupport
import Testing

@testable import Configuration
@testable import Daemon

@Suite("Whoever deletes what is not to be kept", .serialized, .timeLimit(.minutes(1)))
struct PrunerTests {
    /// Sixty days, of which fifty are to go; `work` may ring whenever it likes.
    private func clearing(
        _ work: @escaping @Sendable (FakeClock, Awaited<[Notice]>, _ ring: @Sendable () -> Void) async throws -> Void
    ) async throws {
        let testMirror = try TestMirror(days: 60) { settings in
            settings.rate = 0
            settings.since = TestMirror.today.advanced(by: -59)
        }
        try await testMirror.fetch()
        testMirror.settings.keep = Span("9d")
        let told = Awaited<[Notice]>([])
        let (occasions, occasion) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let time = testMirror.clock
        try await testMirror.mirror { mirror in
            let context = ServiceContext(mirror: mirror, time: time, activity: Activity()) { notice in
                told.update { $0.append(notice) }
            }
            let favoritesService = mirror.favoritesService { event in if case .known = event { occasion.yield() } }
            let clearing = Pruner(context: context, favoritesService: favoritesService, occasions: occasions) {
                occasion.yield()
            }
            try await withThrowingTaskGroup { group in
                group.addTask { try await favoritesService.run() }
                group.addTask { try await clearing.run() }
                try await work(time, told) { occasion.yield() }
                group.cancelAll()
            }
        }
    }

    @Test("deletes nothing before it is known what the favorites are")
    func unknown() async throws {
        let testMirror = try TestMirror(days: 10) { $0.since = TestMirror.today.advanced(by: -9) }
        try await testMirror.fetch()
        testMirror.settings.keep = Span("5d")
        let (occasions, occasion) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let time = testMirror.clock
        try await testMirror.mirror { mirror in
            let context = ServiceContext(mirror: mirror, time: time, activity: Activity()) { _ in }
            // Nobody has looked into their folder.
            let favoritesService = mirror.favoritesService { _ in }
            let pruner = Pruner(context: context, favoritesService: favoritesService, occasions: occasions) {}
            try await withThrowingTaskGroup { group in
                group.addTask { try await pruner.run() }
                occasion.yield()
                try await sleep(for: .milliseconds(500))
                #expect(try mirror.archive.catalog.summary().pruned == 0)
                group.cancelAll()
            }
        }
    }

    @Test("looks every hour as long as something is held, however often it is told that there may be more")
    func watch() async throws {
        try await clearing { time, told, ring in
            _ = try await told.first { $0.contains { $0.event == .held } }
            try await time.awaited(exactly: time.now + 3_600)
            for seconds in [10, 20, 30] {
                time.pass(seconds)
                ring()
                try await time.awaited(exactly: time.now + 3_600)
                #expect(time.waits.count <= 1)
            }
            for seconds in Array(repeating: 3_600, count: 23) + [3_540] {
                try await time.awaited(exactly: time.now + seconds)
                #expect(time.waits.count <= 1)
                time.pass(seconds)
            }
            _ = try await told.first { $0.contains { $0.event == .pruned } }
            #expect(told.value.map(\.event) == [.held, .pruned] && time.waits.isEmpty)
        }
    }
}
