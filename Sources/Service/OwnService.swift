package import Apod
import Configuration
import Favorites
import Files
package import Store
package import Syncing

/// The service for one job, in the process of a command that has found none: the same parts (`ServiceParts`) get the
/// job, each does what that leaves to it, and all is settled when `run` returns. Nothing watches, asks for new days,
/// fills gaps or deletes by itself.
///
/// Where the gallery was up to date at the beginning, only what changes since needs work: a job that changes nothing
/// costs next to nothing.
package struct OwnService: Sendable {
    private let parts: ServiceParts
    private let wasUpToDate: Bool
    private let report: EventHandler
    private let words: @Sendable (Problem) -> String

    /// `words`: what is told of a failure.
    package init(
        _ mirror: OpenMirror, words: @escaping @Sendable (Problem) -> String, _ report: @escaping EventHandler
    ) {
        let context = ServiceContext(mirror: mirror, time: SystemClock(), activity: Activity()) { _ in }
        parts = ServiceParts(context, report)
        wasUpToDate = parts.gallery.isUpToDate
        (self.report, self.words) = (report, words)
    }

    private var mirror: OpenMirror { parts.context.mirror }

    /// Throws a `SyncOrder.Contradiction`, or why the job was not done.
    package func run(_ job: Job) async throws {
        let runner = JobRunner(parts, report)
        if job.isBrief {
            try await runner.run(job)
            if case .favorites = job { await settleFavorites() }
            return
        }
        // What happened in the favorites folder while nobody watched.
        let known = mirror.archive.favorites.known.keys
        var news: FavoritesNews?
        await attempt {
            try await parts.favorites.lookOnce()
            news = try FavoritesNews(mirror.archive, known: known)
        }
        var failure: (any Error)?
        do { try await runner.run(job) } catch { failure = error }
        if let mistake = failure as? SyncOrder.Contradiction { throw mistake }
        if let failure, failure.problem.endsService { throw failure }
        await settle(job)
        if case .sync = job { await attempt { for line in try news?.lines ?? [] { report(.said(line)) } } }
        guard let failure else { return }
        // A full disk stops one step; the others may have gone on.
        let told = Problem(failure, in: mirror.settings)
        guard told.code == .full else { throw failure }
        report(.complained(words(told)))
    }

    /// Where the gallery or the sidecars fail, the next sync brings them up to date.
    private func settleFavorites() async {
        await attempt { try await parts.favorites.settleOnce() }
        _ = try? await parts.gallery.show([])
        try? await parts.gallery.describe([])
    }

    private func settle(_ job: Job) async {
        await attempt { try await parts.favorites.settleOnce() }
        tellLack()
        let isUnwanted = parts.gallery.isUnwanted
        if !wasUpToDate { await attempt { try await ListRound(mirror).run([]) } }
        // The gallery shows what has come before copies are made, which can take long.
        let changed = parts.context.shown.take()
        var (isShown, hasSidecars, hasCopies) = (wasUpToDate, false, false)
        let lack = "the gallery could not be written: "
        if !isShown || !changed.isEmpty {
            await attempt(lack) {
                let extent = isShown ? changed : nil
                isShown = false
                isShown = try await parts.gallery.show(extent)
            }
        }
        await attempt("the sidecars could not be written: ") {
            try await parts.gallery.describe(wasUpToDate ? changed : nil)
            hasSidecars = true
        }
        await attempt { _ = try await parts.gallery.fill() }
        await attempt { hasCopies = try await keepCopies(job) }
        await attempt { try await parts.thumbnails.makeLatest() }
        await attempt { try await parts.gallery.fillFrame() }
        await attempt(lack) {
            let copied = parts.context.shown.take()
            let isWhole = try await parts.gallery.show(isShown ? copied : nil)
            if isUnwanted {
                report(.said("deleted the gallery, as `gallery` is `no`; with `yes`, a sync makes it again"))
            }
            if isWhole, hasSidecars, hasCopies, !Task.isCancelled {
                try await parts.gallery.end(hasChanged: !wasUpToDate || !changed.isEmpty || !copied.isEmpty)
            }
        }
    }

    /// Warns if the favorites folder is lost.
    private func tellLack() {
        let (root, favorites) = (mirror.settings.root, mirror.archive.favorites)
        if let lack = favorites.lack(in: root) { report(.noted(words(lack))) }
    }

    /// Makes the copies that are missing; other jobs than `sync` leave that to the next one. Returns whether all were
    /// looked at.
    private func keepCopies(_ job: Job) async throws -> Bool {
        let changed = wasUpToDate ? parts.context.changedPictures.take() : nil
        if case .sync = job {
            try await parts.thumbnails.makeMissing(changed: changed, report)
        } else {
            _ = try await parts.thumbnails.putInOrder(changed)
        }
        return !Task.isCancelled
    }

    /// Does the work unless the task is cancelled. An error is reported and stops nothing else.
    private func attempt(_ what: String = "", _ work: () async throws -> Void) async {
        if Task.isCancelled { return }
        do { try await work() } catch {
            let failure = Problem(error, in: mirror.settings)
            report(.complained((failure.code == .full ? "" : what) + words(failure)))
        }
    }
}
