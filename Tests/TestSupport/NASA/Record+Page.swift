import Apod

/// The page inside a record, `basic_html`.
extension Record {
    var page: String {
        """
        <!doctype html>
        <html>
        <head>
        \(head)
        </head>
        <body BGCOLOR="#F4F4FF" text="#000000" link="#0000FF" vlink="#7F0F9F"
        alink="#FF0000">

        \(blocks)

        <p>

        <b> Explanation: </b>

        \(explanation)
        <p> <center>

        \(navigation)
        </center>
        </body>
        </html>
        """
    }

    private var head: String {
        let image = Self.escaped(address: hdurl)
        let text = Self.escaped(Self.withoutTags(explanation))
        return """
            <meta charset="UTF-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title> APOD: \(entry.day.heading) - \(title)</title>
            <link rel="canonical" href="\(permalink)">
            <meta name="orgcode" content="000">
            <meta name="content-owner" content="Nobody In Particular">
            <meta name="description" content="\(text)">
            <!-- -->
            <meta name="keywords" content="\(title.lowercased())">
            <meta property="og:type" content="article">
            <meta property="og:title" content="\(title)">
            <meta property="og:url" content="\(permalink)">
            <meta property="og:site_name" content="Fake Science">
            <meta property="og:image" content="\(image)">
            <meta property="og:image:secure_url" content="\(image)">
            <meta property="og:image:alt" content="\(Self.escaped(alt))">
            <meta property="article:published_time" content="\(entry.day)T00:05:00-04:00">
            <meta property="article:modified_time" content="\(entry.day)T11:30:00-04:00">
            <meta name="twitter:card" content="summary_large_image">
            <meta name="twitter:title" content="\(title)">
            <meta name="twitter:image" content="\(image)">
            """
    }

    /// The first block holds the date and the picture, the second the title and the credit.
    private var blocks: String {
        """
        <center>
        <h1> Astronomy Picture of the Day </h1>
        <p>

        <a href="\(origin)/apod/archive/">Look up!</a>
        Every day one more picture of what is above all our roofs,
        with a few words by somebody who knows it well.
        <p>

        \(entry.day.heading)<br>

        \(block)
        </center>

        <center>
        <b> \(title) </b> <br>

        <b>Image Credit &
        <a href="\(origin)/apod/about-apod/">Copyright</a>:</b>

        \(entry.credit)
        </center>
        """
    }

    private var navigation: String {
        """
        \(tomorrow)
        <p> <hr>
        \(link(before, "&lt;"))
        | <a href="\(origin)/apod/archive/">Archive</a>
        | <a href="\(origin)/apod/archive/">Index</a>
        | <a href="\(origin)/apod/calendar/">Calendar</a>
        | <a href="/feed/apod-basic/">RSS</a>
        | <a href="\(origin)/apod/about-apod/">About APOD</a>
        | \(link(after, "&gt;"))

        <hr><p>
        <b> Authors & editors: </b>
        <a href="https://people.example/editor" target="_blank">An Editor</a> &amp; Another One<br>
        <b>Official: </b> Somebody <a href="\(origin)/apod/about-apod/">Some rights apply</a>.<br>
        <a href="https://people.example/privacy.html">Privacy
        and Notices</a><br>
        <b>A service of:</b>
        <a href="https://sky.example/">Example Observatory</a>
        <br><b>&</b> <a href="https://school.example/">Example School</a><br>
        """
    }

    private var tomorrow: String {
        guard let after else { return "" }
        let name = "APOD: \(after.day.heading) &#8211; \(Self.escaped(after.title))"
        return "<b> Tomorrow's picture: </b><a href=\"\(Self.permalink(after, origin))\">\(name)</a>\n"
    }

    private func link(_ entry: Entry?, _ text: String) -> String {
        entry.map { "<a href=\"\(Self.permalink($0, origin))\">\(text)</a>" } ?? text
    }

    private static func withoutTags(_ html: String) -> String {
        let parts = html.utf8.split(separator: "<", omittingEmptySubsequences: false)
        let texts = parts.dropFirst().map { part in
            Substring(part.drop { $0 != ">" }.dropFirst())
        }
        return String(Substring(parts[0])) + texts.joined()
    }
}
