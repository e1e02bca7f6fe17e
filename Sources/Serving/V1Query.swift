import Apod
import HTTP

/// What a request to NASA's old service asks for.
struct V1Query: Equatable {
    enum Days: Equatable {
        case newest
        case day(Day)
        case range(ClosedRange<Day>)
        case random(Int)
    }

    let days: Days
    let showsStills: Bool
    let asksForConcepts: Bool

    struct BadQuery: Error, Equatable { let words: String }

    private static let names = ["concept_tags", "date", "hd", "count", "start_date", "end_date", "thumbs"]
    private static let allowed =
        "Allowed request fields for apod method are " + names.map { "'\($0)'" }.joined(separator: ", ")
    private static let most = 100

    /// `today`: the last day that can be asked for.
    init(_ query: Pairs, today: Day) throws(BadQuery) {
        let fields = Dictionary(query.filter { $0.name != "api_key" }.map { ($0.name, $0.value) }) { first, _ in first }
        guard fields.keys.allSatisfy(Self.names.contains) else {
            throw BadQuery(words: "Bad Request: incorrect field passed. \(Self.allowed)")
        }
        func isTrue(_ name: String) -> Bool { !["", "false", "0"].contains(fields[name]?.lowercased() ?? "") }
        (showsStills, asksForConcepts) = (isTrue("thumbs"), isTrue("concept_tags"))
        // What is empty counts as not given, as forms send it.
        let given = fields.filter { !$0.value.isEmpty }
        switch (given["date"], given["count"], given["start_date"], given["end_date"]) {
        case (nil, nil, nil, nil): days = .newest
        case (let date?, nil, nil, nil): days = .day(try Self.day(date, today))
        case (nil, let count?, nil, nil):
            guard let count = Int(count), 1...Self.most ~= count else {
                throw BadQuery(words: "Count must be positive and cannot exceed \(Self.most)")
            }
            days = .random(count)
        case (nil, nil, let start?, let end):
            let (first, last) = (
                try Self.day(start, today), try end.map { text throws(BadQuery) in try Self.day(text, today) } ?? today
            )
            guard first <= last else { throw BadQuery(words: "start_date cannot be after end_date") }
            days = .range(first...last)
        default: throw BadQuery(words: "Bad Request: invalid field combination passed. \(Self.allowed)")
        }
    }

    /// Months and days may lack their zeros, as in Python's `strptime`.
    private static func day(_ text: String, _ today: Day) throws(BadQuery) -> Day {
        let date = Day.withZeros(text)
        if let day = Day(date), day <= today { return day }
        guard Day(date) != nil || Day.reason(against: date) != nil else {
            throw BadQuery(words: "time data '\(text)' does not match format '%Y-%m-%d'")
        }
        throw BadQuery(words: "Date must be between \(named(Day.first)) and \(named(today)).")
    }

    private static func named(_ day: Day) -> String {
        "\(day.monthName.prefix(3)) \(day.day < 10 ? "0" : "")\(day.day), \(day.year)"
    }
}
