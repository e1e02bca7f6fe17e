import Apod

/// The same day as an entry of the site's own list, `image-article`.
extension Record {
    var article: JSON {
        .object([
            ("id", .integer(2_000_000 + entry.day.number)),
            ("date", .string("\(entry.filed ?? entry.day)T00:05:00")),
            ("type", .string("image-article")),
            ("categories", .array([.integer(7), .integer(FakeNASA.category)])),
            ("title", .object([("rendered", .string("APOD: \(entry.day.heading) &#8211; \(title)"))])),
            ("link", .string(permalink)),
            ("featured_image", .object([("caption", .string(""))])),
            (
                "migration_source_url",
                .string(entry.day.isNative ? "" : "https://apod.nasa.gov/apod/ap\(entry.day.compact).html")
            ),
            ("content", .object([("rendered", .string(content))])),
        ])
    }

    private var content: String {
        """
        <nav><a href="/apod/archive/">All days</a> \(before.map { "<a href=\"\(Self.permalink($0, origin))\">&lt;</a>" } ?? "")</nav>
        <div class="alignfull wp-block-nasa-blocks-media-detail-hero"><div class="grid-row" id="nasa-plus-\(entry.seed)">
        <figure>\(block)</figure>
        <p class="media-detail-hero__description">\(explanation)</p>
        <table class="media-detail-hero__meta-table"><tbody>
        <tr><th>Date</th><td>\(entry.day.heading)</td></tr>
        <tr><th> Credit </th><td>\(entry.credit)</td></tr>
        <tr><th>Authors &amp; editors</th><td><a href="https://people.example/">An Editor</a></td></tr>
        </tbody></table></div></div>
        <section><h2>Related</h2><a href="/image-article/another/"><img src="/content/dam/another.jpg"></a></section>
        """
    }
}

extension FakeNASA {
    /// Another thing of the site, which is no APOD.
    package static let otherArticle =
        #"{"id":1,"date":"2026-11-20T09:00:00","type":"image-article","categories":[9],"title":{"rendered":"A Rover"}}"#
}
