import Apod
import Store
import Upstream

/// A walk over the pages of a list, as far as it has come.
struct ListWalk: Sendable {
    /// Items to ask for that no page has had so far. At the end, the list has them no more.
    private(set) var due: Set<Key>
    /// Of the first page; nil where that says nothing of the others.
    private(set) var validators: Validators?
    /// Behind a page without news, all was known before.
    private var isRestKnown: Bool
    private let before: ListReading?
    /// Whether those that come first are the newest; nil before the first page. Any other list is read to its end, and only
    /// then is it known which are wanted.
    private var isNewestFirst: Bool?
    /// Of such a list, what was met, sorted at the end.
    private var held: [(taken: Taken, order: ItemOrder)] = []
    /// What is new, and what of it is older than `keep` allows by what is here.
    var (coming, skipped): (Set<Key>, Set<Key>) = ([], [])
    /// Whether an item was met that is here, so that what comes behind it is older.
    var hasMetKnown = false

    /// An item, as it is called here, and what is to be remembered of it.
    typealias Taken = (picture: Picture, entry: ItemEntry?)
    private let list: PictureList
    private var known: KnownItems
    /// The items that were met.
    private var ids: Set<String> = []
    private var idsOfPage: Set<String> = []
    /// How many items of the page were met before, and how many were not.
    private var (met, new) = (0, 0)
    /// How many pages in a row had no item of use.
    private var barren = 0
    /// How many items were of no use so far: too large, without a picture, or an id that no other of the page has.
    private(set) var bad = 0
    /// How many more items are wanted.
    private var wanted: Int
    /// How many more are looked at.
    private var left = Self.mostItems
    private var place: Int

    /// An endless list ends here.
    static let mostItems = 100_000
    /// A list that has nothing but a next page ends here.
    private static let mostBarren = 10

    /// `before`: how the list was read until now. `isRestKnown`: and that it need not be read to its end. `place`: of the
    /// first item.
    init(
        over list: PictureList, from before: ListReading?, isRestKnown: Bool, due: Set<Key>, _ known: KnownItems,
        validators: Validators?, at place: Int
    ) {
        (self.list, self.due, self.known, self.validators) = (list, due, known, validators)
        (self.before, self.isRestKnown) = (before, isRestKnown)
        wanted = list.keep ?? .max
        self.place = place
    }

    /// How the list is read when the walk has come to its end.
    func reading(at now: Int) -> ListReading {
        let walked = isRestKnown ? before?.walked : now
        return ListReading(rules: list.reading, isWhole: true, validators: validators, walked: walked)
    }

    /// Whether more items are wanted.
    var wantsMore: Bool { wanted > 0 && left > 0 }

    mutating func begin(_ page: ListPage) {
        (met, new, idsOfPage) = (0, 0, [])
        guard isNewestFirst == nil else { return }
        let dates = list.keep == nil ? [] : page.records.compactMap { ListItem($0, of: list)?.date }
        isNewestFirst = zip(dates, dates.dropFirst()).allSatisfy { $0 >= $1 }
        if isNewestFirst == false { (isRestKnown, wanted, validators) = (false, .max, nil) }
    }

    /// Those of a page's items that were not met before and are wanted.
    mutating func take(_ records: some Sequence<JSONText>) -> [Taken] {
        var items: [ListItem] = []
        for record in records.prefix(left) where items.count < wanted {
            left -= 1
            guard !record.isTooLarge, let item = ListItem(record, of: list),
                idsOfPage.insert(item.id).inserted
            else {
                bad += 1
                continue
            }
            if ids.insert(item.id).inserted { items.append(item) } else { met += 1 }
        }
        new += items.count
        wanted -= items.count
        let taken = items.map { item -> (taken: Taken, order: ItemOrder) in
            let before = known[item.id]
            let name = before?.name ?? known.add(item)
            let picture = Picture(item, as: name)
            // Where older items are still to come, their places are behind those of the ones here.
            let isPlaced = before == nil || !isRestKnown && isNewestFirst != false
            let entry = isPlaced ? ItemEntry(id: item.id, name: name, place: place) : nil
            place -= 1
            return ((picture, entry), (entry ?? before!).order)
        }
        if isNewestFirst == false {
            held += taken
            return []
        }
        due.subtract(taken.map(\.taken.picture.key))
        return taken.map(\.taken)
    }

    /// The newest of those that were held back. Called at the end.
    mutating func takeHeld() -> [Taken] {
        let taken = held.sorted { $0.order > $1.order }.prefix(list.keep ?? .max).map(\.taken)
        held = []
        due.subtract(taken.map(\.picture.key))
        return taken
    }

    /// The page behind this one; nil where the list ends, or nothing behind it is wanted.
    mutating func next(behind page: ListPage, hasNews: Bool) -> WebAddress? {
        let isDone = !wantsMore || isRestKnown && !hasNews && due.isEmpty
        barren = new > 0 ? 0 : barren + 1
        // A page of nothing but what was met before is the beginning of a circle.
        return !isDone && (new > 0 || met == 0 && barren < Self.mostBarren) ? page.next : nil
    }
}
