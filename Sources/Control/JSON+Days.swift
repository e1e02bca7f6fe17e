internal import Apod
internal import Archive

extension JSON {
    static func days(_ days: some Sequence<Day>) -> JSON { .array(days.sorted().map { .string("\($0)") }) }
}

extension JSONText {
    var day: Day? { string.flatMap { Day($0) } }

    /// nil unless it is a list of days alone.
    var days: Set<Day>? {
        guard let elements else { return nil }
        let days = elements.compactMap(\.day)
        return days.count == elements.count ? Set(days) : nil
    }

    var isNull: Bool { text == "null" }
}
