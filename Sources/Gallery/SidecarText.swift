import Apod
import Store

/// A sidecar's content: XMP (ISO 16684-1), in the words of IPTC, Exif and digiKam that photo programs read.
struct SidecarText {
    /// Raised with every change of what stands in a sidecar.
    static let version = 1

    let document: Document
    let isFavorite: Bool

    private var date: String? { document.text("date") }
    private var rights: String? {
        ["licence", "copyright", "credit"].firstValue(document.text)
    }
    /// Programs sort by it; the upstream tells no time of day.
    private var moment: String? { date.map { "\($0)T12:00:00" } }
    /// The list, and the year in it.
    private var tags: [String] {
        let list = document.text("list") ?? "APOD"
        return [list] + (date.map { ["\(list)/\($0.prefix(4))"] } ?? [])
    }

    var bytes: [UInt8] {
        let properties = [
            Self.list("dc:title", "Alt", [document.title]), Self.list("dc:description", "Alt", [document.explanation]),
            Self.list("dc:creator", "Seq", [document.credit]), Self.list("dc:rights", "Alt", [rights]),
            Self.list("dc:subject", "Bag", tags), Self.list("digiKam:TagsList", "Seq", tags),
            Self.element("photoshop:Credit", document.credit), Self.element("photoshop:Source", document.permalink),
            Self.element("xmpRights:WebStatement", document.permalink),
            Self.element("photoshop:DateCreated", moment), Self.element("exif:DateTimeOriginal", moment),
            Self.element("xmp:Rating", isFavorite ? "5" : nil),
        ]
        return Array((Self.head + properties.joined() + Self.end).utf8)
    }

    /// The toolkit is the signature: another program that changes the file enters its own.
    private static let head = """
        <?xml version="1.0" encoding="UTF-8"?>
        <x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="\(GeneratedFile.signature)">
        <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <rdf:Description rdf:about=""
            xmlns:dc="http://purl.org/dc/elements/1.1/"
            xmlns:digiKam="http://www.digikam.org/ns/1.0/"
            xmlns:exif="http://ns.adobe.com/exif/1.0/"
            xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"
            xmlns:xmp="http://ns.adobe.com/xap/1.0/"
            xmlns:xmpRights="http://ns.adobe.com/xap/1.0/rights/">

        """
    private static let end = "</rdf:Description>\n</rdf:RDF>\n</x:xmpmeta>\n"

    /// Nothing for a value that is missing or empty.
    private static func element(_ name: String, _ value: String?) -> String {
        guard let value, !value.isEmpty else { return "" }
        return "<\(name)>\(XML.escaped(value))</\(name)>\n"
    }

    /// Nothing without a value. The values of an `Alt` are in no language in particular.
    private static func list(_ name: String, _ kind: String, _ values: [String?]) -> String {
        let language = kind == "Alt" ? " xml:lang=\"x-default\"" : ""
        let items = values.compactMap(\.self).filter { !$0.isEmpty }
            .map { "<rdf:li\(language)>\(XML.escaped($0))</rdf:li>" }
        return items.isEmpty ? "" : "<\(name)><rdf:\(kind)>\(items.joined())</rdf:\(kind)></\(name)>\n"
    }
}
