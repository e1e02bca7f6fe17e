import Apod

/// The HTML page of one day; the upstream has written these by hand since 1995.
struct DayPage: Sendable {
    private let html: String

    init(_ html: String) { self.html = html }

    /// The day and title in `<title> APOD: 2015 June 3 - Saturn's Moon</title>`.
    var heading: (day: Day, title: String)? {
        let markup = Markup(html: html)
        guard let start = markup.pieces.firstIndex(where: { $0.opens("title") }) else { return nil }
        let texts = markup.pieces[start...].prefix { $0 != .close("title") }.compactMap(\.text)
        let words = Text.clean(PlainText.visible(texts.joined()))
        guard words.hasPrefix("APOD: "), let dash = words.firstRange(of: " - ") ?? words.firstRange(of: " – ") else {
            return nil
        }
        guard let day = Day(written: words[..<dash.lowerBound].dropFirst(6).description) else { return nil }
        return (day, PlainText.tidy(words[dash.upperBound...].description))
    }

    /// The picture's place on the page: the first `<center>` of the body that holds a line with nothing but a day.
    var block: ArraySlice<MarkupPiece> {
        // The beginning is enough if text follows the block in it; otherwise the block may be cut off.
        let start = Markup(html: beginning)
        let block = Self.block(in: start)
        if start.pieces[block.endIndex...].contains(where: { $0.text != nil }), !block.isEmpty { return block }
        return Self.block(in: Markup(html: html))
    }

    /// The first 4096 bytes from `<body>` on.
    private var beginning: String {
        var html = html
        return html.withUTF8 { html in
            let body = html.indices.dropLast(4).first { index in
                html[index] == UInt8(ascii: "<")
                    && html[index + 1..<index + 5].map { $0 | 0x20 }.elementsEqual("body".utf8)
            }
            return body.map { String(decoding: html[$0...].prefix(4096), as: UTF8.self) } ?? ""
        }
    }

    private static func block(in markup: Markup) -> ArraySlice<MarkupPiece> {
        var open: [Int] = []
        var line = ""
        for (index, piece) in markup.pieces.enumerated() {
            if let text = piece.text {
                if !open.isEmpty { line += text }
            } else if piece.breaksLine || media.contains(where: piece.opens) {
                if let first = open.first, Day(written: Text.clean(line)) != nil { return markup.element(from: first) }
                line = ""
                if piece.opens("center") { open.append(index) }
                if piece == .close("center") { _ = open.popLast() }
            }
        }
        return []
    }

    private static let media = ["img", "video", "iframe", "embed", "object"]
}
