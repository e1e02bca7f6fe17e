import Apod
import Catalog
import Concurrency
import Control
import Glibc
import TestMirror
import TestSupport
import Testing

@testable import Daemon
@testable import Syncing

@Suite("Commands for a busy service", .serialized, .timeLimit(.minutes(1)))
struct RequestHandlerTests {
    /// What came of a command: what was told meanwhile, and whether it has ended.
    private final class Asked: Sendable {
        let client: ControlClient
        let heard = Awaited<[ControlAnswer]>([])
        let hasEnded = Awaited(false)
        /// Why it could not be done.
        let failure = Awaited<ControlError?>(nil)

        init(_ request: ControlRequest, _ testService: TestService) throws {
            client = try #require(try ControlClient.reach(root: testService.root))
            startThread { [self] in
                do throws(ControlError) {
                    try client.ask(request) { answer in heard.update { $0.append(answer) } }
                } catch {
                    failure.update { $0 = error }
                }
                hasEnded.update { $0 = true }
            }
        }
    }

    private func syncs(_ testService: TestService) -> Int? {
        ControlClient.status(root: testService.root, environment: [:])?.state.syncs
    }

    @Test("are told so and wait while it works for sixteen, and not when those are done")
    func busy() async throws {
        let testService = try TestService(days: 1)
        testService.start()
        try await testService.told(.refreshed)
        try await testService.told(.watching)
        let wanted = TestService.today.advanced(by: -100)
        testService.nasa.intercept = { $0.path.contains(wanted.compact) ? .hanging : nil }
        let sync = ControlRequest.job(.sync(SyncOrder(days: [wanted])))
        let first = try (0..<16).map { _ in try Asked(sync, testService) }
        try await testService.eventually { syncs(testService) == 16 }
        let restore = ControlRequest.job(.favorites(FavoritesOrder(.restore, [], since: 0)))
        let late = try Asked(restore, testService)
        let words = "the service is busy with 16 commands; this one waits"
        _ = try await late.heard.first { $0 == [.taken, .message(.warned(words))] }
        for asked in first { asked.client.cancel() }
        _ = try await late.hasEnded.first { $0 }
        #expect(late.heard.value.last == .message(.said("no link has gone since then")))
        try await testService.eventually { syncs(testService) == 0 }
        // What is done is counted out a moment after its end was told.
        try await testService.eventually {
            let last = try Asked(restore, testService)
            while !last.hasEnded.value {}
            return last.heard.value == [.taken, .message(.said("no link has gone since then"))]
        }
        await testService.stop()
    }

    @Test("are told that they go on from where they are when the service has ended under them")
    func ended() async throws {
        let testService = try TestService(days: 1)
        testService.start()
        try await testService.told(.refreshed)
        try await testService.told(.watching)
        let wanted = TestService.today.advanced(by: -100)
        testService.nasa.intercept = { $0.path.contains(wanted.compact) ? .hanging : nil }
        let asked = try Asked(.job(.sync(SyncOrder(days: [wanted]))), testService)
        try await testService.nasa.server.request { $0.path.contains(wanted.compact) }
        await testService.stop()
        _ = try await asked.hasEnded.first { $0 }
        #expect(asked.heard.value.contains(.message(.refreshEnded(Failure(.other, ServiceHost.stopped)))))
    }

    @Test("do not miss a favorite of today that is still to come")
    func stillToCome() async throws {
        let today = TestService.today
        let testService = try TestService(Entry.days(2, newest: today.advanced(by: -1)))
        testService.start()
        try await testService.told(.refreshed)
        try await testService.told(.watching)
        symlink("\(today)", "\(testService.root)/favorites/x")
        try await testService.eventually { try testService.catalog().favorites().count == 1 }
        let asked = try Asked(.job(.sync(SyncOrder())), testService)
        let begun = try await asked.heard.first { heard in
            heard.contains { if case .message(.refreshEnded) = $0 { true } else { false } }
        }.filter { if case .message(.refreshBegan) = $0 { true } else { false } }
        #expect(begun == Array(repeating: .message(.refreshBegan(named: [])), count: 2))
        await testService.stop()
    }

    @Test(
        "on a full disk, are told what links there are that do not count yet, and then what is lacking",
        .enabled(if: Disk.canBeMade))
    func full() async throws {
        let disk = try Disk("tmpfs", "size=8m")
        let testService = try TestService(Entry.days(1, newest: TestService.today), root: "\(disk.path)/APOD")
        testService.start()
        try await testService.told(.refreshed)
        try await testService.told(.watching)
        try disk.fill(with: "ballast")
        let days = (2000..<5000).map { TestService.today.advanced(by: -$0) }
        let asked = try Asked(.job(.favorites(FavoritesOrder(.add, Set(days)))), testService)
        _ = try await asked.hasEnded.first { $0 }
        let messages = asked.heard.value.compactMap { if case .message(let message) = $0 { message } else { nil } }
        let first = "favorites/\(days.last!)"
        #expect(messages == [.warned("\(first) and 2999 more are there, but not entered yet; the service enters them")])
        let why = asked.failure.value?.description ?? ""
        #expect(why.hasPrefix("no space left on the disk of \(disk.path)/APOD") && why.hasSuffix("make room there"))
        await testService.stop()
    }
}
