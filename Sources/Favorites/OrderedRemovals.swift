internal import Archive
package import Catalog
package import Files

/// Links that are taken away as somebody asked for, beside whoever keeps the mirror. The catalog is told soon after each:
/// who finds many of them gone would take that for a loss.
package struct OrderedRemovals {
    private let editor: FavoritesEditor
    private let clock: () -> Int
    private let now: () -> ContinuousClock.Instant
    private var places: [Place] = []
    private var since: ContinuousClock.Instant?

    /// Less than how long what went must stay away.
    private static let longest = Duration.seconds(1)

    package init(
        _ editor: FavoritesEditor, clock: @escaping () -> Int, now: @escaping () -> ContinuousClock.Instant = { .now }
    ) {
        self.editor = editor
        self.clock = clock
        self.now = now
    }

    /// Links are about to be taken away in some places. What cannot be told of those before is told at the end.
    package mutating func take(_ places: [Place]) {
        if let since, now() - since > Self.longest { try? tell() }
        self.places += places
        since = since ?? now()
    }

    /// Those that were taken away are no links any more, and their favorites have ended if they have no others.
    package mutating func tell() throws(StorageError) {
        try editor.note(removed: places, at: clock())
        (places, since) = ([], nil)
    }
}

extension FavoritesEditor {
    /// What is still there was not taken away.
    fileprivate func note(removed places: [Place], at moment: Int) throws(StorageError) {
        let gone = try links(at: places).filter { !isTaken($0.place) }
        if gone.isEmpty { return }
        var removals = Removals(of: Set(gone.map(\.day)))
        removals.change.gone = gone.map(\.place)
        removals.ordered = gone
        _ = try catalog.record(removals, last: moment, at: moment)
    }
}
