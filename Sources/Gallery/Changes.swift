import Apod
import Store

/// What was corrected last, and what came to other lists: `gallery/data/changes.js` for the page, and `changes.xml` for
/// feed readers.
struct Changes {
    static let (script, feed) = ("changes.js", Tree.changes)

    /// Newest first.
    private let entries: [(moment: Int, values: JSON, xml: String)]

    init(_ changes: [Change], _ arrivals: [Catalog.Arrivals]) {
        let entries = changes.map { ($0.moment, $0.values, $0.xml) } + arrivals.map(Self.entry)
        self.entries = entries.sorted { $0.0 > $1.0 }
    }

    var values: JSON { .array(entries.map(\.values)) }

    var bytes: [UInt8] {
        Feed.document(
            "Changes of the Astronomy Picture of the Day", Self.feed, updated: entries.first?.moment,
            entries.map(\.xml.utf8))
    }

    private static func entry(_ list: ListName, _ moment: Int, _ came: Int, _ gone: Int) -> (Int, JSON, String) {
        let day = Time.day(moment)
        let values = JSON.sparse([
            ("list", .string("\(list)")), ("day", .day(day)), ("came", .integer(came)),
            ("gone", .integer(gone)),
        ])
        return (moment, values, xml("list/\(list)", "\(day)", moment, "\(list): \(Picture.count(came)) came"))
    }

    /// `version`: what distinguishes its id from others of the view.
    fileprivate static func xml(
        _ view: String, _ version: String, _ moment: Int, _ title: String, _ html: String = ""
    ) -> String {
        """
        <entry><id>\(Feed.id)#\(view)/\(version)</id>
        <title>\(HTML.escaped(title))</title>
        <updated>\(Time.text(moment))</updated>
        <link rel="alternate" type="text/html" href="index.html#\(view)"/>
        <content type="html">\(HTML.escaped(html))</content></entry>

        """
    }
}

extension Change {
    /// What the page calls its item.
    private var id: String { Volume.id(of: name.key) }

    fileprivate var values: JSON {
        .sparse([
            ("date", .string(id)), ("title", .string(title)), ("day", .day(Time.day(moment))),
            (
                "texts",
                .array(
                    told.map { .array([.string($0)] + $1.parts.map { .array([.integer($0.rawValue), .string($1)]) }) })
            ),
            ("pictures", pictures.isEmpty ? nil : .strings(pictures.map(Percent.path))),
        ])
    }

    fileprivate var xml: String { Changes.xml(id, "\(moment)", moment, title, html) }

    /// The words, and in the place of pictures that are not here, or no pictures, their sizes.
    private var told: [(field: String, changes: WordChanges)] {
        if !pictures.isEmpty { return texts }
        return texts
            + files.map { former, present in
                let (old, new) = (Size.text(former.bytes), present.map { Size.text($0.bytes) })
                return (former.role.word, WordChanges(from: old, to: new ?? ""))
            }
    }

    private var html: String {
        let images = pictures.map { "<p><img src=\"\(HTML.escaped(Percent.path($0)))\" alt=\"\"></p>" }
        let texts = told.map { field, changes in
            let words = changes.parts.map { part in
                let words = HTML.escaped(part.words)
                return switch part.kind {
                case .kept: words
                case .gone: "<del>\(words)</del>"
                case .new: "<ins>\(words)</ins>"
                }
            }
            return "<p>\(field): \(words.joined(separator: " "))</p>"
        }
        return (images + texts).joined()
    }
}
