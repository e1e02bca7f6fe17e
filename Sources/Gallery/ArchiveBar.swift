internal import Apod
internal import Catalog

/// Which days are there, missing or failed: a year after the other, a letter for each of its days.
struct ArchiveBar {
    /// Oldest first.
    let years: [(year: Int, letters: String)]

    /// `wanted`: the days that are to be there.
    init(_ standings: [(day: Day, standing: Catalog.Standing)], wanted: ClosedRange<Day>?) {
        var letters: [Int: [UInt8]] = [:]
        func set(_ day: Day, _ letter: Unicode.Scalar) {
            let year = day.year
            let start = Self.start(of: year)
            if letters[year] == nil {
                letters[year] = Array(repeating: UInt8(ascii: "."), count: Self.start(of: year + 1) - start)
            }
            letters[year]![day.number - start] = UInt8(ascii: letter)
        }
        for day in wanted.map(Array.init) ?? [] { set(day, "m") }
        for (day, standing) in standings { set(day, standing.letter) }
        years = letters.sorted { $0.key < $1.key }.map { ($0.key, String(decoding: $0.value, as: UTF8.self)) }
    }

    /// The number of its first of January, also of one before APOD began.
    private static func start(of year: Int) -> Int {
        if year == 2095 { return start(of: 2094) + 365 }
        return year == 1995 ? 9131 : Day(year: year, month: 1, day: 1)!.number
    }
}

extension Catalog.Standing {
    fileprivate var letter: Unicode.Scalar {
        switch self {
        case .here: "h"
        case .pruned: "p"
        case .failed: "f"
        case .absent: "."
        }
    }
}
