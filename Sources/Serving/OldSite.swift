import Apod
import HTTP

/// The old site, `apod.nasa.gov/apod`, in the shape that programs know.
struct OldSite {
    let root: PublishedTree.Root
    let media: MediaPages
    let links: Links

    private var days: DayIndex { root.days }

    func answer(_ request: Request) -> Response {
        let path = request.path
        guard path.count > 1 else { return request.isFolder ? newest : .redirect("/apod/") }
        switch path[1] {
        case "astropix.html", "index.html": return newest
        case "archivepix.html", "archivepixFull.html": return archive
        case "image": return media.old(request)
        default:
            guard path.count == 2, path[1].hasPrefix("ap"), path[1].hasSuffix(".html"),
                let day = Day(compact: path[1].dropFirst(2).dropLast(5)).flatMap({ days[$0] }),
                let page = page(of: day)
            else { return TreePages.missing }
            return page
        }
    }

    private var newest: Response { days.newest(page) ?? TreePages.missing }

    /// `2026 November 20`, as the old site writes days.
    private static func named(_ day: Day) -> String {
        "\(day.year) \(day.monthName) \(day.day < 10 ? "0" : "")\(day.day)"
    }

    private var archive: Response {
        let lines = days.newestFirst.compactMap { indexed in
            indexed.day.map { day in
                "\(Self.named(day)):  <a href=\"ap\(day.compact).html\">\(HTML.escaped(indexed.title))</a><br>\n"
            }
        }
        return .page(
            """
            <!doctype html>
            <html><head><meta charset="utf-8"><title>APOD Archive</title></head>
            <body><center><h1>Astronomy Picture of the Day Archive</h1></center>
            <b>
            \(lines.joined())</b>
            </body></html>

            """)
    }

    private func page(of day: IndexedDay) -> Response? {
        guard let members = root.texts(of: day), let date = day.day.map(Self.named) else { return nil }
        func text(_ name: String) -> String { HTML.escaped(members[name]?.string ?? "") }
        let title = text("title")
        let isCopyrighted = members["copyright"]?.string != nil
        let credit =
            isCopyrighted ? "Image Credit & <a href=\"lib/about_apod.html#srapply\">Copyright</a>: " : "Image Credit: "
        // Parsers of these pages take the first link after that for the holder.
        let holder = isCopyrighted ? "<a href=\"\(text("permalink"))\">\(text("copyright"))</a>" : text("credit")
        return .page(
            """
            <!doctype html>
            <html>
            <head>
            <meta charset="utf-8">
            <title> APOD: \(date) - \(title)
            </title>
            </head>
            <body>
            <center>
            <h1> Astronomy Picture of the Day </h1>
            <p>
            <a href="archivepix.html">Discover the cosmos!</a>
            Each day a different image or photograph of our fascinating universe is featured.
            <p>
            \(date)
            <br>
            \(shown(day, text("alt")))
            </center>
            <center>
            <b> \(title) </b> <br>
            <b> \(credit)</b>
            \(holder)
            </center> <p>
            <b> Explanation: </b>
            \(text("explanation"))
            <p> <center>
            <b> Tomorrow's picture: </b>
            <p> <hr>
            \(neighbours(of: day))
            <hr>
            <a href="\(text("permalink"))">APOD at NASA</a>
            </center>
            </body>
            </html>

            """, policy: Policy.framing)
    }

    private func shown(_ day: IndexedDay, _ alt: String) -> String {
        guard let main = day.files.main, let date = day.day else { return "" }
        let folder = "image/\(date.compact.prefix(4))"
        let address = HTML.escaped("\(folder)/\(MediaPages.oldName(of: main, day))")
        switch main.role {
        case .page: return "<iframe width=\"960\" height=\"540\" src=\"\(HTML.escaped("\(main.address)"))\"></iframe>"
        case .video: return "<video controls><source src=\"\(address)\" type=\"\(main.type.rawValue)\"></video>"
        case .picture, .poster, .also:
            let screen = HTML.escaped("\(folder)/\(MediaPages.oldScreenName(of: main, day))")
            return """
                <a href="\(address)">
                <IMG SRC="\(screen)" alt="\(alt)" style="max-width:100%"></a>
                """
        }
    }

    private func neighbours(of day: IndexedDay) -> String {
        func link(_ words: String, _ other: Day?) -> String {
            guard let other, days[other] != nil else { return words }
            return "<a href=\"ap\(other.compact).html\">\(words)</a>"
        }
        guard let day = day.day else { return "" }
        let before = day > .first ? day.advanced(by: -1) : nil
        return
            "\(link("&lt;", before))\n| <a href=\"archivepix.html\">Archive</a>\n| \(link("&gt;", day.advanced(by: 1)))"
    }

    /// `/apod.rss`: the last seven days.
    var feed: Response {
        let items = days.newestFirst.prefix(7).map { day in
            let address = "\(links.origin)/apod/ap\(day.day?.compact ?? "").html"
            let picture = links.screen(of: day).map { source in
                "<a href=\"\(address)\"><img src=\"\(HTML.escaped(source))\" alt=\"\" align=\"left\"></a>"
            }
            return """
                <item>
                <title>\(XML.escaped(day.title))</title>
                <link>\(XML.escaped(address))</link>
                <description>\(XML.escaped((picture ?? "") + " <p>\(HTML.escaped(day.title))</p>"))</description>
                </item>

                """
        }
        let xml = """
            <?xml version="1.0" encoding="UTF-8"?>
            <rss version="2.0">
            <channel>
            <title>APOD</title>
            <link>\(XML.escaped(links.origin))/apod/</link>
            <description>Astronomy Picture of the Day</description>
            <language>en-us</language>
            \(items.joined())</channel>
            </rss>

            """
        return .made(xml.bytes, "application/rss+xml; charset=utf-8")
    }
}
