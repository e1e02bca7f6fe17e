import Apod
import Fetching
import TestSupport

@testable import Upstream

/// In a hurry.
func client(of nasa: FakeNASA) -> APODBasic {
    var settings = FetchSettings(userAgent: "apod-mirror-test (+https://example.org/)")
    settings.distance = .zero
    settings.stallSeconds = 20
    settings.pause = .milliseconds(5)
    settings.attempts = 2
    let upstream = address(nasa.origin)
    return APODBasic(upstream, fetcher: Fetcher(settings, upstream: upstream))
}

func source(_ addresses: [String], _ width: Int? = nil, _ height: Int? = nil) -> Source? {
    Source(addresses.map(address), width: width, height: height)
}

func image(_ addresses: [String], _ width: Int? = nil, _ height: Int? = nil) -> Media {
    source(addresses, width, height).map(Media.image) ?? .none
}

extension JSONText {
    /// A record of the JSON service, with a date unless one is given.
    init(fields: [String: JSON]) throws {
        let all = fields.merging(["date": .string("2015-06-03")]) { given, _ in given }
        try self.init(JSON.object(all.sorted { $0.key < $1.key }.map { ($0, $1) }).compact)
    }
}

extension Picture {
    init(fields: [String: JSON]) throws { try self.init(record: JSONText(fields: fields)) }

    /// Title, explanation, credit, copyright, alternative text and article.
    var words: [String?] { [title, explanation, credit, copyright, alt, permalink?.description] }
}

/// A page with this in the place where the picture stands.
func page(_ block: String, day: String = "2015 June 3", head: String = "", rest: String = "") -> String {
    """
    <!doctype html>
    <html>
    <head>
    <title> APOD: \(day) - A Fine Night&#039;s Sky</title>
    \(head)
    </head>
    <body BGCOLOR="#F4F4FF">
    <center>
    <h1> Astronomy Picture of the Day </h1>
    <p>
    <a href="https://science.nasa.gov/apod/archive/">Look around!</a> Each day something else.
    <p>

    \(day)<br>

    \(block)
    </center>

    <center><b> A Fine Night&#039;s Sky </b> <br></center>
    <p> <b> Explanation: </b> \(rest)
    </body>
    </html>
    """
}
