import Apod

/// The same day as an item of the feed.
extension Record {
    var item: String {
        """
        \t<item>
        \t\t<title>\(title)</title>
        \t\t<link>\(permalink)</link>
        \t\t<guid isPermaLink="true">\(permalink)</guid>
        \t\t<pubDate>\(entry.day.mailDate)</pubDate>
        \t\t<apod:url>\(permalink)</apod:url>
        \t\t<apod:hdurl>\(Self.escaped(address: hdurl))</apod:hdurl>
        \t\t<apod:credit><![CDATA[\(entry.credit)]]></apod:credit>
        \t\t<apod:copyright><![CDATA[\(entry.credit)]]></apod:copyright>
        \t\t<apod:alt>\(Self.escaped(alt))</apod:alt>
        \t\t<apod:primary_image_alt>\(Self.escaped(alt))</apod:primary_image_alt>\(second)
        \t\t<apod:explanation><![CDATA[\(explanation)]]></apod:explanation>
        \t\t<description><![CDATA[\(explanation)]]></description>
        \t\t<content:encoded><![CDATA[\(page)]]></content:encoded>
        \t</item>
        """
    }

    private var second: String {
        entry.hasSecond ? "\n\t\t<apod:secondary_image_alt>The same in another light.</apod:secondary_image_alt>" : ""
    }

    static func feed(_ records: [Record], origin: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8" ?>
        <rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" \
        xmlns:atom="http://www.w3.org/2005/Atom" xmlns:apod="https://science.nasa.gov/apod/">
        <channel>
        \t<title>APOD Basic</title>
        \t<description>A feed like that of APOD Basic.</description>
        \t<link>\(origin)/</link>
        \t<atom:link href="\(origin)/feed/apod-basic/" rel="self" type="application/rss+xml" />
        \t<language>en-us</language>
        \(records.map(\.item).joined(separator: "\n"))
        </channel>
        </rss>
        """
    }
}
