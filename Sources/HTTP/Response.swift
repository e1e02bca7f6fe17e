import Apod
package import Files

/// What is answered to a request.
package struct Response: Sendable {
    package enum Body: Sendable {
        case bytes([UInt8])
        case file(File, bytes: Int)
        /// What comes first, and then what is sent.
        case events(EventHub, first: [UInt8])
        case pieces(Pieces)
        /// Takes long to make: its connection waits meanwhile.
        case later(@Sendable () -> Response)
    }

    /// How long caches may keep the answer without asking.
    package enum Caching: String, Sendable {
        case never = "no-store"
        /// Asked for again each time, by its tag.
        case asking = "no-cache"
        case minutes = "public, max-age=300"
        /// The address names its content.
        case forever = "public, max-age=31536000, immutable"
    }

    package var status: Int
    package var type: String
    package var body: Body
    package var caching: Caching
    /// Without quotes.
    package var entityTag: String?
    /// Seconds since 1970.
    package var modified: Int?
    package var headers: Pairs
    /// For an answer that is sent many times.
    package var kept: KeptMessage?

    package init(
        status: Int = 200, type: String, body: Body, caching: Caching = .minutes, entityTag: String? = nil,
        modified: Int? = nil, headers: Pairs = []
    ) {
        self.status = status
        self.type = type
        self.body = body
        self.caching = caching
        self.entityTag = entityTag
        self.modified = modified
        self.headers = headers
    }

    package static let text = "text/plain; charset=utf-8"

    package static func refusal(
        _ status: Int, _ words: String, _ headers: Pairs = []
    ) -> Response {
        Response(
            status: status, type: text, body: .bytes("\(words)\n".bytes), caching: .never, headers: headers)
    }

    /// The same answer, kept for another time.
    package func cached(_ caching: Caching) -> Response {
        var answer = self
        answer.caching = caching
        return answer
    }

    package static func redirect(_ location: String) -> Response {
        refusal(302, "See \(location)", [("Location", location)]).cached(.minutes)
    }

    /// nil where that shows only when all is sent.
    var count: Int? {
        switch body {
        case .bytes(let bytes): bytes.count
        case .file(_, let bytes): bytes
        case .events, .pieces, .later: nil
        }
    }
}
