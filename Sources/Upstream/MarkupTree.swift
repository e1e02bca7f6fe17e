import CXML

/// A document that libxml2 has parsed. libxml2's pointers never leave this file.
struct MarkupTree: ~Copyable {
    private let document: xmlDocPtr?

    private static let xml = open_libxml2()

    init(html: [UInt8]) {
        let options = [
            HTML_PARSE_RECOVER, HTML_PARSE_NOERROR, HTML_PARSE_NOWARNING, HTML_PARSE_NONET, HTML_PARSE_COMPACT,
        ]
        document = html.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) { text in
                let flags = Int32(options.reduce(0) { $0 | $1.rawValue })
                return Self.xml.htmlReadMemory(text.baseAddress, Int32(text.count), nil, "UTF-8", flags)
            }
        }
    }

    deinit { Self.xml.xmlFreeDoc(document) }

    borrowing func pieces(without hidden: Set<String>) -> [MarkupPiece] {
        var pieces: [MarkupPiece] = []
        walk { node, entering in
            switch node.pointee.type {
            case XML_ELEMENT_NODE:
                let name = Self.string(node.pointee.name)
                guard !hidden.contains(name) else { return false }
                pieces.append(entering ? .open(name, Self.attributes(of: node, name)) : .close(name))
            case XML_TEXT_NODE, XML_CDATA_SECTION_NODE:
                if entering { pieces.append(.text(Self.string(node.pointee.content))) }
            default: break
            }
            return true
        }
        return pieces
    }

    /// Calls `visit` when a node begins and when it ends; an element is entered only if the first call says so.
    private borrowing func walk(_ visit: (xmlNodePtr, _ entering: Bool) -> Bool) {
        guard let root = Self.xml.xmlDocGetRootElement(document) else { return }
        var node = root
        while true {
            if visit(node, true), node.pointee.type == XML_ELEMENT_NODE, let child = node.pointee.children {
                node = child
                continue
            }
            _ = visit(node, false)
            while node != root, node.pointee.next == nil, let parent = node.pointee.parent {
                node = parent
                _ = visit(node, false)
            }
            guard node != root, let next = node.pointee.next else { return }
            node = next
        }
    }

    /// Only of links, media, and parts of an article: a page has hundreds of other attributes.
    private static func attributes(of node: xmlNodePtr, _ name: String) -> [String: String] {
        guard telling.contains(name) else { return [:] }
        var result: [String: String] = [:]
        var attribute = node.pointee.properties
        while let current = attribute {
            let name = string(current.pointee.name)
            if result[name] == nil { result[name] = string(current.pointee.children?.pointee.content) }
            attribute = current.pointee.next
        }
        return result
    }

    private static let telling: Set = ["a", "area", "div", "embed", "iframe", "img", "object", "p", "source", "video"]

    private static func string(_ text: UnsafePointer<xmlChar>?) -> String { text.map { String(cString: $0) } ?? "" }
}
