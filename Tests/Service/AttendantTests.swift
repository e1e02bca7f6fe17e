import Apod
import Files
import TestSupport
import Testing

@testable import Service

@Suite("Commands for a busy service", .serialized, .timeLimit(.minutes(1)))
struct AttendantTests {
    /// What came of a command: what was told meanwhile, and whether it has ended.
    private final class Asked: Sendable {
        let client: ControlClient
        let heard = Awaited<[ControlAnswer]>([])
        let hasEnded = Awaited(false)

        init(_ request: ControlRequest, _ outpost: Outpost) throws {
            client = try #require(try ControlClient.reach(root: outpost.root))
            startThread { [self] in
                try? client.ask(request) { answer in heard.update { $0.append(answer) } }
                hasEnded.update { $0 = true }
            }
        }
    }

    private func syncs(_ outpost: Outpost) -> Int? {
        ControlClient.status(root: outpost.root, environment: [:])?.state.syncs
    }

    @Test("are told so and wait while it works for sixteen, and not when those are done")
    func busy() async throws {
        let outpost = try Outpost(days: 1)
        outpost.start()
        try await outpost.told(.refreshed)
        try await outpost.told(.watching)
        let wanted = Outpost.today.advanced(by: -100)
        outpost.nasa.intercept = { $0.path.contains(wanted.compact) ? .hanging : nil }
        let sync = ControlRequest.sync(SyncOrder(days: [wanted]))
        let first = try (0..<16).map { _ in try Asked(sync, outpost) }
        try await outpost.eventually { syncs(outpost) == 16 }
        let forget = ControlRequest.favorites(FavoritesOrder(.forget, []))
        let late = try Asked(forget, outpost)
        let words = "the service is busy with 16 commands; this one waits"
        _ = try await late.heard.first { $0 == [.taken, .entry(.warned(words))] }
        for asked in first { asked.client.cancel() }
        _ = try await late.hasEnded.first { $0 }
        #expect(late.heard.value.last == .entry(.said("no link has vanished")))
        try await outpost.eventually { syncs(outpost) == 0 }
        // What is done is counted out a moment after its end was told.
        try await outpost.eventually {
            let last = try Asked(forget, outpost)
            while !last.hasEnded.value {}
            return last.heard.value == [.taken, .entry(.said("no link has vanished"))]
        }
        await outpost.stop()
    }
}
