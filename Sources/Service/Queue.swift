import Apod
import Configuration
import Files
import Store
import Syncing

/// Work that the service does by itself, in rounds. `ServiceGroup` has the table.
struct Work: Sendable {
    let part: ServicePart
    /// It asks servers: it pauses longer after a failure, by the wall clock, and until there is room on a full disk.
    var asks = false
    /// Rings when there is something to do before the next round is due.
    var bell: Doorbell?
    /// Does what is due. Returns when the next round is due; nil: when the bell rings; without a bell, the work is over.
    let round: @Sendable () async throws -> Int?

    init(
        _ part: ServicePart, asks: Bool = false, bell: Doorbell? = nil,
        _ round: @escaping @Sendable () async throws -> Int?
    ) {
        (self.part, self.asks, self.bell, self.round) = (part, asks, bell, round)
    }

    /// Work in one round that lasts as long as the service.
    init(_ part: ServicePart, lasting run: @escaping @Sendable () async throws -> Void) {
        self.init(part) {
            try await run()
            return nil
        }
    }

    /// The pauses after failures, in seconds.
    var pauses: Backoff<Int> { asks ? Backoff(300, atMost: 3600) : Backoff(1, atMost: 300) }
}

/// Does the service's work, all side by side. Where some fails, it begins again after a pause, and the rest goes on.
struct Queue: Sendable {
    let context: ServiceContext
    var now: @Sendable () -> ContinuousClock.Instant = { .now }
    var sleep: @Sendable (Duration) async throws(CancellationError) -> Void = Files.sleep(for:)

    /// A round that fails after so long begins afresh.
    private static let longRun = Duration.seconds(300)

    private var time: any WallClock { context.time }

    /// Runs until the task is cancelled, or returns an error that only opening the mirror again mends.
    func run(_ table: [Work]) async -> Problem? {
        await withTaskGroup(of: Problem?.self) { group in
            for work in table { group.addTask { await attend(work) } }
            var failure: Problem?
            while failure == nil, let ended = await group.next() { failure = ended }
            group.cancelAll()
            return failure
        }
    }

    private func attend(_ work: Work) async -> Problem? {
        var pauses = work.pauses
        var told: Problem.Code?
        while !Task.isCancelled {
            let start = now()
            do {
                let next = try await work.round()
                (pauses, told) = (work.pauses, nil)
                end(work)
                if next == nil, work.bell == nil { return nil }
                let rest: @Sendable () async -> Void = { [time] in try? await time.wait(until: next ?? 0) }
                await wait(for: work.bell, or: next == nil ? nil : rest)
            } catch {
                let why = Problem(error, in: context.mirror.settings)
                if why.endsService { return why }
                // A person's command goes first.
                if why.code == .stopped { continue }
                if now() - start > Self.longRun { (pauses, told) = (work.pauses, nil) }
                // A command may have ended the trouble meanwhile.
                if work.asks, context.activity.now.troubles[work.part] == nil { told = nil }
                await pause(work, after: why, isNews: why.code != told, pauses.next())
                told = why.code
            }
        }
        return nil
    }

    /// Returns when the bell rings, after the rest, or when the task is cancelled.
    private func wait(for bell: Doorbell?, or rest: (@Sendable () async -> Void)?) async {
        await withTaskGroup(of: Void.self) { group in
            if let bell { group.addTask { try? await bell.rung() } }
            if let rest { group.addTask { await rest() } }
            await group.next()
            group.cancelAll()
        }
    }

    private func pause(_ work: Work, after why: Problem, isNews: Bool, _ pause: Int) async {
        // Measured before the failure is told: somebody may make room at once.
        let diskFull = work.asks ? DiskFullWait(why, free: await context.free) : nil
        var retry = time.now + pause
        if work.asks { retry = max(retry, (try? await context.quiet()) ?? 0) }
        // Whoever is told finds it in the status.
        context.activity.change { [retry] state in
            state.troubles[work.part] = .init(why, retry: retry)
            if work.part == .refresh { state.nextRefresh = retry }
        }
        if isNews {
            context.tell(.workFailed(work.part.rawValue, why: why, asks: work.asks, pause: retry - time.now))
        }
        if let diskFull {
            await waitForRoom(since: diskFull, until: retry)
        } else if work.asks {
            try? await time.wait(until: retry)
        } else {
            // There may be other work that does not fail.
            await wait(for: work.bell) { [sleep] in try? await sleep(.seconds(pause)) }
            // A round that lasts does not say that it gets on.
            end(work)
        }
    }

    private func end(_ work: Work) {
        if context.activity.now.troubles[work.part] == nil { return }
        context.activity.change { $0.troubles[work.part] = nil }
    }

    /// Returns when there is clearly more room, and at `moment` at the latest.
    private func waitForRoom(since diskFull: DiskFullWait, until moment: Int) async {
        while !Task.isCancelled, time.now < moment, await !diskFull.isOver(free: context.free) {
            try? await time.wait(until: min(moment, time.now + DiskFullWait.interval))
        }
    }
}

/// A disk that was full. Whether it has room again is seen without asking the upstream.
struct DiskFullWait: Sendable {
    /// Seconds between two looks at the disk.
    static let interval = 60
    private static let step = 64_000_000

    /// Free bytes when the disk was full.
    let free: Int

    init?(_ error: Problem, free: Int) {
        if !error.isFull { return nil }
        self.free = free
    }

    /// Other programs free and take a little all the time: it must be clearly more.
    func isOver(free: Int) -> Bool { free >= self.free + Self.step || free >= 2 * self.free + 1_000_000 }
}
