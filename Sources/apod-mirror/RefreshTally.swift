import Apod
import Syncing

/// What has come of a refresh so far.
struct RefreshTally {
    /// Days that somebody asked for by their dates.
    let named: Set<Day>
    private(set) var planned = 0
    private(set) var mirrored = 0
    private(set) var failed = 0
    private var unchanged = 0
    /// Days of which there is nothing (yet).
    private var without = 0
    /// Days without anything that were asked for by their dates.
    private var refused = 0

    init(named: Set<Day>) { self.named = named }

    var ended: Int { min(mirrored + unchanged + failed + without + refused, planned) }

    var isGood: Bool { failed + refused == 0 }

    mutating func count(_ event: RefreshEvent) {
        switch event {
        case .planned(let days): planned = days
        case .mirrored: mirrored += 1
        // The newest days are looked at without being planned.
        case .unchanged(let day), .kept(let day, _): if named.contains(day) { unchanged += 1 }
        case .absent(let day), .notYet(let day): if named.contains(day) { refused += 1 } else { without += 1 }
        case .failed: failed += 1
        case .unanswered(_, let days, _): failed += max(days, 1)
        case .rediscovered, .noted: break
        }
    }
}
