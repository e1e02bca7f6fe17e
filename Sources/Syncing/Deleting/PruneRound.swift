package import Apod
import Configuration
package import Store

/// One plan of deletion over all lists, or what was done of it. All that deletes a published file carries out such a plan
/// (`Retention`), and it may wait for a person (`PruneHold`).
package struct PruneRound: Sendable {
    /// What loses its files: by `keep`, then by `max-total`, each in the order of `Catalog.candidates`.
    package var pictures: [Candidate] = []
    /// Former versions, replaced long ago, which go first.
    package var replaced: [FormerVersion] = []
    /// What stays because its files cannot be deleted or its JSON cannot be read, and why.
    package var refused: [(key: Key, why: Problem)] = []
    /// The bytes of all files and JSON before; nil if not counted.
    package var total: Int?
    /// All that may go would not reach `max-total`, so nothing goes by it.
    package var isOutOfReach = false
    /// The files, below the root, for which items stay that would go: a person has changed them.
    package var edited: [String] = []
    /// What of the plan waits for a person, by list.
    package var holds: [PruneHold] = []

    /// The days of APOD, oldest first.
    package var days: [Candidate] { pictures(of: nil) }

    package func pictures(of list: ListName?) -> [Candidate] { pictures.filter { $0.name.list == list } }

    package func replaced(of list: ListName?) -> [FormerVersion] {
        replaced.filter { $0.key.list == list }
    }

    package var lists: Set<ListName> { Set(pictures.compactMap(\.name.list)) }

    package var isEmpty: Bool { pictures.isEmpty && replaced.isEmpty }
}

extension PruneRound {
    /// What goes by `keep`: all that is outside of it. Then, by `max-total`, as much as it takes: the files of versions that
    /// were replaced before a moment, then pictures. `candidates` and `former`: what may go, in this order.
    init(
        of candidates: [Candidate], _ former: [FormerVersion], total: Int, isOutside: (Key) -> Bool, atMost limit: Int?,
        replacedBefore moment: Int
    ) {
        pictures = candidates.filter { isOutside($0.key) }
        replaced = former.filter { isOutside($0.key) }
        self.total = total
        guard let limit, left > limit else { return }
        var (more, left) = (self, left)
        for version in former where left > limit && !isOutside(version.key) && version.replaced < moment {
            more.replaced.append(version)
            left -= version.bytes
        }
        for candidate in candidates where left > limit && !isOutside(candidate.key) {
            more.pictures.append(candidate)
            left -= candidate.bytes
        }
        if left > limit { isOutOfReach = true } else { self = more }
    }

    /// What stays of the total.
    package var left: Int { (total ?? 0) - pictures.bytes - replaced.bytes }

    /// nil where a list's part of the plan need not wait. `all`: its pictures that are here. `lastApplied`: see
    /// `AppliedRules`.
    func hold(of list: ListName?, by settings: Settings, lastApplied: String?, of all: Int) -> PruneHold? {
        let (pictures, replaced) = (pictures(of: list), replaced(of: list))
        let isOther = lastApplied != settings.rule(of: list)
        guard pictures.count > PruneHold.few, isOther || pictures.count * 2 > all else { return nil }
        return PruneHold(
            list: list, rule: settings.retention(of: list), pictures: pictures.count, replaced: replaced.count,
            bytes: pictures.bytes + replaced.bytes, range: list == nil ? Day.range(of: pictures.map(\.key).days) : nil)
    }
}

extension PruneRound {
    /// What was deleted, and what could not be.
    package var told: [Event] {
        var told: [Event] = []
        if let last = replaced.last {
            let what = "what was replaced \(PruneHold.times(replaced.count))"
            told.append(Self.deleted("deleted \(what), \(Size.text(replaced.bytes))", last.key))
        }
        for list in [nil] + lists.sorted() {
            let gone = pictures(of: list)
            guard let last = gone.last else { continue }
            let what =
                list.map { "\(Picture.count(gone.count)) of \($0)" } ?? "the pictures of \(Day.count(gone.count))"
            told.append(Self.deleted("deleted \(what), \(Size.text(gone.bytes))", last.key))
        }
        return told + refusals
    }

    private static func deleted(_ words: String, _ key: Key, _ why: Problem? = nil) -> Event {
        .deleted(words, day: key.day, why: why)
    }

    /// One for each folder and reason.
    private var refusals: [Event] {
        let reasons = Dictionary(grouping: refused) { one in
            [one.key.list.map { "\($0)" } ?? one.key.folder, "\(one.why.number ?? 0)"]
        }
        return reasons.values.sorted { $0[0].key < $1[0].key }.map { these in
            let what = these[0].key.list == nil ? Day.count(these.count) : Picture.count(these.count)
            let stay = these.count == 1 ? "stays that is" : "stay that are"
            return Self.deleted(
                "\(what) \(stay) to be deleted: \(these[0].why.words)", these[0].key, these[0].why)
        }
    }
}

extension Sequence<Candidate> {
    package var bytes: Int { reduce(0) { $0 + $1.bytes } }
}

extension Sequence<FormerVersion> {
    package var bytes: Int { reduce(0) { $0 + $1.bytes } }
}
