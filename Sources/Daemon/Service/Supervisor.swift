import Apod
import Archive
import Concurrency
import Configuration
import Control
import Syncing

/// A part of the service. It runs until its task is cancelled, or nothing is left to do.
struct NamedService: Sendable {
    let name: ServicePart
    let run: @Sendable () async throws -> Void

    init(_ name: ServicePart, _ run: @escaping @Sendable () async throws -> Void) {
        self.name = name
        self.run = run
    }
}

/// Runs the parts of the service side by side. One that fails begins again after a pause, and the others go on.
struct Supervisor: Sendable {
    let time: any WallClock
    let activity: Activity
    let tell: NoticeHandler
    let settings: Settings
    var shortest = Duration.seconds(1)
    var now: @Sendable () -> ContinuousClock.Instant = { .now }
    var wait: @Sendable (Duration) async throws(CancellationError) -> Void = sleep(for:)

    private static let longest = Duration.seconds(300)

    /// Runs until the task is cancelled, or returns an error that only opening the mirror again mends.
    func run(_ services: [NamedService]) async -> Problem? {
        await withTaskGroup(of: Problem?.self) { group in
            for service in services { group.addTask { await runWithRestarts(service) } }
            var failure: Problem?
            while failure == nil, let ended = await group.next() { failure = ended }
            group.cancelAll()
            return failure
        }
    }

    private func runWithRestarts(_ service: NamedService) async -> Problem? {
        var backoff = Backoff(shortest, atMost: Self.longest)
        var told: Problem?
        while !Task.isCancelled {
            let start = now()
            do {
                try await service.run()
                return nil
            } catch {
                let why = Problem(error, in: settings)
                if why.code == .stopped { return nil }
                if why.endsService { return why }
                // After a long good run, a failure counts as the first.
                if now() - start > Self.longest { (backoff, told) = (Backoff(shortest, atMost: Self.longest), nil) }
                // The same failure is told once.
                if why != told {
                    let words = "\(service.name.rawValue) failed: \(why.words); it begins again soon"
                    tell(Notice(error, in: settings, or: Notice(.trouble, words)))
                }
                told = why
                await waitToRestart(service.name, why, backoff.next())
            }
        }
        return nil
    }

    private func waitToRestart(_ name: ServicePart, _ why: Problem, _ pause: Duration) async {
        let retry = time.now + Int(pause / .seconds(1))
        activity.change { $0.troubles[name] = .init(why, retry: retry) }
        try? await wait(pause)
        activity.change { $0.troubles[name] = nil }
    }
}
