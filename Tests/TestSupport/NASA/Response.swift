/// An answer, and everything that can be wrong with it.
package struct Response: Sendable {
    package enum Framing: Sendable {
        case length
        /// A Content-Length other than the real one; the connection closes after the body.
        case declaring(Int)
        case chunked
        /// No length at all: the body ends where the connection does.
        case untilClose
    }

    /// How the body ends, counted in its bytes as far as they are sent at all.
    package enum Ending: Sendable {
        case whole
        /// As when the power fails: the client sees a reset.
        case reset(after: Int)
        /// As when a proxy gives up: the connection ends in good order, too early.
        case close(after: Int)
        /// Nothing more comes, until the server stops or the client leaves.
        case stall(after: Int)
    }

    package var status: Int
    package var headers: [(name: String, value: String)]
    package var body: Body
    package var framing: Framing
    package var ending: Ending
    /// Before the first byte.
    package var delay: Duration
    /// Between any two bytes of the body.
    package var trickle: Duration?
    /// Not even a status line, until the server stops or the client leaves.
    package var hangs = false
    /// Range requests are answered; without, they are ignored.
    package var ranges: Bool

    package init(
        status: Int = 200, headers: [(name: String, value: String)] = [], _ body: Body = Body(),
        framing: Framing = .length, ending: Ending = .whole, delay: Duration = .zero, trickle: Duration? = nil,
        ranges: Bool = true
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.framing = framing
        self.ending = ending
        self.delay = delay
        self.trickle = trickle
        self.ranges = ranges
    }

    package subscript(header name: String) -> String? {
        get { headers.first { $0.name.lowercased() == name.lowercased() }?.value }
        set {
            headers.removeAll { $0.name.lowercased() == name.lowercased() }
            if let newValue { headers.append((name, newValue)) }
        }
    }
}

extension Response {
    package static func text(_ text: String, type: String = "text/plain; charset=UTF-8", status: Int = 200) -> Self {
        Self(status: status, headers: [("Content-Type", type)], Body(text), ranges: false)
    }

    /// What gateways say when something is wrong behind them.
    package static func html(_ status: Int, retryAfter: String? = nil) -> Self {
        let page = "<html><head><title>\(status)</title></head><body><h1>\(status)</h1></body></html>"
        var response = text(page, type: "text/html", status: status)
        response[header: "Retry-After"] = retryAfter
        return response
    }

    package static func json(_ text: String, status: Int = 200) -> Self {
        Self.text(text, type: "application/json; charset=UTF-8", status: status)
    }

    package static func media(_ body: Body, type: String, tag: String? = nil) -> Self {
        var response = Self(headers: [("Content-Type", type)], body)
        response[header: "ETag"] = tag.map { "\"\($0)\"" }
        return response
    }

    package static func redirect(to address: String, status: Int = 302) -> Self {
        Self(status: status, headers: [("Location", address)])
    }

    package static var hanging: Self {
        var response = Self()
        response.hangs = true
        return response
    }
}
