/// Which bytes of a body a request wants (RFC 9110, 14.2).
enum ByteRange: Equatable {
    case whole
    case part(Range<Int>)
    case unsatisfiable

    init(_ request: Request, for response: Response) {
        self = .whole
        guard response.ranges, response.status == 200, let text = request.headers["range"] else { return }
        if let condition = request.headers["if-range"] {
            guard [response[header: "ETag"], response[header: "Last-Modified"]].contains(condition) else { return }
        }
        self.init(text, of: response.body.count)
    }

    /// Several ranges at once, and what cannot be read, are answered with everything.
    private init(_ text: String, of size: Int) {
        self = .whole
        guard text.hasPrefix("bytes=") else { return }
        let ends = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { return }
        switch (Int(ends[0]), Int(ends[1])) {
        case (let first?, let last?) where first <= last: self = Self.from(first, to: min(last + 1, size))
        case (let first?, nil) where ends[1].isEmpty: self = Self.from(first, to: size)
        default: return
        }
    }

    private static func from(_ start: Int, to end: Int) -> ByteRange {
        start < end ? .part(start..<end) : .unsatisfiable
    }
}
