internal import Apod
internal import Archive
internal import Catalog

/// A part of an archive that has data files of its own: the days of a year or, of another list, the items whose names
/// begin with one.
struct Volume {
    let list: ListName?
    /// 0: of items without a date.
    let year: Int
    /// Oldest first.
    let days: [DayStatus]

    /// The items of a list by years, the newest first; its cover is none of them.
    static func all(of list: ListName, _ items: [DayStatus]) -> [Volume] {
        let items = items.filter { $0.stored?.name.isCover != true }
        return Dictionary(grouping: items) { Int($0.stored?.name.yearOfItem ?? "") ?? 0 }
            .map { Volume(list: list, year: $0.key, days: $0.value) }
            .sorted { $0.year > $1.year }
    }

    /// What the page's scripts call it: a year or, of a list, the path of its files below `gallery/data`.
    var key: String { list.map { "\"\($0.path("\(year)"))\"" } ?? "\(year)" }

    /// What the page's scripts call a day: its date, or an item's list and number.
    func id(of day: Day) -> String { list.map { "\($0).\(day.key)" } ?? day.key }

    /// The pictures that can be shown.
    var pictures: Int { days.count { $0.whole?.image != nil } }
}
