/// A calendar day on which APOD can have appeared: 1995-06-16 to the end of 2094, where its two-digit years end.
///
/// The values of this module tell of a day, or of an item of another list: `Key` is which, `Picture` its record,
/// `StoredFile` one of its files, `FileName` their name, `Document` its JSON, and `Problem` why something is missing.
package struct Day: Hashable, Comparable, Sendable {
    /// Days since 1970-01-01.
    package let number: Int

    package static let first = Day(number: 9297)
    package static let last = Day(number: 45655)
    package static let all = first...last

    package static func range(of days: Set<Day>) -> ClosedRange<Day>? {
        days.min().map { $0...days.max()! }
    }

    private init(number: Int) { self.number = number }

    package init?(daysSince1970 number: Int) {
        guard Self.first.number...Self.last.number ~= number else { return nil }
        self.init(number: number)
    }

    package init?(year: Int, month: Int, day: Int) {
        guard let date = Self.date(year, month, day), Self.all ~= date else { return nil }
        self = date
    }

    /// A date of any year, also outside `all`.
    private static func date(_ year: Int, _ month: Int, _ day: Int) -> Day? {
        guard 0...9999 ~= year, 1...12 ~= month, 1...31 ~= day else { return nil }
        let date = Day(number: number(year: year, month: month, day: day))
        // The 30th of February comes back as a day of March.
        return date.month == month ? date : nil
    }

    /// The UTC date at a moment in seconds since 1970, clamped to `all`.
    package init(utc seconds: Int) {
        let number = seconds >= 0 ? seconds / 86_400 : 0
        self.init(number: min(max(number, Self.first.number), Self.last.number))
    }

    /// `2026-11-20`, and nothing else.
    package init?(_ text: some StringProtocol) {
        guard let date = Self.date(text), Self.all ~= date else { return nil }
        self = date
    }

    private static func date(_ text: some StringProtocol) -> Day? {
        let (text, dash) = (Substring(text).utf8, "-" as UInt8)
        guard text.count == 10, text.dropFirst(4).first == dash, text.dropFirst(7).first == dash,
            let year = digits(text.prefix(4)), let month = digits(text.dropFirst(5).prefix(2)),
            let day = digits(text.suffix(2))
        else { return nil }
        return date(year, month, day)
    }

    /// Whether a text begins with a date of any year, as names do.
    package static func isDate(_ text: some StringProtocol) -> Bool { date(text) != nil }

    /// The reason why a date is no day of APOD, or how to write it; nil for a day, and for what is no date.
    package static func reason(against text: some StringProtocol) -> String? {
        guard let date = date(text) else {
            return Day(withZeros(text)).map { "\(text) is to be written as \($0)" }
        }
        if all.contains(date) { return nil }
        return date < first ? "there is nothing of \(text): APOD began on \(first)" : "\(text) is still to come"
    }

    /// A date with the zeros that months and days may lack: `2026-09-05` for `2026-9-5`.
    package static func withZeros(_ text: some StringProtocol) -> String {
        let parts = Substring(text).split(separator: "-", omittingEmptySubsequences: false)
        return parts.map { $0.utf8.count == 1 ? "0\($0)" : String($0) }.joined(separator: "-")
    }

    static func digits(_ text: some Sequence<UInt8>) -> Int? {
        var value = 0
        for byte in text {
            guard "0"..."9" ~= byte else { return nil }
            value = value * 10 + Int(byte - "0")
        }
        return value
    }

    package var year: Int { civil.year }
    package var month: Int { civil.month }
    package var day: Int { civil.day }

    /// The days of this date, in every year that has it.
    package var inAllYears: [Day] {
        (Self.first.year...Self.last.year).compactMap { Day(year: $0, month: month, day: day) }
    }

    package static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    package var monthName: String { Self.months[month - 1] }

    /// `261120`, as the upstream writes days in its addresses.
    package var compact: String { Self.padded(year % 100) + Self.padded(month) + Self.padded(day) }

    /// Reads `compact` back; the years 95 to 99 are of the last century.
    package init?(compact text: some StringProtocol) {
        guard text.utf8.count == 6, let number = Self.digits(Substring(text).utf8) else { return nil }
        let year = number / 10_000
        self.init(year: year < 95 ? 2000 + year : 1900 + year, month: number / 100 % 100, day: number % 100)
    }

    /// Noon UTC: a file with this time shows its own day in every time zone from −12 to +11 hours.
    package var noon: Int { number * 86_400 + 43_200 }

    /// Noon UTC of a date of any year; nil for what is none.
    package static func noon(of text: String) -> Int? { date(text).map(\.noon) }

    package static func < (a: Day, b: Day) -> Bool { a.number < b.number }

    static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

extension Day: CustomStringConvertible {
    package var description: String {
        let (year, month, day) = civil
        // One of the most frequent texts.
        return String(unsafeUninitializedCapacity: 10) { bytes in
            var rest = (year * 100 + month) * 100 + day
            for place in (0..<10).reversed() {
                if place == 4 || place == 7 {
                    bytes.initializeElement(at: place, to: "-")
                } else {
                    bytes.initializeElement(at: place, to: "0" + UInt8(rest % 10))
                    rest /= 10
                }
            }
            return 10
        }
    }
}

extension Day {
    /// The first days by name, and how many more there are. `count`: the total, if not that of `days`.
    package static func names(
        _ days: some Collection<some CustomStringConvertible>, of count: Int? = nil, atMost most: Int
    ) -> String {
        let named = days.prefix(most).map(\.description)
        let more = (count ?? days.count) - named.count
        return named.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    }

    /// Like `2 days`.
    package static func count(_ days: Int) -> String { days == 1 ? "1 day" : "\(days) days" }

    /// The extent of `days` days in words: `from` the first to the last without gaps, else `between` them.
    package static func extent(of days: Int, _ first: Day, _ last: Day) -> String {
        if first == last { return "\(first)" }
        return days > first.distance(to: last) ? "from \(first) to \(last)" : "between \(first) and \(last)"
    }
}

extension Day: Strideable {
    package func distance(to other: Day) -> Int { other.number - number }
    package func advanced(by days: Int) -> Day {
        Day(number: min(max(number + days, Self.first.number), Self.last.number))
    }
}

/// The proleptic Gregorian calendar, counted in years that begin in March so that the leap day comes last.
extension Day {
    private static let daysTo1970 = 719_468

    private static func number(year: Int, month: Int, day: Int) -> Int {
        let year = month > 2 ? year : year - 1
        let monthFromMarch = (month + 9) % 12
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - daysTo1970
    }

    private var civil: (year: Int, month: Int, day: Int) {
        let days = number + Self.daysTo1970
        let era = days / 146_097
        let dayOfEra = days % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (
            yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        )
    }
}
