package import Apod

/// Which items a query is about.
package enum Scope: Sendable {
    case all
    case list(ListName)
    case days(ClosedRange<Day>)

    /// As few as have some keys in them; nil for none.
    package init?(of keys: some Collection<Key>) {
        let days = keys.compactMap(\.day)
        if days.count < keys.count {
            self = .all
        } else if let first = days.min(), let last = days.max() {
            self = .days(first...last)
        } else {
            return nil
        }
    }

    /// A condition on the number of a key's row. Its values come behind those that have numbers.
    func sql(_ number: String = "n") -> String {
        switch self {
        case .all: "1"
        case .list: "\(number) IN (SELECT n FROM item WHERE list = ? AND mark IS NOT NULL)"
        case .days: "\(number) BETWEEN ? AND ?"
        }
    }

    var values: [Database.Value] {
        switch self {
        case .all: []
        case .list(let list): [.list(list)]
        case .days(let range): [.day(range.lowerBound), .day(range.upperBound)]
        }
    }
}
