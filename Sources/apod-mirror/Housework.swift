import Archive
import Favorites
import Files
import Service

/// What is done beside fetching, where no service runs that does it.
struct Housework {
    private let session: Session
    private let favorites: Reconciler

    init(_ session: Session) {
        self.session = session
        favorites = session.reconciler()
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
                try? await nap(for: favorites.rest)
            }
        } catch {
            Terminal.complain(error.description)
        }
    }

    /// Lets go of what is not to be kept, and says what it was. `atOnce`: also of what is held back.
    func letGo(atOnce: Bool = false) async -> ExitStatus {
        let work = Task(executorPreference: Threads.shared) { [session] in
            try await session.retention.apply(atOnce: atOnce)
        }
        Interruption.onFirst { work.cancel() }
        do {
            let pruning = try await work.value
            for notice in pruning.notices { Terminal.show(notice) }
            if let hold = pruning.hold { Terminal.complain(hold.words) }
            if atOnce, pruning.days.isEmpty, pruning.refused.isEmpty { Terminal.print("nothing to delete") }
            return pruning.left.isEmpty && pruning.refused.isEmpty && !Interruption.isAsked ? .done : .incomplete
        } catch {
            Terminal.complain("\(error)")
            return .incomplete
        }
    }
}
