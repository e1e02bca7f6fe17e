import Apod

/// The HTML page of one day; the upstream has written these by hand since 1995.
struct DayPage: Sendable {
    private let markup: Markup

    init(_ html: String) { markup = Markup(html: html) }

    /// The day and title in `<title> APOD: 2015 June 3 - Saturn's Moon</title>`.
    var heading: (day: Day, title: String)? {
        guard let start = markup.pieces.firstIndex(where: { $0.opens("title") }) else { return nil }
        let texts = markup.pieces[start...].prefix { $0 != .close("title") }.compactMap(\.text)
        return Self.heading(Text.clean(PlainText.visible(texts.joined())))
    }

    /// The day and title in such a heading; nil for any other.
    static func heading(_ words: String) -> (day: Day, title: String)? {
        guard words.hasPrefix("APOD: "), let dash = words.firstRange(of: " - ") ?? words.firstRange(of: " – ") else {
            return nil
        }
        guard let day = Day(written: words[..<dash.lowerBound].dropFirst(6).description) else { return nil }
        return (day, PlainText.tidy(words[dash.upperBound...].description))
    }

    /// The picture's place on the page: the first `<center>` that holds a line with nothing but a day.
    var block: ArraySlice<MarkupPiece> {
        var open: [Int] = []
        var line = ""
        for (index, piece) in markup.pieces.enumerated() {
            if let text = piece.text {
                if !open.isEmpty { line += text }
            } else if piece.breaksLine || Self.media.contains(where: piece.opens) {
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
