import Apod
import Files
import Store

/// `feed.xml`: the newest days, for feed readers (RFC 4287). Its links are relative to where it is read from.
struct Feed {
    static let name = Tree.feed
    static let length = 30
    static let id = "https://apod.nasa.gov/"

    struct Entry {
        let day: Day
        let stored: Item.Stored
        /// The picture has a copy of 1280 pixels.
        let hasLarge: Bool
    }

    /// Newest first.
    let entries: [Entry]

    /// The newest day with something to look at.
    var newest: Entry? { entries.first { $0.stored.files.contains { $0.type.kind != .page } } }

    /// A part for each entry: only days whose JSON is another are read. Days that cannot be read now are left out.
    func bytes(in folder: Folder, _ read: TextReader) throws -> [UInt8] {
        var parts = try Parts(of: Self.name, in: folder, mark: "<!--") { Self.divide($0) }
        for entry in entries {
            try parts.add(from: Parts.source(entry.stored, entry.hasLarge ? "+" : "")) {
                try read(entry.stored).map { entry.xml($0).bytes }
            }
        }
        // A feed without entries is as old as APOD.
        return Self.document(
            "Astronomy Picture of the Day", Self.name, updated: entries.map(\.updated).max(), parts.made,
            comment: "<!--\(parts.comment) -->\n")
    }

    /// Each part begins an entry.
    private static func divide(_ rest: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        let (start, end) = ("<entry>".bytes, "</feed>".bytes)
        var (parts, rest): ([ArraySlice<UInt8>], ArraySlice<UInt8>) = ([], rest)
        // Texts are escaped, so that no `<` stands in them.
        while let next = rest.indices.dropFirst(parts.isEmpty ? 0 : 1).first(where: { index in
            rest[index] == "<" && (rest[index...].starts(with: start) || rest[index...].starts(with: end))
        }) {
            parts.append(rest[..<next])
            rest = rest[next...]
        }
        return Array(parts.dropFirst())
    }

    static func document(
        _ title: String, _ name: String, updated: Int?, _ entries: [some Sequence<UInt8>], comment: String = ""
    ) -> [UInt8] {
        let head = """
            <?xml version="1.0" encoding="utf-8"?>
            \(GeneratedFile.feed)\(comment)<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
            <id>\(id)\(name == Self.name ? "" : name)</id>
            <title>\(title)</title>
            <updated>\(Time.text(updated ?? Day.first.noon))</updated>
            <author><name>Astronomy Picture of the Day</name></author>
            <link rel="self" type="application/atom+xml" href="\(name)"/>
            <link rel="alternate" type="text/html" href="index.html"/>

            """
        return head.bytes + entries.joined() + "</feed>\n".bytes
    }
}

extension Feed.Entry {
    /// A clock that was wrong must not make it earlier than the day.
    fileprivate var updated: Int { max(stored.mirror.fetched, day.number * 86_400) }

    /// The id depends on the day alone, so that no correction changes it.
    fileprivate func xml(_ text: DayText) -> String {
        """
        <entry><id>\(Feed.id)#\(day)</id>
        <title>\(HTML.escaped(stored.title))</title>
        <updated>\(Time.text(updated))</updated>
        <published>\(Time.text(day.number * 86_400))</published>
        <link rel="alternate" type="text/html" href="\(page)"/>
        <link rel="via" type="text/html" href="\(HTML.escaped(text.document.permalink ?? ""))"/>
        \(enclosures)<content type="html">\(HTML.escaped(content(text)))</content></entry>

        """
    }

    private var page: String { "index.html#\(day)" }

    private var enclosures: String {
        stored.files.filter { $0.role != .page && !$0.role.isFurther && !$0.isFormer }.map { file in
            let link = HTML.escaped(path(to: file))
            return """
                <link rel="enclosure" type="\(file.type.rawValue)" length="\(file.bytes)" href="\(link)"/>

                """
        }.joined()
    }

    private func content(_ text: DayText) -> String {
        let alt = HTML.escaped(text.document.text("alt") ?? stored.title)
        let source = hasLarge ? GallerySize.large.path(of: .day(day)) : stored.image.map(path)
        let picture = source.map { "<p><a href=\"\(page)\"><img src=\"\(HTML.escaped($0))\" alt=\"\(alt)\"></a></p>" }
        let credit = text.credit.map { "<p>Credit: \($0.html)</p>" }
        return (picture ?? "") + "<p>\(text.explanation.html)</p>" + (credit ?? "")
    }

    private func path(to file: StoredFile) -> String { Percent.path(stored.name.path(file)) }
}
