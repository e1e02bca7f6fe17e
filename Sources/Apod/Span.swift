/// A length of time by the calendar, as people write it: `90d`, `12m`, `5y`.
package struct Span: Hashable, Sendable {
    package enum Unit: String, Sendable, CaseIterable {
        case days = "d"
        case months = "m"
        case years = "y"
    }

    package let count: Int
    package let unit: Unit

    /// More than APOD has days.
    private static let most = 99_999

    package init?(_ text: String) {
        guard let unit = text.last.flatMap({ Unit(rawValue: String($0)) }), let count = Int(text.dropLast()),
            1...Self.most ~= count
        else { return nil }
        self.count = count
        self.unit = unit
    }
}

extension Span: CustomStringConvertible {
    package var description: String { "\(count)\(unit.rawValue)" }
}

extension Day {
    /// The day one span earlier, or the last day of a month that is too short for it.
    package func before(_ span: Span) -> Day {
        switch span.unit {
        case .days: advanced(by: -span.count)
        case .months: earlier(byMonths: span.count)
        case .years: earlier(byMonths: 12 * span.count)
        }
    }

    private func earlier(byMonths count: Int) -> Day {
        let months = year * 12 + month - 1 - count
        guard months >= Day.first.year * 12 + Day.first.month - 1 else { return .first }
        let (year, month) = (months / 12, months % 12 + 1)
        for day in stride(from: day, to: 27, by: -1) {
            if let day = Day(year: year, month: month, day: day) { return day }
        }
        return Day(year: year, month: month, day: day) ?? .first
    }
}
