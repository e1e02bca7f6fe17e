/// The days of which a text in HTML speaks: those whose pages its links lead to, in any of the forms that NASA has used.
package enum LinkedDays {
    /// The links of a text lead on from here, where it does not say otherwise.
    private static let site = WebAddress("https://apod.nasa.gov/apod/")!

    /// Reads the bytes of the attributes alone: a parser would take seconds for all texts of the archive.
    package static func days(in html: String, of own: Day) -> Set<Day> {
        let bytes = html.bytes
        var rest = withoutNotice(bytes[...])
        var days: Set<Day> = []
        while let mark = place(of: "href", in: rest) {
            rest = rest[(mark + 4)...].drop(while: isSpace)
            guard rest.first == "=" else { continue }
            rest = rest.dropFirst().drop(while: isSpace)
            let address = value(rest)
            // Most links lead elsewhere.
            guard place(of: "ap", in: address) != nil,
                let day = WebAddress(address.text, relativeTo: site).flatMap(
                    Day.init(article:))
            else { continue }
            days.insert(day)
        }
        days.remove(own)
        return days
    }

    /// The text before NASA's notice of the next picture, which leads to it.
    private static func withoutNotice(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = bytes
        while let word = place(of: "tomorrow", in: rest) {
            rest = rest[(word + 1)...]
            if place(of: "picture", in: rest.prefix(30)) != nil { return bytes[..<word] }
        }
        return bytes
    }

    private static func value(_ rest: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let quote = rest.first, ["\"", "'"].contains(quote) else {
            return rest.prefix { !isSpace($0) && $0 != ">" }
        }
        return rest.dropFirst().prefix { $0 != quote }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte <= 0x20 }

    /// Where a word of small letters begins, whatever letters it is written in.
    private static func place(of word: StaticString, in bytes: ArraySlice<UInt8>) -> Int? {
        word.withUTF8Buffer { word in
            bytes.indices.first { start in
                bytes[start] | 0x20 == word[0] && bytes.endIndex - start >= word.count
                    && word.indices.allSatisfy { bytes[start + $0] | 0x20 == word[$0] }
            }
        }
    }
}
