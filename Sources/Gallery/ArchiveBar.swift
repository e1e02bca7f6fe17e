import Apod
import Store

/// The state of each day, by years: `h` for here, `p` pruned, `m` missing, `f` failed, `.` none. `gallery.js` draws it.
struct ArchiveBar {
    /// Oldest first.
    let years: [(year: Int, letters: String)]

    /// `wanted`: the days to mirror. Those that are not known are missing.
    init(
        _ states: (known: [Day], others: [(day: Day, state: Catalog.CalendarState)]), wanted: ClosedRange<Day>?
    ) {
        var years: [Int: [UInt8]] = [:]
        func put(_ letter: String, _ day: Day) {
            let (year, start) = (day.year, Self.start(of: day.year))
            let none = { [UInt8](repeating: ".", count: Self.start(of: year + 1) - start) }
            years[year, default: none()][day.number - start] = letter.utf8.first ?? 0
        }
        if let wanted { for day in wanted { put("m", day) } }
        for day in states.known { put("h", day) }
        for (day, state) in states.others { put(state.rawValue, day) }
        self.years = years.map { ($0, $1.text) }.filter { $1.contains { $0 != "." } }
            .sorted { $0.0 < $1.0 }
    }

    /// The years of some days, or all that there are; newest first.
    func years(of days: Set<Day>?) -> [Int] {
        (days.map { Set($0.map(\.year)).sorted() } ?? years.map(\.year)).reversed()
    }

    /// The number of January 1, which need not be a `Day`. Every fourth year is a leap year, until 2100.
    private static func start(of year: Int) -> Int { (year - 1970) * 365 + (year - 1969) / 4 }
}
