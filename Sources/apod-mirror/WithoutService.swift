import Archive
import Concurrency
import Configuration
import Daemon
import Favorites
import Gallery
import Syncing
import Thumbnails
import Watching

/// What is done beside fetching, where no service runs that does it.
struct WithoutService {
    private let mirror: OpenMirror
    private let favorites: Reconciler
    private let gallery: GalleryCatchUp

    init(_ mirror: OpenMirror) {
        self.mirror = mirror
        favorites = mirror.reconciler()
        gallery = GalleryCatchUp(mirror)
    }

    /// Notes whatever happened in the favorites folder since the last time.
    func look() async {
        do throws(ArchiveError) {
            try await blocking { [favorites] () throws(ArchiveError) in
                favorites.makeFolder()
                try favorites.note(.everywhere)
            }
        } catch {
            Terminal.complain(error.description)
        }
    }

    func settle() async {
        do throws(ArchiveError) {
            for _ in 1...3 {
                let isSettled = try await blocking { [favorites] () throws(ArchiveError) in try favorites.settle() }
                if isSettled { return }
                try? await sleep(for: favorites.settleDelay)
            }
        } catch {
            Terminal.complain(error.description)
        }
    }

    /// Makes the thumbnails that are missing, or takes them away where nobody wants them.
    func keepThumbnails() async -> ExitStatus {
        if mirror.settings.gallery == .yes { return await makeThumbnails(mirror.archive, for: gallery) }
        do throws(ArchiveError) {
            try await blocking { [mirror] () throws(ArchiveError) in try Thumbnails(mirror.archive).removeAll() }
            return .done
        } catch {
            Terminal.complain(error.description)
            return .incomplete
        }
    }

    /// Brings the gallery up to date, at the end of all other work.
    func updateGallery() async -> ExitStatus {
        let work = Task(executorPreference: ThreadExecutor.shared) { [gallery] in try await gallery.run() }
        Signals.onFirst { work.cancel() }
        do {
            try await work.value
            return Signals.isAsked ? .incomplete : .done
        } catch {
            Terminal.complain("the gallery could not be written: \(error)")
            return .incomplete
        }
    }

    /// Deletes what is not to be kept, and says what it was. `atOnce`: also of what is held back.
    func applyRetention(atOnce: Bool = false) async -> ExitStatus {
        let work = Task(executorPreference: ThreadExecutor.shared) { [mirror] in
            try await mirror.retention.apply(atOnce: atOnce)
        }
        Signals.onFirst { work.cancel() }
        do {
            let pruning = try await work.value
            for notice in pruning.notices { Terminal.show(notice) }
            if let hold = pruning.hold { Terminal.complain(hold.words) }
            if atOnce, pruning.days.isEmpty, pruning.refused.isEmpty { Terminal.print("nothing to delete") }
            return pruning.left.isEmpty && pruning.refused.isEmpty && !Signals.isAsked ? .done : .incomplete
        } catch {
            Terminal.complain("\(error)")
            return .incomplete
        }
    }
}
