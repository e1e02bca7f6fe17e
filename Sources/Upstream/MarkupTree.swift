import CXML

/// A document that libxml2 has parsed. libxml2's pointers never leave this file.
struct MarkupTree: ~Copyable {
    private let document: xmlDocPtr?

    // libxml2 must be set up once before threads use it (its "Thread safety" page).
    private static let ready: Void = xmlInitParser()

    init(html: [UInt8]) {
        _ = Self.ready
        let options = [
            HTML_PARSE_RECOVER, HTML_PARSE_NOERROR, HTML_PARSE_NOWARNING, HTML_PARSE_NONET, HTML_PARSE_COMPACT,
        ]
        document = Self.parsed(html, Int32(options.reduce(0) { $0 | $1.rawValue }), by: htmlReadMemory)
    }

    /// Without NOENT and the DTD options no entity is expanded and no file is opened, and without HUGE depth is limited.
    init(xml: [UInt8]) {
        _ = Self.ready
        let options = [XML_PARSE_RECOVER, XML_PARSE_NOERROR, XML_PARSE_NOWARNING, XML_PARSE_NONET, XML_PARSE_COMPACT]
        let flags = Int32(options.reduce(0) { $0 | $1.rawValue })
        document = Self.mayHaveTooManyAttributes(xml) ? nil : Self.parsed(xml, flags, by: xmlReadMemory)
    }

    deinit { xmlFreeDoc(document) }

    private typealias Parser = (
        UnsafePointer<CChar>?, Int32, UnsafePointer<CChar>?, UnsafePointer<CChar>?, Int32
    ) -> xmlDocPtr?

    private static func parsed(_ bytes: [UInt8], _ options: Int32, by parser: Parser) -> xmlDocPtr? {
        bytes.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) { text in
                parser(text.baseAddress, Int32(text.count), nil, "UTF-8", options)
            }
        }
    }

    /// Whether some element can have so many attributes that comparing each with all others takes minutes.
    private static func mayHaveTooManyAttributes(_ xml: [UInt8]) -> Bool {
        var equals = 0
        for byte in xml {
            if byte == UInt8(ascii: "<") { equals = 0 }
            if byte == UInt8(ascii: "=") { equals += 1 }
            if equals > 1000 { return true }
        }
        return false
    }

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

    borrowing func sources(of name: String) -> [String] {
        var sources: [String] = []
        walk { node, entering in
            guard node.pointee.type == XML_ELEMENT_NODE, Self.string(node.pointee.name) == name else { return true }
            if entering { sources.append(Self.source(of: node)) }
            return false
        }
        return sources
    }

    /// Calls `visit` when a node begins and when it ends; an element is entered only if the first call says so.
    private borrowing func walk(_ visit: (xmlNodePtr, _ entering: Bool) -> Bool) {
        guard let root = xmlDocGetRootElement(document) else { return }
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

    /// Copied into a document of its own, a node declares the namespaces of its outer elements.
    private static func source(of node: xmlNodePtr) -> String {
        guard let own = xmlNewDoc("1.0") else { return "" }
        defer { xmlFreeDoc(own) }
        guard let copy = xmlDocCopyNode(node, own, 1), let buffer = xmlBufferCreate() else { return "" }
        defer { xmlBufferFree(buffer) }
        xmlDocSetRootElement(own, copy)
        xmlNodeDump(buffer, own, copy, 0, 0)
        return string(xmlBufferContent(buffer))
    }

    /// Only of links and media: a page has hundreds of other attributes.
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

    private static let telling: Set = ["a", "img", "video", "source", "iframe", "embed", "object"]

    private static func string(_ text: UnsafePointer<xmlChar>?) -> String { text.map { String(cString: $0) } ?? "" }
}
