package import Apod

/// The RSS feed of the last days, for when the JSON service fails.
package enum NASAFeed {
    /// The real feed has about 30.
    private static let mostItems = 1000

    /// Returns each item's picture; nothing if this is no feed.
    ///
    /// An item is kept as the JSON string of its XML, which `Picture.init(record:)` reads again to the same picture.
    package static func pictures(in xml: [UInt8]) -> [Result<Picture, BadRecord>] {
        var items = Markup.sources(of: "item", in: xml)
        // The last item of a feed that was cut off can be half a record that looks like a whole one.
        if !isWhole(xml) { _ = items.popLast() }
        return items.prefix(mostItems).map { item in
            Result { () throws(BadRecord) in try Picture(admitting: JSONText(item)) }
        }
    }

    private static func isWhole(_ xml: [UInt8]) -> Bool {
        // Caches write comments behind the end tag.
        let end = String(decoding: xml.suffix(2000), as: UTF8.self)
        return end.contains("</rss>") || end.contains(":RDF>")
    }
}
