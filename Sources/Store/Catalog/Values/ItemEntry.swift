package import Apod

/// How a list has one of its items: the id, and the place, which is larger than that of what comes later.
package struct ItemEntry: Sendable, Equatable {
    package let id: String
    package let name: ItemName
    package let place: Int
    /// When it was first seen; seconds since 1970.
    package let came: Int

    /// `came`: nil of one that is new.
    package init(id: String, name: ItemName, place: Int, came: Int? = nil) {
        (self.id, self.name, self.place, self.came) = (id, name, place, came ?? place / 1_000_000)
    }

    package var key: Key { .item(name) }

    package var order: ItemOrder { ItemOrder(name, came: came, place: place) }

    /// The place of the first item that comes in at a moment.
    static func place(at moment: Int) -> Int { moment * 1_000_000 }
}

/// Where an item stands among others, the oldest first: by its date or, without one, by that on which it came, then by its
/// place in its list. Which items are fetched and which are deleted is decided by it.
package struct ItemOrder: Comparable, Sendable {
    private let date: String
    private let place: Int

    init(_ name: ItemName, came: Int = 0, place: Int = 0) {
        (date, self.place) = (name.date ?? "\(Day(utc: came))", place)
    }

    package static func < (a: ItemOrder, b: ItemOrder) -> Bool { (a.date, a.place) < (b.date, b.place) }
}

extension Sequence<ItemEntry> {
    /// The order of all items of a list. One without a date is no newer than one that stands before it, however late it
    /// came.
    var orders: [Key: ItemOrder] {
        var (orders, came): ([Key: ItemOrder], Int) = ([:], .max)
        for entry in sorted(by: { $0.place > $1.place }) {
            if entry.name.date == nil { came = Swift.min(came, entry.came) }
            orders[entry.key] = ItemOrder(entry.name, came: Swift.min(came, entry.came), place: entry.place)
        }
        return orders
    }
}
