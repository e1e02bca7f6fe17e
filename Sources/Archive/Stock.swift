package import Apod

/// The days that have files in the tree, and which of them are let go of when there are to be fewer.
package struct Stock: Sendable {
    package struct Holding: Sendable, Equatable {
        package let day: Day
        package let title: String
        /// Of its files; its JSON stays.
        package let bytes: Int
        /// Or was one not long ago.
        package var isFavorite: Bool

        package init(day: Day, title: String, bytes: Int, isFavorite: Bool) {
            self.day = day
            self.title = title
            self.bytes = bytes
            self.isFavorite = isFavorite
        }
    }

    /// Oldest first.
    package private(set) var holdings: [Holding]
    /// Of all files and all JSON.
    package let bytes: Int
    /// The day of the newest picture. It stays, and so does what is newer.
    package let latest: Day?

    package init(holdings: [Holding], bytes: Int, latest: Day?) {
        self.holdings = holdings
        self.bytes = bytes
        self.latest = latest
    }

    /// With more favorites than those that are known as such.
    package func with(_ favorites: Set<Day>) -> Stock {
        var stock = self
        for index in holdings.indices where favorites.contains(holdings[index].day) {
            stock.holdings[index].isFavorite = true
        }
        return stock
    }

    /// The oldest days: all that are before one, and so many more that no more bytes are left than there may be.
    package func surplus(before first: Day?, atMost limit: Int?) -> [Holding] {
        var surplus: [Holding] = []
        var left = bytes
        for holding in holdings where !holding.isFavorite {
            if let latest, holding.day >= latest { break }
            guard first.map({ holding.day < $0 }) == true || limit.map({ left > $0 }) == true else { break }
            surplus.append(holding)
            left -= holding.bytes
        }
        return surplus
    }
}
