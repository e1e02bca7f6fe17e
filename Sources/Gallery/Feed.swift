internal import Apod
internal import Archive
internal import Catalog
internal import Files

/// `feed.xml`: the newest days, for feed readers (RFC 4287). Its links are relative to where it is read from.
///
/// Each entry names the JSON it was made from, so that only changed days are read.
struct Feed {
    static let name = "feed.xml"
    static let length = 30

    struct Entry {
        let stored: StoredDay
        /// The picture has a copy of 1280 pixels.
        let hasLarge: Bool
    }

    /// Newest first.
    let entries: [Entry]

    /// `old`: the present file. `read`: returns a day's texts; nil if its JSON cannot be read.
    func bytes(after old: [UInt8]?, _ read: (StoredDay) throws(StorageError) -> DayText?) throws(StorageError)
        -> [UInt8]
    {
        let known = Self.known(in: old ?? [])
        var ids = Set(entries.compactMap { known[Array($0.key.utf8)].flatMap(Self.id(in:)) })
        var parts: [[UInt8]] = []
        // Of several days with one permalink, the oldest has it as its id.
        for entry in entries.reversed() {
            if let same = known[Array(entry.key.utf8)] {
                parts.append(Array(same))
            } else if let text = try read(entry.stored) {
                let isAlone = ids.insert(Array(entry.id(text, isAlone: true).utf8)).inserted
                parts.append(Array(entry.xml(text, isAlone: isAlone).utf8))
            }
        }
        return document(parts.reversed().flatMap(\.self))
    }

    private static func id(in entry: ArraySlice<UInt8>) -> [UInt8]? {
        entry.split(separator: UInt8(ascii: "\n")).first { $0.starts(with: "<id>".utf8) }.map(Array.init)
    }

    /// The entries of a file, by their first lines.
    private static func known(in old: [UInt8]) -> [[UInt8]: ArraySlice<UInt8>] {
        var known: [[UInt8]: ArraySlice<UInt8>] = [:]
        var key: Range<Int>?
        var start = 0
        while let end = old[start...].firstIndex(of: UInt8(ascii: "\n")) {
            let line = old[start..<end]
            if line.starts(with: Entry.opening) { key = start..<end }
            if let first = key, line.elementsEqual(Entry.closing) {
                known[Array(old[first])] = old[first.lowerBound...end]
                key = nil
            }
            start = end + 1
        }
        return known
    }

    private func document(_ xml: [UInt8]) -> [UInt8] {
        // A feed without entries is as old as APOD.
        let updated = entries.map(\.updated).max() ?? Day.first.noon
        let head = """
            <?xml version="1.0" encoding="utf-8"?>
            \(GeneratedFile.feed)<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
            <id>https://apod.nasa.gov/</id>
            <title>Astronomy Picture of the Day</title>
            <updated>\(Time.text(updated))</updated>
            <author><name>Astronomy Picture of the Day</name></author>
            <generator>apod-mirror</generator>
            <link rel="self" type="application/atom+xml" href="feed.xml"/>
            <link rel="alternate" type="text/html" href="index.html"/>

            """
        return Array(head.utf8) + xml + Array("</feed>\n".utf8)
    }
}

extension Feed.Entry {
    private var day: Day { stored.name.day }
    private var page: String { "index.html#\(day)" }

    /// A clock that was wrong must not make it earlier than the day.
    fileprivate var updated: Int { max(stored.fetched, day.number * 86_400) }

    private static let beginning = "<!-- 2 "
    fileprivate static let opening = Array(beginning.utf8)
    fileprivate static let closing = Array("</entry>".utf8)

    /// The first line: a comment with what the entry was made from.
    fileprivate var key: String { "\(Self.beginning)\(stored.json) \(hasLarge ? "large " : "")-->" }

    fileprivate func id(_ text: DayText, isAlone: Bool) -> String {
        "<id>\(HTML.escaped(text.permalink))\(isAlone ? "" : "#\(day)")</id>"
    }

    /// `isAlone`: no other entry has the permalink as its id.
    fileprivate func xml(_ text: DayText, isAlone: Bool) -> String {
        """
        \(key)
        <entry>
        \(id(text, isAlone: isAlone))
        <title>\(HTML.escaped(stored.title))</title>
        <updated>\(Time.text(updated))</updated>
        <published>\(Time.text(day.number * 86_400))</published>
        <link rel="alternate" type="text/html" href="\(page)"/>
        <link rel="via" type="text/html" href="\(HTML.escaped(text.permalink))"/>
        \(enclosures)<content type="html">\(HTML.escaped(content(text)))</content>
        </entry>

        """
    }

    private var enclosures: String {
        stored.files.filter { $0.role != .page }.map { file in
            let link = HTML.escaped(Self.path(to: file, of: stored))
            return """
                <link rel="enclosure" type="\(file.type.rawValue)" length="\(file.bytes)" href="\(link)"/>

                """
        }.joined()
    }

    private func content(_ text: DayText) -> String {
        let alt = HTML.escaped(text.alt ?? stored.title)
        let source = hasLarge ? GallerySize.large.path(of: day) : stored.image.map { Self.path(to: $0, of: stored) }
        let picture = source.map { "<p><a href=\"\(page)\"><img src=\"\(HTML.escaped($0))\" alt=\"\(alt)\"></a></p>" }
        let credit = text.credit.map { "<p>Credit: \($0.html)</p>" }
        return (picture ?? "") + "<p>\(text.explanation.html)</p>" + (credit ?? "")
    }

    private static let plain = ASCIISet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/")

    private static func path(to file: StoredFile, of stored: StoredDay) -> String {
        let path = "\(stored.name.folder)/\(stored.name.with(file.type.suffix))"
        return Percent.encoded(path) { !plain.contains($0) }
    }
}
