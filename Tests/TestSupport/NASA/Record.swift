import Apod

/// One day as APOD Basic tells it, in the shape of the captured answers; the words are our own.
struct Record {
    let entry: Entry
    /// Where the service is, and where the pictures are.
    let origin: String
    let pictures: String
    let before: Entry?
    let after: Entry?
    /// What stands in a record several times is made only once: a benchmark waits for this code too.
    let permalink: String
    let explanation: String
    let title: String

    init(entry: Entry, origin: String, pictures: String, before: Entry?, after: Entry?) {
        self.entry = entry
        self.origin = origin
        self.pictures = pictures
        self.before = before
        self.after = after
        permalink = Self.permalink(entry, origin)
        explanation = Self.explanation(entry, after: after)
        title = Self.escaped(entry.title)
    }

    var json: JSON {
        .object([
            ("date", .string("\(entry.day)")),
            ("post_id", .integer(1_000_000 + entry.day.number)),
            ("title", .string(entry.day.number % 3 == 0 ? title : entry.title)),
            ("permalink", .string(permalink)),
            ("media_type", .string(mediaType)),
            ("explanation", .string(explanation)),
            ("credit", .string(entry.credit)),
            ("copyright", .string(entry.credit)),
            ("alt", .string(alt)),
            ("url", .string(permalink)),
            ("hdurl", .string(hdurl)),
            ("basic_html", .string(page)),
            ("basic_html_url", .string("\(origin)\(FakeNASA.base)/\(entry.day.compact)/html")),
        ])
    }

    static func permalink(_ entry: Entry, _ origin: String) -> String {
        let words = entry.title.lowercased().utf8.split { !(48...57 ~= $0 || 97...122 ~= $0) }
        let slug = words.map(\.text).joined(separator: "-")
        let day = entry.day
        return "\(origin)/image-article/apod-\(day.year)-\(day.monthName.lowercased())-\(day.day)-\(slug)/"
    }

    var alt: String {
        guard entry.alt.isEmpty else { return entry.alt }
        return entry.day.isNative
            ? "Something that looks like \(Invented.file(entry.day).prefix { $0 != "_" }) against a dark sky."
            : "See Explanation. Clicking on the picture will show it as large as it is."
    }

    /// The label comes in three ways, the tail only on new days.
    private static func explanation(_ entry: Entry, after: Entry?) -> String {
        let text = entry.explanation ?? Invented.explanation(entry.day)
        let label =
            switch entry.day.number % 7 {
            case 0: ""
            case 1, 2: "<strong>Explanation:\u{a0}</strong>"
            default: "<strong>Explanation:</strong> "
            }
        guard entry.day.isNative else { return label + text }
        let tail = """
            <br><br><strong>APOD's main NASA site is <a href="https://sky.example/moving">moving</a>:</strong> to a \
            new house<br><strong>Tomorrow's picture:\u{a0}</strong>\(after?.title ?? "open space")
            """
        return label + text + tail
    }

    private var mediaType: String {
        switch entry.media {
        case .picture: "image"
        case .video: "video"
        case .youTube: "iframe"
        case .text, .placeholder: "other"
        }
    }

    /// As in HTML that WordPress writes.
    static func escaped(_ text: String) -> String {
        var result: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case "&": result += "&amp;".utf8
            case "'": result += "&#039;".utf8
            case "\"": result += "&quot;".utf8
            case "<": result += "&lt;".utf8
            case ">": result += "&gt;".utf8
            default: result.append(byte)
            }
        }
        return result.text
    }

    /// As it writes addresses.
    static func escaped(address: String) -> String {
        address.utf8.split(separator: "&").map { String(Substring($0)) }.joined(separator: "&#038;")
    }
}

/// Where the picture is.
extension Record {
    static let placeholder = "/wp-content/themes/science/news-thumbnail.png"

    private func original(_ path: String) -> String { address(Entry.originals + path) }
    private func rendition(_ path: String) -> String { address(Entry.renditions + path) }
    private func address(_ path: String) -> String { pictures + path.replacing(" ", with: "%20") }

    var hdurl: String {
        let size = "?w=\(entry.width)&h=\(entry.height)&fit=clip&crop=faces%2Cfocalpoint"
        switch entry.media {
        case .placeholder: return origin + Self.placeholder
        case .picture(let format) where format == .gif || !entry.day.isNative: return original(entry.paths[0]) + size
        case .picture: return rendition(entry.paths[0]) + size
        case .video: return rendition(entry.paths[1]) + size
        case .youTube: return rendition(entry.paths[0]) + size
        case .text: return ""
        }
    }

    /// What stands below the date line.
    var block: String {
        switch entry.media {
        case .placeholder, .text: return ""
        case .picture: return ([picture] + beside).joined(separator: "\n<p>\n")
        case .video:
            let source = "<source src=\"\(original(entry.paths[0]))\" type=\"video/mp4\">"
            return (["<video controls title=\"\">\n\(source)\n</video>"] + beside).joined(separator: "\n<p>\n")
        case .youTube(let id):
            let player = "//www.youtube.com/embed/\(id)?rel=0&amp;showinfo=0"
            return "<iframe width=\"960\" height=\"540\" src=\"\(player)\" frameborder=\"0\" allowfullscreen></iframe>"
        }
    }

    private var picture: String {
        let address = original(entry.paths[0])
        let scripts = zip(entry.further, entry.furtherPaths).filter(\.0.isRollover).map { _, path in
            """
             onMouseOver="document.imagename1.src='\(original(path))'" \
            onMouseOut="document.imagename1.src='\(address)'"
            """
        }
        return linked(address, alt, scripts.joined())
    }

    private var beside: [String] {
        zip(entry.further, entry.furtherPaths).filter { !$0.0.isRollover }.map { further, path in
            linked(original(path), further.alt)
        }
    }

    private func linked(_ address: String, _ alt: String, _ scripts: String = "") -> String {
        "<a href=\"\(address)\"\(scripts)>\n<IMG SRC=\"\(address)\" name=imagename1 alt=\"\(Self.escaped(alt))\"></a>"
    }
}
