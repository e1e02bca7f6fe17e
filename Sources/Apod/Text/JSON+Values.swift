/// Days, moments and digests as JSON writes them.
extension JSON {
    package static func day(_ day: Day) -> JSON { .string("\(day)") }

    package static func days(_ days: some Sequence<Day>) -> JSON { .array(days.sorted().map(JSON.day)) }

    /// `seconds`: since 1970.
    package static func moment(_ seconds: Int) -> JSON { .string(Time.text(seconds)) }

    package static func strings(_ strings: [String]) -> JSON { .array(strings.map(JSON.string)) }

    /// An object without the members that are nil.
    package static func sparse(_ members: [(String, JSON?)]) -> JSON {
        .object(members.compactMap { name, value in value.map { (name, $0) } })
    }
}

extension JSONText {
    package var day: Day? { string.flatMap { Day($0) } }

    /// nil unless it is a list of days alone.
    package var days: Set<Day>? {
        guard let elements else { return nil }
        let days = elements.compactMap(\.day)
        return days.count == elements.count ? Set(days) : nil
    }

    /// Seconds since 1970.
    package var moment: Int? { string.flatMap(Time.seconds) }

    /// A text, or a number as it is written. WordPress's own fields are objects with their text in `rendered`.
    package var words: String? {
        switch bytes[bytes.startIndex] {
        case "{": self["rendered"]?.string
        case "-", "0"..."9": text
        default: string
        }
    }

    package var digest: Digest? { string.flatMap(Digest.init(hexadecimal:)) }
}

extension Day: JSONTextCodable {}
extension ListName: JSONTextCodable {}
extension AlbumName: JSONTextCodable {}
extension WebAddress: JSONTextCodable {}
