import Apod
import Store

/// What was corrected last: `gallery/data/changes.js` for the page, and `changes.xml` for feed readers.
struct Changes {
    static let (script, feed) = ("changes.js", "changes.xml")

    /// Newest first.
    let changes: [Change]

    var values: JSON {
        .array(
            changes.map { change in
                .sparse([
                    ("date", .string(change.id)), ("title", .string(change.title)),
                    ("day", .day(Day(utc: change.moment))),
                    ("texts", .array(change.texts.map { .array([.string($0)] + $1.parts.map(Self.json)) })),
                    ("pictures", change.pictures.isEmpty ? nil : .strings(change.pictures.map(Percent.path))),
                ])
            })
    }

    /// Words that stayed are a text, those that went a list of one, those that came one of two.
    private static func json(_ part: (kind: WordChanges.Kind, words: String)) -> JSON {
        switch part.kind {
        case .kept: .string(part.words)
        case .gone: .strings([part.words])
        case .new: .strings(["", part.words])
        }
    }

    var bytes: [UInt8] {
        Feed.document(
            "Corrections of the Astronomy Picture of the Day", Self.feed, updated: changes.first?.moment,
            changes.map(\.xml))
    }
}

extension Change {
    /// What the page calls its item.
    fileprivate var id: String { Volume.id(of: name.day, in: name.list) }

    fileprivate var xml: String {
        """
        <entry><id>\(Feed.id)#\(id)/\(moment)</id>
        <title>\(HTML.escaped(title))</title>
        <updated>\(Time.text(moment))</updated>
        <link rel="alternate" type="text/html" href="index.html#\(id)"/>
        <content type="html">\(HTML.escaped(html))</content></entry>

        """
    }

    private var html: String {
        let images = pictures.map { "<p><img src=\"\(HTML.escaped(Percent.path($0)))\" alt=\"\"></p>" }
        let texts = texts.map { field, changes in
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
