import Apod
import Archive
import Catalog
import Concurrency
import Configuration
import Control
import Daemon
import Favorites
internal import Files
import Gallery
import Syncing
import Thumbnails

/// Runs a job in this process, without a service. It ends with what a service does at all times, like the gallery.
struct OwnProcess: JobHost {
    let mirror: OpenMirror
    private let reconciler: Reconciler
    private let report: MessageHandler
    private let job: Job
    /// nil for brief jobs, which change no days.
    private let gallery: GalleryCatchUp?
    private let sidecars: Sidecars?

    let thumbnailQueue = AsyncSemaphore(1)

    init(_ mirror: OpenMirror, for job: Job, _ report: @escaping MessageHandler) {
        self.mirror = mirror
        self.job = job
        self.report = report
        gallery = job.isBrief ? nil : GalleryCatchUp(mirror)
        sidecars = try? mirror.sidecars()
        reconciler = mirror.reconciler()
    }

    func run() async throws {
        let runner = JobRunner(in: self, report)
        guard let gallery else { return try await runner.run(job) }
        // Notes what happened in the favorites folder while nobody watched.
        var news: FavoritesNews?
        await attempt {
            let known = mirror.archive.favorites.known.days
            try await blocking { [reconciler] () throws(StorageError) in
                reconciler.makeFolder()
                try reconciler.note(.everywhere)
            }
            news = try FavoritesNews(mirror.archive, known: known)
        }
        var failure: (any Error)?
        do { try await runner.run(job) } catch { failure = error }
        if let mistake = failure as? SyncOrder.Mistake { throw mistake }
        if let failure, ArchiveError(failure)?.endsService == true { throw failure }
        tellLoss()
        let lack = "the gallery could not be written: "
        await attempt(lack) { try await gallery.runFirst() }
        var (isComplete, hasSidecars) = (false, false)
        await attempt("the sidecars could not be written: ") {
            let days = gallery.isUpToDate ? gallery.changedDays.all : nil
            try await blocking { () throws(StorageError) in try sidecars?.update(days) }
            hasSidecars = true
        }
        await attempt { isComplete = try await keepThumbnails(runner, gallery) }
        await attempt { if let shortage = try await LatestJPEG(mirror.archive).make()?.shortage { throw shortage } }
        await attempt(lack) {
            let isUnwanted = gallery.isUnwanted
            try await gallery.run(isComplete: isComplete && hasSidecars)
            let words = "deleted the gallery, as `gallery` is `no`; with `yes`, a sync makes it again"
            if isUnwanted { report(.said(words)) }
        }
        if case .sync = job { await attempt { for line in try news?.lines ?? [] { report(.said(line)) } } }
        if let failure {
            let told = Failure(failure, in: mirror.settings)
            guard told.code == .full else { throw failure }
            report(.complained(told.told(in: mirror.settings.root)))
        }
    }

    /// Warns if many links went at once, or the favorites folder is lost.
    private func tellLoss() {
        let (root, favorites) = (mirror.settings.root, mirror.archive.favorites)
        if let loss = reconciler.takeLoss(), let notice = Notice(.lost(loss), in: root) {
            report(.warned(notice.words))
        }
        if let lack = favorites.lack(in: root) {
            let hasFavorites = !favorites.known.isEmpty
            report(.warned(Failure(lack, in: root, hasFavorites: hasFavorites).told(in: root)))
        }
    }

    /// Does the work unless the task is cancelled. An error is reported and stops nothing else.
    private func attempt(_ words: String = "", _ work: () async throws -> Void) async {
        if Task.isCancelled { return }
        do { try await work() } catch {
            let failure = Failure(error, in: mirror.settings)
            let what = failure.code == .full ? "" : words
            report(.complained(what + failure.told(in: mirror.settings.root)))
        }
    }

    /// Returns whether all thumbnails that may be missing were looked for.
    private func keepThumbnails(
        _ runner: JobRunner, _ gallery: GalleryCatchUp
    ) async throws(StorageError) -> Bool {
        let (changed, isTidy) = (gallery.changedDays.all, gallery.isUpToDate)
        if case .sync = job {
            try await runner.makeThumbnails(isTidy: isTidy, changed: changed)
            return !Task.isCancelled
        }
        let thumbnails = Thumbnails(mirror.archive, for: mirror.settings.thumbnailUses)
        try await blocking { () throws(StorageError) in
            try thumbnails.follow(changed)
            try thumbnails.removeStale()
        }
        return isTidy && !Task.isCancelled
    }

    func settleFavorites() async {
        // Links to a file that was replaced are led to the new one.
        _ = reconciler.noteNewDays(mirror.archive.newDays.take())
        await attempt { try await blocking { [reconciler] () throws(StorageError) in try reconciler.lookAgain() } }
        await attempt {
            for _ in 1...3 {
                if try await blocking({ [reconciler] () throws(StorageError) in try reconciler.settle() }) { return }
                // Copies must rest, and links stay away, for a while.
                do { try await sleep(for: reconciler.settleDelay) } catch { return }
            }
        }
    }

    func follow(
        _ request: RefreshRequest, with refresh: Refresh, _ report: @escaping @Sendable (RefreshEvent) -> Void
    ) async -> Failure? {
        do throws(RefreshError) {
            try await refresh.run(request, report)
            return nil
        } catch {
            return Failure(error, in: mirror.settings)
        }
    }

    func changeFavorites(
        _ work: @escaping @Sendable () throws(StorageError) -> Set<Place>
    ) async throws(StorageError) {
        let reconciler = mirror.reconciler(settleDelay: .zero)
        try await blocking { [mirror, sidecars] () throws(StorageError) in
            try reconciler.note(.everywhere)
            try reconciler.carryOut(work)
            for _ in 1...2 where try reconciler.settle() { break }
            // Errors are ignored: the next sync updates the gallery and the sidecars.
            try? MirrorGallery(mirror).updateFavorites()
            try? sidecars?.update([])
        }
    }

    func madeThumbnails(of day: Day) { gallery?.changedDays.add([day]) }

    func didPrune(_ round: PruneRound) {}
}
