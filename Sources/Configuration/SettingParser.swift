import Apod

/// Reads values of one kind.
struct SettingParser: Sendable {
    /// The values that it takes, in words.
    let takes: String
    /// False if the text is not a value of this kind.
    let set: @Sendable (inout Settings, String) -> Bool
}

extension SettingParser {
    typealias Destination<Value> = any WritableKeyPath<Settings, Value> & Sendable

    /// `store`: returns nil for what is no value.
    static func storing(_ takes: String, _ store: @escaping @Sendable (inout Settings, String) -> Void?) -> Self {
        Self(takes: takes) { settings, text in store(&settings, text) != nil }
    }

    private static func parsing<Value>(
        _ takes: String, into place: Destination<Value>, _ parse: @escaping @Sendable (String) -> Value?
    ) -> Self {
        Self(takes: takes) { settings, text in
            guard let value = parse(text) else { return false }
            settings[keyPath: place] = value
            return true
        }
    }

    static func path(_ store: @escaping @Sendable (inout Settings, String) -> Void) -> Self {
        Self(takes: "the whole path of a folder, like /srv/apod, and not / itself") { settings, text in
            let path = tidied(text)
            guard text.utf8.first == "/", !isWholeDisk(path) else { return false }
            store(&settings, path)
            return true
        }
    }

    /// The path without empty parts and `.`, split by bytes: a slash and a letter can be one `Character`.
    static func tidied(_ path: String) -> String {
        let parts = path.utf8.split(separator: "/").map { String($0)! }
        return "/" + parts.filter { $0 != "." }.joined(separator: "/")
    }

    /// True if the tidied path is `/`, which cannot be the mirror's own.
    private static func isWholeDisk(_ path: String) -> Bool {
        var depth = 0
        for part in path.utf8.split(separator: "/") {
            depth = part.elementsEqual("..".utf8) ? max(0, depth - 1) : depth + 1
        }
        return depth == 0
    }

    static func day(_ place: Destination<Day?>) -> Self {
        parsing("a day like 2026-09-05, from 1995-06-16 on", into: place) { text in Day(text).map(Optional.some) }
    }

    static func address(_ place: Destination<WebAddress>) -> Self {
        parsing("an address like https://science.nasa.gov", into: place) { WebAddress($0) }
    }

    static func addresses(_ place: Destination<[WebAddress]>, orNone none: String) -> Self {
        parsing("addresses like http://nas.lan:8095, or \(none)", into: place) { text in
            if text == none { return [] }
            let words = Self.words(text)
            let addresses = words.compactMap { WebAddress($0) }
            return addresses.isEmpty || addresses.count < words.count ? nil : addresses
        }
    }

    private static func words(_ text: String) -> [String] {
        text.utf8.split { ", ".utf8.contains($0) }.map { String($0)! }
    }

    static func number(_ place: Destination<Int>, _ range: ClosedRange<Int>) -> Self {
        parsing("a whole number from \(range.lowerBound) to \(range.upperBound)", into: place) { text in
            Int(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    static func rate(_ place: Destination<Double>, _ range: ClosedRange<Double>) -> Self {
        let ends = "from \(range.lowerBound) to \(Int(range.upperBound))"
        return parsing("a number \(ends), or 0 for no limit", into: place) { text in
            Double(text).flatMap { $0 == 0 || range.contains($0) ? $0 : nil }
        }
    }

    static func size(_ place: Destination<Int>) -> Self {
        parsing("a size like 512M, \(sizes)", into: place, size)
    }

    static func size(_ place: Destination<Int?>, orNone none: String) -> Self {
        parsing("a size like 50G, \(sizes), or \(none)", into: place) { text in
            text == none ? .some(nil) : size(text).map(Optional.some)
        }
    }

    private static let sizes = "7.1 GB or 50GiB (K, M, G or T)"

    /// A small number is a slip without its unit, and would delete nearly everything.
    private static func size(_ text: String) -> Int? {
        let least = text.utf8.last.map { "0"..."9" ~= $0 } ?? true ? 1_000_000 : 1000
        return Size.bytes(text).flatMap { $0 >= least ? $0 : nil }
    }

    static func span(_ place: Destination<Span?>, orNone none: String) -> Self {
        parsing("a time like 90d, 12m or 5y (days, months, years), or \(none)", into: place) { text in
            text == none ? .some(nil) : Span(text).map(Optional.some)
        }
    }

    static func frame(_ place: Destination<FrameSize?>, orNone none: String) -> Self {
        parsing("a size like favorites 1920x1080 or favorites 1920x1080 titles, or \(none)", into: place) { text in
            text == none ? .some(nil) : FrameSize(text).map(Optional.some)
        }
    }

    static func choice<Choice: RawRepresentable<String> & CaseIterable & Sendable>(_ place: Destination<Choice>) -> Self
    {
        parsing(Choice.allCases.map(\.rawValue).joined(separator: " or "), into: place) { Choice(rawValue: $0) }
    }

    static func names(_ place: Destination<[String]>, orNone none: String) -> Self {
        parsing("names like nas.lan, www.nas.lan, or \(none)", into: place) { text in
            let names = words(text.lowercased())
            if names == [none] { return [] }
            return names.isEmpty || names.contains { !isHostName($0) } ? nil : names
        }
    }

    static func port(_ place: Destination<String?>, orNone none: String) -> Self {
        parsing("an address with a port, like 0.0.0.0:8095 or [::]:8095, or \(none)", into: place) { text in
            if text == none { return .some(nil) }
            guard let colon = text.lastIndex(of: ":"), colon > text.startIndex,
                text.utf8.allSatisfy({ 0x21...0x7e ~= $0 }), UInt16(text[colon...].dropFirst()) ?? 0 > 0
            else { return nil }
            return text
        }
    }

    private static func isHostName(_ name: String) -> Bool {
        name.utf8.last != "."
            && name.utf8.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789-._".utf8.contains($0) }
    }

    static func text(_ place: Destination<String?>, orNone none: String) -> Self {
        parsing("the address of a page or of a mailbox, or \(none)", into: place) { text in
            let text = Text.clean(text)
            if text.isEmpty { return nil }
            return text == none ? .some(nil) : .some(text)
        }
    }
}
