import Apod
import HTTP

/// The type of a file by its name (RFC 9110, 8.3).
enum FileType {
    private static let media = Dictionary(uniqueKeysWithValues: MediaType.allCases.map { ($0.suffix, $0.rawValue) })
    private static let others = [
        "jpeg": "image/jpeg", "tiff": "image/tiff", "m4v": "video/mp4", "svg": "image/svg+xml",
        "html": html, "htm": html, "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8",
        "json": json, "xml": "application/xml; charset=utf-8", "xmp": "application/rdf+xml", "txt": Response.text,
        "pdf": "application/pdf",
    ]

    static let html = "text/html; charset=utf-8"
    static let json = "application/json; charset=utf-8"
    static let feed = "application/atom+xml; charset=utf-8"

    static func of(_ name: String) -> String {
        if ["feed.xml", "changes.xml"].contains(name) { return feed }
        guard let suffix = FileName.parts(of: name)?.suffix.lowercased() else { return "application/octet-stream" }
        return others[suffix] ?? media[suffix] ?? "application/octet-stream"
    }
}

/// The Content-Security-Policy of what is served: nothing from elsewhere, as in the gallery.
enum Policy {
    static let own = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; \
        connect-src 'self'; base-uri 'none'; form-action 'none'
        """
    /// Videos of other sites play in a frame.
    static let framing = "\(own); frame-src https:"
}

extension Response {
    static func page(_ html: String, policy: String = Policy.own) -> Response {
        made(html.bytes, FileType.html, [("Content-Security-Policy", policy)])
    }

    static func json(_ json: JSON, status: Int = 200, _ headers: Pairs = []) -> Response {
        var response = made(json.compact + "\n".utf8, FileType.json, headers)
        response.status = status
        return response
    }
}
