internal import Apod
internal import Archive

extension JSON {
    static func days(_ days: Set<Day>) -> JSON { .array(days.sorted().map { .string("\($0)") }) }
}

extension JSONText {
    /// nil if this is not a list of days, and nothing else.
    var days: Set<Day>? {
        guard let elements else { return nil }
        let days = elements.compactMap { $0.string.flatMap { Day($0) } }
        return days.count == elements.count ? Set(days) : nil
    }

    var isNull: Bool { text == "null" }
}
