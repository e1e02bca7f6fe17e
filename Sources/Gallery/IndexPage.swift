internal import Apod
internal import Archive

/// `index.html`: the frame of the gallery. Scripts fill it.
struct IndexPage {
    static let name = "index.html"
    /// Nothing from anywhere else, and nothing that stands in the page itself is run.
    private static let policy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; base-uri 'none'; \
        form-action 'none'
        """

    let bar: ArchiveBar

    var bytes: [UInt8] {
        let newest = bar.years.last.map { year, _ in
            "<script src=\"gallery/data/\(year).js\(Look.version)\" defer></script>\n"
        }
        return Array(
            """
            <!doctype html>
            \(GeneratedFile.page)<html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(Self.policy)">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="dark light">
            <meta name="referrer" content="no-referrer">
            <title>Astronomy Picture of the Day</title>
            <link rel="icon" href="gallery/icon.svg">
            <link rel="alternate" type="application/atom+xml" title="The newest days" href="feed.xml">
            <link rel="stylesheet" href="gallery/gallery.css\(Look.version)">
            <script src="gallery/gallery.js\(Look.version)" defer></script>
            \(newest ?? "")<script src="gallery/data/favorites.js\(Look.version)" defer></script>
            </head>
            <body>
            <a class="skip" href="#main">Skip to the pictures</a>
            <header>
            <h1><a href="#">Astronomy Picture of the Day</a></h1>
            <form role="search"><label for="search">Search</label> \
            <input id="search" type="search" autocomplete="off" spellcheck="false"></form>
            <p><a id="to-favorites" href="#favorites">Favorites</a></p>
            </header>
            <nav id="archive" aria-label="Years">
            \(bar.years.map(Self.link).joined())</nav>
            <p id="state" role="status"></p>
            <main id="main" tabindex="-1"><noscript><p>The gallery needs JavaScript. The pictures themselves are in the \
            folders of their years.</p></noscript></main>
            </body>
            </html>

            """.utf8)
    }

    private static func link(_ year: Int, _ letters: String) -> String {
        "<a href=\"#\(year)\" data-days=\"\(HTML.escaped(letters))\">\(year)</a>\n"
    }
}
