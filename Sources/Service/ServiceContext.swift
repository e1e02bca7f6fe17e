import Apod
import Configuration
import Files
import Store
import Synchronization
import Syncing

/// What the parts of the service share.
struct ServiceContext: Sendable {
    let mirror: OpenMirror
    let time: any WallClock
    let activity: Activity
    let tell: EventHandler
    /// Work on days gives way here.
    let priorityGate = PriorityGate()
    /// Work on other lists gives way here.
    let listGate = PriorityGate()
    /// Held while thumbnails are made: the service and a command would make the same ones.
    let thumbnailQueue = AsyncSemaphore(1)
    private let galleryQueue = AsyncSemaphore(1)
    /// Keys whose thumbnails are to be brought up to date.
    let changedPictures: ChangedKeys
    /// Keys that the gallery is to show anew; also signalled for favorites.
    let shown: ChangedKeys
    /// Signals that the published status is to be written anew.
    let statusChanges: ChangedKeys
    let stallDetector: StallDetector

    init(
        mirror: OpenMirror, time: any WallClock, activity: Activity, tell: @escaping EventHandler
    ) {
        self.mirror = mirror
        self.time = time
        self.activity = activity
        self.tell = tell
        changedPictures = mirror.archive.listenForChanges()
        shown = mirror.archive.listenForChanges()
        statusChanges = mirror.archive.listenForChanges()
        stallDetector = StallDetector(distance: mirror.settings.distance)
    }

    func reading<Value: Sendable>(
        _ work: @escaping @Sendable (Catalog) throws -> Value
    ) async throws -> Value {
        let catalog = mirror.archive.catalog
        return try await blocking { try work(catalog) }
    }

    /// Writes something of the gallery or of the sidecars, when nothing else of them is written.
    func drawing<Value: Sendable>(_ draw: @Sendable () throws -> Value) async throws -> Value {
        try await galleryQueue.holding { try await blocking(draw) }
    }

    /// Until when the upstream wants no requests but those that a person asks for; nil if it has not said so.
    func quiet() async throws -> Int? {
        let now = time.now
        return try await reading { catalog in try catalog.quiet(at: now) }
    }

    /// Free bytes on the mirror's disk.
    var free: Int {
        get async { await blocking { (try? mirror.archive.tree.root.space())?.free ?? 0 } }
    }

    /// Runs a refresh, and tells of it. Returns and throws as `run` does.
    func refresh(
        _ request: RefreshRequest, with refresh: Refresh? = nil,
        _ report: @escaping EventHandler = { _ in }
    ) async throws -> Problem? {
        try await run(report) { report in
            await blocking { [archive = mirror.archive] in archive.pointLatest() }
            let isForAllNew = try await (refresh ?? mirror.refresh()).run(request, report)
            // Any refresh for all new days ends the trouble of the daily one.
            if isForAllNew { activity.change { $0.troubles[.refresh] = nil } }
        }
    }

    /// Runs work that asks for days or for other lists, and tells of it. Returns why it did not finish; throws an error that
    /// only opening the mirror again mends.
    func run(
        _ report: @escaping EventHandler = { _ in },
        _ work: (@escaping EventHandler) async throws -> Void
    ) async throws -> Problem? {
        try await blocking { [archive = mirror.archive] in try archive.checkPlaces() }
        // What ends a refresh is told once, however many questions had no answer.
        let unanswered = Mutex<[Event]>([])
        do {
            try await work { event in
                if case .unanswered = event {
                    unanswered.withLock { $0.append(event) }
                } else if !event.isOfPruner {
                    tell(event)
                }
                report(event)
            }
            for event in unanswered.withLock(\.self) { tell(event) }
            return nil
        } catch {
            if error.problem.endsService { throw error }
            return Problem(error, in: mirror.settings)
        }
    }

    /// Returns when nothing that asks a server is stuck, for the watchdog.
    func untilNotStuck() async {
        while stallDetector.isStuck(isAsking: mirror.isAsking, signs: mirror.signs) {
            try? await sleep(for: .seconds(5))
        }
    }

    /// Gives free memory back to the system: the next work may be hours away.
    func releaseMemory() async {
        let catalog = mirror.archive.catalog
        await blocking {
            catalog.releaseMemory()
            Memory.trim()
        }
    }
}
