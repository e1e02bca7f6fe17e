import Apod
import Store
import Syncing

/// Counts the results of a refresh.
struct RefreshTally {
    /// Days that were asked for by date.
    private(set) var named: Set<Day>
    /// Days, and pictures of other lists.
    private(set) var planned = 0
    private(set) var mirrored = 0
    private(set) var failed = 0
    /// Pictures of other lists that came.
    private(set) var items = 0
    /// Days to fetch whose records were requested and never came.
    private(set) var unanswered = 0
    /// Whether there was a request without an answer.
    private(set) var isUnanswered = false
    /// Named days that did not change.
    private(set) var unchanged = 0
    /// Unnamed days without a picture, or not published yet.
    private var without = 0
    /// Named days without a picture, or not published yet.
    private var refused = 0

    init(named: Set<Day>) { self.named = named }

    private var done: Int { min(mirrored + items + unchanged + failed + without + refused, planned) }

    var ended: Int { min(done + unanswered, planned) }

    /// Planned days not known to be done; includes unnamed days that came back unchanged.
    var left: Int { planned - done }

    var isGood: Bool { failed + refused == 0 && !isUnanswered }

    mutating func goOn(named more: Set<Day>) { named.formUnion(more) }

    private func isNamed(_ key: Key) -> Bool { key.day.map(named.contains) ?? false }

    mutating func count(_ event: Event) {
        switch event {
        case .planned(let count, _): planned += count
        case .mirrored(let key, _, _, _): if key.list == nil { mirrored += 1 } else { items += 1 }
        // Unnamed ones are not counted: most are the newest days, which are looked at without being planned.
        case .unchanged(let key): if isNamed(key) { unchanged += 1 }
        case .kept(let day, _): if named.contains(day) { unchanged += 1 }
        case .absent(let day) where !named.contains(day): without += 1
        case .notYet(let key) where !isNamed(key): without += 1
        case .absent, .notYet: refused += 1
        case .failed: failed += 1
        case .unanswered(_, let days, _):
            unanswered += days
            isUnanswered = true
        case .listFailed: isUnanswered = true
        default: break
        }
    }
}
