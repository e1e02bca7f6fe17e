import Apod

/// The small page that opens a video's address in a browser.
struct PlayerPage {
    let title: String
    let address: WebAddress

    var document: [UInt8] {
        let title = HTML.escaped(title)
        let address = HTML.escaped(address.description)
        return Array(
            """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="referrer" content="no-referrer">
            <meta http-equiv="refresh" content="0; url=\(address)">
            <title>\(title)</title>
            <p><a href="\(address)">\(title)</a></p>
            </html>

            """.utf8)
    }
}
