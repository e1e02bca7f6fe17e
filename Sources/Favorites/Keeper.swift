package import Apod
package import Archive
internal import Files
import Synchronization

/// Watches the favorites folder and keeps the catalog true to it.
package final class Keeper: Sendable {
    package enum Event: Sendable {
        /// The folder is watched in another way than before.
        case watching(Watching)
        /// It could not be remembered; it is tried again.
        case failed(ArchiveError)
    }

    private let root: String
    private let catalog: Catalog
    private let reconciler: Reconciler
    private let bell = Bell()
    /// Rung when there may be something to settle.
    private let quiet = Bell()
    private let calm: Calm
    private let report: @Sendable (Event) -> Void
    private let changed: AsyncStream<Void>.Continuation
    /// What is new has been remembered.
    package let changes: AsyncStream<Void>

    package init(
        _ archive: Archive, adopts: Bool, clock: @escaping @Sendable () -> Int,
        report: @escaping @Sendable (Event) -> Void
    ) {
        root = archive.tree.root.path
        catalog = archive.catalog
        reconciler = Reconciler(archive, adopts: adopts, clock: clock)
        calm = Calm(rest: reconciler.rest)
        self.report = report
        (changes, changed) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Until the task is cancelled.
    package func run() async {
        let watcher = await blocking { [self] in
            reconciler.makeFolder()
            return Watcher(root: root, bell: bell)
        }
        await withTaskCancellationHandler {
            await withTaskGroup { group in
                group.addTask { [self] in await note(watcher) }
                group.addTask { [self] in await settle() }
            }
        } onCancel: {
            reconciler.stop()
        }
        await blocking { [catalog] in
            watcher.stop()
            try? catalog.setRemark(.watching, nil)
        }
    }

    /// Days that were only wished for are here now.
    package func welcome(_ days: Set<Day>) async throws(ArchiveError) {
        try await blocking { [reconciler] () throws(ArchiveError) in try reconciler.welcome(days) }
        rung()
    }

    /// Rings for `changes`, though nothing has changed.
    package func remind() { changed.yield() }

    private func rung() {
        calm.disturb()
        quiet.ring()
    }

    private func note(_ watcher: Watcher) async {
        var watching: Watching?
        for await _ in bell.rings {
            await noteUntilDone(bell.answer())
            rung()
            changed.yield()
            if watching != watcher.watching {
                watching = watcher.watching
                await announce(watcher.watching)
            }
        }
    }

    private func announce(_ watching: Watching) async {
        await blocking { [catalog] in try? catalog.setRemark(.watching, watching.description) }
        report(.watching(watching))
    }

    /// What cannot be remembered now, on a full disk perhaps, is remembered later.
    private func noteUntilDone(_ first: Hints) async {
        var hints = first
        var pause = Duration.seconds(1)
        while !Task.isCancelled {
            do throws(ArchiveError) {
                let due = hints
                return try await blocking { [reconciler] () throws(ArchiveError) in try reconciler.note(due) }
            } catch {
                report(.failed(error))
                try? await Task.sleep(for: pause)
                pause = min(pause * 2, .seconds(30))
                hints.add(bell.answer())
            }
        }
    }

    private func settle() async {
        for await _ in quiet.rings {
            while !Task.isCancelled {
                guard await calm.comes() else { return }
                do throws(ArchiveError) {
                    if try await blocking({ [reconciler] () throws(ArchiveError) in try reconciler.settle() }) { break }
                } catch {
                    report(.failed(error))
                }
                calm.disturb()
            }
        }
    }
}

/// When the folder has rested, or has been restless for too long to wait any more.
private final class Calm: Sendable {
    private struct Unrest {
        let first: ContinuousClock.Instant
        var last: ContinuousClock.Instant
    }

    private let unrest = Mutex<Unrest?>(nil)
    private let rest: Duration
    private static let longest = Duration.seconds(10)

    init(rest: Duration) { self.rest = rest }

    func disturb() {
        let now = ContinuousClock.now
        unrest.withLock { $0 = Unrest(first: $0?.first ?? now, last: now) }
    }

    /// Returns false if the task is cancelled.
    func comes() async -> Bool {
        while true {
            let due = unrest.withLock { unrest in
                let due = unrest.map { min($0.last + rest, $0.first + Self.longest) }
                guard let due, due > .now else {
                    unrest = nil
                    return Optional<ContinuousClock.Instant>.none
                }
                return due
            }
            guard let due else { return !Task.isCancelled }
            do { try await Task.sleep(until: due) } catch { return false }
        }
    }
}
