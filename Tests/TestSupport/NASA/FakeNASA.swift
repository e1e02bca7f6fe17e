package import Apod
import Synchronization

/// An upstream that speaks APOD Basic, with days that can come, change and go while it runs.
package final class FakeNASA: Sendable {
    package static let base = "/wp-json/wp/v2/apod-basic"
    /// The site's own list, and the category of APOD in it.
    package static let articles = "/wp-json/wp/v2/image-article"
    static let category = 22766

    package let server: HTTPServer
    private let answers: FakeAnswers

    /// With `pictures`, the records point to another server for their media: `http://127.0.0.1:8080`.
    package init(_ entries: [Entry] = [], pictures: String? = nil, port: Int = 0) throws {
        let answers = FakeAnswers(FakeDays(entries), pictures: pictures)
        server = try HTTPServer(port: port) { answers.answer($0) }
        answers.origin.withLock { [server] in $0 = server.origin }
        self.answers = answers
    }

    package var origin: String { server.origin }

    package var requests: [Request] { server.requests }

    package var days: [Day] { answers.fakeDays.withLock { $0.days } }

    /// Set to add or change a day, set to nil to take it away: `nasa[day]?.title = "Corrected"`.
    package subscript(day: Day) -> Entry? {
        get { answers.fakeDays.withLock { $0[day] } }
        set { answers.fakeDays.withLock { $0[day] = newValue } }
    }

    package func add(_ entry: Entry) { self[entry.day] = entry }

    /// Asked first about each request; what it returns is sent instead.
    package var intercept: (@Sendable (Request) -> Response?)? {
        get { answers.fakeDays.withLock { $0.intercept } }
        set { answers.fakeDays.withLock { $0.intercept = newValue } }
    }

    /// Sends only this where a path has this part.
    package func answer(_ part: String, _ response: Response) {
        intercept = { $0.path.contains(part) ? response : nil }
    }

    /// What would be sent without the interception, for those that change only a part of it.
    package func usual(_ request: Request) -> Response { answers.usual(request) }

    /// A list of some days.
    package func list(_ days: [Day]) -> Response {
        .json("[\(days.map { record($0)!.text }.joined(separator: ","))]")
    }

    /// Sends what is usual, but changed, where anything below this path is asked for.
    package func alter(
        below path: String = Entry.originals, _ change: @escaping @Sendable (Request, inout Response) -> Void
    ) {
        // Nobody but the answers asks this.
        intercept = { [unowned answers = answers] request in
            guard request.path.hasPrefix(path) else { return nil }
            var response = answers.usual(request)
            change(request, &response)
            return response
        }
    }

    /// The record of a day, as it is served.
    package func record(_ day: Day) -> [UInt8]? { answers.text(day) }

    /// Writes all records before anybody asks; they stay ready until a day changes.
    package func prepare() {
        for day in days { _ = answers.text(day) }
    }

    package func stop() { server.stop() }
}
