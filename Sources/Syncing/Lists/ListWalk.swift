internal import Apod
internal import Catalog
internal import Upstream

/// A walk over the pages of a list, as far as it has come.
struct ListWalk: Sendable {
    /// Items to ask for that no page has had so far. At the end, the list has them no more.
    private(set) var due: Set<Day>
    /// Of the first page.
    let validators: Validators?
    /// The list was read by other rules before.
    let hasOtherRules: Bool
    /// Behind a page without news, all was known before.
    private var isRestKnown: Bool
    private var isOldestFirst = false
    /// Of a list that tells its oldest first, the newest so far.
    private var held: Taken = ([], [])
    /// `max-total` has deleted an item that was met.
    var isBarred = false

    /// Items, as they are called here, and those whose name or place is to be remembered.
    typealias Taken = (pictures: [Picture], entries: [Catalog.ItemEntry])
    private let list: PictureList
    private var known: KnownItems
    /// The items and the pages that were met.
    private var ids: Set<String> = []
    private var idsOfPage: Set<String> = []
    private var pages: Set<WebAddress>
    /// How many items of the page were met before, and how many were not.
    private var (met, new) = (0, 0)
    /// How many pages in a row had no item of use.
    private var barren = 0
    /// How many items were of no use so far: without a picture, or an id that no other of the page has.
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

    /// `before`: how the list was read until now. `place`: of the first item.
    init(
        over list: PictureList, from before: ListReading?, due: Set<Day>, _ known: KnownItems, validators: Validators?,
        at place: Int
    ) {
        (self.list, self.due, self.known, self.validators) = (list, due, known, validators)
        hasOtherRules = before.map { $0.rules != list.reading } ?? false
        isRestKnown = before?.isWhole == true && !hasOtherRules
        pages = [list.address]
        wanted = list.keep ?? .max
        self.place = place
    }

    /// Whether more items are wanted.
    var wantsMore: Bool { wanted > 0 && left > 0 }

    /// Returns the records of a page, the newest first: a list may tell its oldest first, and is read to its end then.
    mutating func begin(_ page: ListPage) -> [JSONText] {
        (met, new, idsOfPage) = (0, 0, [])
        let ends = [page.records.first, page.records.last].compactMap { $0.flatMap { ListItem($0, of: list)?.date } }
        isOldestFirst = ends.count == 2 && ends[0] < ends[1]
        if isOldestFirst { (isRestKnown, wanted) = (false, list.keep ?? .max) }
        return isOldestFirst ? page.records.reversed() : Array(page.records)
    }

    /// Those of a page's items that were not met before, as they are called here, and those whose name or place is to be
    /// remembered.
    mutating func take(_ records: some Sequence<JSONText>) -> Taken {
        var items: [ListItem] = []
        for record in records.prefix(left) where items.count < wanted {
            left -= 1
            guard let item = ListItem(record, of: list), idsOfPage.insert(item.id).inserted else {
                bad += 1
                continue
            }
            if ids.insert(item.id).inserted { items.append(item) } else { met += 1 }
        }
        new += items.count
        wanted -= items.count
        var entries: [Catalog.ItemEntry] = []
        let pictures = items.map { item in
            let name = known[item.id]
            let picture = Picture(item, as: name ?? known.add(item))
            // Where older items are still to come, their places are behind those of the ones here.
            if name == nil || !isRestKnown {
                entries.append(.init(id: item.id, name: picture.name, place: place))
            }
            place -= 1
            return picture
        }
        due.subtract(pictures.map(\.day))
        guard isOldestFirst, let keep = list.keep else { return (pictures, entries) }
        held.pictures = Array((pictures + held.pictures).prefix(keep))
        held.entries += entries
        return ([], [])
    }

    /// Those that were held back, of which no others are newer. Called at the end.
    mutating func takeHeld() -> Taken {
        let names = Set(held.pictures.map(\.name))
        defer { held = ([], []) }
        return (held.pictures, held.entries.filter { names.contains($0.name) })
    }

    /// The page behind this one; nil where the list ends, or nothing behind it is wanted.
    mutating func next(behind page: ListPage, hasNews: Bool) -> WebAddress? {
        let isDone = !wantsMore && !isOldestFirst || left == 0 || isRestKnown && !hasNews && due.isEmpty
        barren = new > 0 ? 0 : barren + 1
        // A page of nothing but what was met before is the beginning of a circle.
        guard !isDone, new > 0 || met == 0 && barren < Self.mostBarren, let next = page.next,
            pages.insert(next).inserted
        else { return nil }
        return next
    }
}
