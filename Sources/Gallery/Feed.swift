internal import Apod
internal import Archive
internal import Catalog
internal import Files

/// `feed.xml`: the newest days, for feed readers (RFC 4287). Its links are relative to where it is read from.
struct Feed {
    static let name = Tree.feed
    static let version = "1.\(TextScript.version)"
    static let length = 30
    fileprivate static let id = "https://apod.nasa.gov/"

    struct Entry {
        let stored: StoredDay
        /// The picture has a copy of 1280 pixels.
        let hasLarge: Bool
    }

    /// Newest first.
    let entries: [Entry]
    let file: KeyedFile

    init(entries: [Entry]) {
        self.entries = entries
        let declaration = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
        file = KeyedFile(
            name: Self.name, version: Self.version,
            comment: ("\(declaration)\(GeneratedFile.feed)<!-- ", " -->\n"), ends: (Self.opening(entries), "</feed>"),
            keys: entries.map(\.key))
    }

    /// The newest day with something to look at.
    var newest: Entry? { entries.first { $0.stored.files.contains { $0.type.kind != .page } } }

    /// That day, if its picture has a copy of 1280 pixels.
    var first: Day? { newest.flatMap { $0.hasLarge ? $0.stored.name.day : nil } }

    /// `old`: the present file. `read`: returns a day's texts; nil if its JSON cannot be read.
    func bytes(after old: [UInt8]?, _ read: (StoredDay) throws -> DayText?) throws
        -> [UInt8]
    {
        try file.bytes(after: old) { index in
            let entry = entries[index]
            guard let text = try read(entry.stored) else { return .init(bytes: [], isWhole: false) }
            return .init(bytes: entry.key + Self.line(entry.xml(text)) + [Self.newline])
        }
    }

    private static let newline = UInt8(ascii: "\n")

    private static func line(_ xml: String) -> [UInt8] { xml.utf8.map { $0 == newline ? UInt8(ascii: " ") : $0 } }

    private static func opening(_ entries: [Entry]) -> String {
        // A feed without entries is as old as APOD.
        let updated = entries.map(\.updated).max() ?? Day.first.noon
        return """
            <feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
            <id>\(id)</id>
            <title>Astronomy Picture of the Day</title>
            <updated>\(Time.text(updated))</updated>
            <author><name>Astronomy Picture of the Day</name></author>
            <generator>apod-mirror</generator>
            <link rel="self" type="application/atom+xml" href="feed.xml"/>
            <link rel="alternate" type="text/html" href="index.html"/>
            """
    }
}

extension Feed.Entry {
    private var day: Day { stored.name.day }
    private var page: String { "index.html#\(day)" }

    /// A clock that was wrong must not make it earlier than the day.
    fileprivate var updated: Int { max(stored.fetched, day.number * 86_400) }

    /// Names all that the entry is made from.
    fileprivate var key: [UInt8] {
        let digest = Digest(of: Array("\(stored.title) \(updated) \(hasLarge) \(stored.json) \(enclosures)".utf8))
        return Array("<!-- \(day) \("\(digest)".prefix(16)) -->".utf8)
    }

    /// The id depends on the day alone, so that no correction changes it.
    fileprivate func xml(_ text: DayText) -> String {
        """
        <entry><id>\(Feed.id)#\(day)</id>
        <title>\(HTML.escaped(stored.title))</title>
        <updated>\(Time.text(updated))</updated>
        <published>\(Time.text(day.number * 86_400))</published>
        <link rel="alternate" type="text/html" href="\(page)"/>
        <link rel="via" type="text/html" href="\(HTML.escaped(text.permalink ?? ""))"/>
        \(enclosures)<content type="html">\(HTML.escaped(content(text)))</content></entry>
        """
    }

    private var enclosures: String {
        stored.files.filter { $0.role != .page && !$0.role.isFurther && !$0.isFormer }.map { file in
            let link = HTML.escaped(path(to: file))
            return """
                <link rel="enclosure" type="\(file.type.rawValue)" length="\(file.bytes)" href="\(link)"/>

                """
        }.joined()
    }

    private func content(_ text: DayText) -> String {
        let alt = HTML.escaped(text.alt ?? stored.title)
        let source = hasLarge ? GallerySize.large.path(of: day) : stored.image.map(path)
        let picture = source.map { "<p><a href=\"\(page)\"><img src=\"\(HTML.escaped($0))\" alt=\"\(alt)\"></a></p>" }
        let credit = text.credit.map { "<p>Credit: \($0.html)</p>" }
        return (picture ?? "") + "<p>\(text.explanation.html)</p>" + (credit ?? "")
    }

    private func path(to file: StoredFile) -> String { Percent.path(stored.name.path(file)) }
}
