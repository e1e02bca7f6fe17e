import Apod
import Syncing

/// What has come of a refresh so far.
struct RefreshTally {
    /// Days that somebody asked for by their dates.
    private(set) var named: Set<Day>
    private(set) var planned = 0
    private(set) var mirrored = 0
    private(set) var failed = 0
    /// Days that questions without an answer were about.
    private(set) var unanswered = 0
    /// There was a question without an answer.
    private(set) var isUnanswered = false
    /// Days that were asked for by their dates, and are as they were.
    private(set) var unchanged = 0
    /// Days that are not published yet, which nobody has asked for by their dates.
    private(set) var unpublished = 0
    /// Days of which there is nothing (yet).
    private var without = 0
    /// Days without anything that were asked for by their dates.
    private var refused = 0

    init(named: Set<Day>) { self.named = named }

    private var done: Int { min(mirrored + unchanged + failed + without + refused, planned) }

    var ended: Int { min(done + unanswered, planned) }

    /// Days that nothing has become of, where it did not come to its end.
    var left: Int { planned - done }

    var isGood: Bool { failed + refused == 0 && !isUnanswered }

    mutating func goOn(named more: Set<Day>) { named.formUnion(more) }

    mutating func count(_ event: RefreshEvent) {
        switch event {
        case .planned(let days, _): planned += days
        case .mirrored: mirrored += 1
        // The newest days are looked at without being planned.
        case .unchanged(let day), .kept(let day, _): if named.contains(day) { unchanged += 1 }
        case .absent(let day) where !named.contains(day): without += 1
        case .notYet(let day) where !named.contains(day):
            without += 1
            unpublished += 1
        case .absent, .notYet: refused += 1
        case .failed: failed += 1
        case .unanswered(_, let days, _):
            unanswered += days
            isUnanswered = true
        case .rediscovered, .replaced, .noted: break
        }
    }
}
