internal import Apod
internal import Catalog

/// The state of each day, by years: `h` for here, `p` pruned, `m` missing, `f` failed, `.` none. `gallery.js` draws it.
struct ArchiveBar {
    /// Oldest first.
    let years: [(year: Int, letters: String)]

    /// `wanted`: the days to mirror. Those that are not known are missing.
    init(
        known: [Day] = [], others: [(day: Day, state: Catalog.CalendarState)] = [], wanted: ClosedRange<Day>? = nil
    ) {
        let ends = [wanted?.lowerBound, wanted?.upperBound, known.min(), known.max()].compactMap(\.self)
        guard let first = ends.min()?.year, let last = ends.max()?.year else {
            years = []
            return
        }
        let start = Self.start(of: first)
        var letters = [UInt8](repeating: UInt8(ascii: "."), count: Self.start(of: last + 1) - start)
        func put(_ letter: Unicode.Scalar, _ day: Day) { letters[day.number - start] = UInt8(ascii: letter) }
        if let wanted { for day in wanted { put("m", day) } }
        for day in known { put(Catalog.CalendarState.here.letter, day) }
        for (day, state) in others { put(state.letter, day) }
        years = (first...last).compactMap { year in
            let ofYear = letters[Self.start(of: year) - start..<Self.start(of: year + 1) - start]
            let isEmpty = ofYear.allSatisfy { $0 == UInt8(ascii: ".") }
            return isEmpty ? nil : (year, String(decoding: ofYear, as: UTF8.self))
        }
    }

    /// The number of January 1, which need not be a `Day`. Every fourth year is a leap year, until 2100.
    private static func start(of year: Int) -> Int { (year - 1970) * 365 + (year - 1969) / 4 }
}

extension Catalog.CalendarState {
    fileprivate var letter: Unicode.Scalar {
        switch self {
        case .here: "h"
        case .pruned: "p"
        case .failed: "f"
        case .absent: "."
        }
    }
}
