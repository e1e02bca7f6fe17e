import Apod
import HTTP

/// NASA's service APOD Basic, so that a mirror can be the upstream of another: records as they came, with the
/// addresses of their media led here.
struct Basic {
    let root: PublishedTree.Root
    let origin: String

    private var days: DayIndex { root.days }

    private static let mostInPage = 25
    private static let mark = [(name: MediaAddresses.mark, value: "1")]

    /// `rest`: the path behind `/wp-json/wp/v2/apod-basic`.
    func answer(_ rest: ArraySlice<String>, _ request: Request) -> Response {
        guard let word = rest.first else { return list(request) }
        guard let day = Day(compact: word), rest.count == 1 || rest.count == 2 && rest.last == "html" else {
            return Self.error(404, "rest_no_route", "No route was found matching the URL and request method.")
        }
        guard let record = days[day].flatMap({ record(of: $0) }) else {
            // Only NASA's own word ends a mirror's asking.
            return days.isAbsent(day)
                ? Self.error(404, "apod_basic_not_found", "APOD not found.")
                : Self.error(404, "apod_mirror_not_here", "This mirror does not have \(day).")
        }
        if rest.count == 1 { return .json(.text(record), Self.mark) }
        return .page(record.members?["basic_html"]?.string ?? "", policy: Policy.framing)
    }

    private func list(_ request: Request) -> Response {
        func number(_ name: String, _ range: ClosedRange<Int>, else other: Int) -> Int? {
            request[name].map { Int($0).flatMap { range.contains($0) ? $0 : nil } } ?? other
        }
        func day(_ name: String, else other: Day) -> Day? { request[name].map { Day(compact: $0) } ?? other }
        guard let page = number("page", 1...100_000, else: 1),
            let size = number("per_page", 1...100, else: Self.mostInPage).map({ min($0, Self.mostInPage) }),
            let first = day("date_from", else: .first), let last = day("date_to", else: .last)
        else { return Self.error(400, "rest_invalid_param", "Invalid parameter(s).") }
        let found = first <= last ? Array(days.days(in: first...last)) : []
        let shown = found.reversed().dropFirst((page - 1) * size).prefix(size)
        let headers =
            [
                ("X-WP-Total", "\(found.count)"), ("X-WP-TotalPages", "\((found.count + size - 1) / size)"),
                ("Access-Control-Expose-Headers", "X-WP-Total, X-WP-TotalPages"),
            ] + Self.mark
        return .json(.array(shown.compactMap { record(of: $0).map(JSON.text) }), headers)
    }

    /// The record with its media's addresses led here. One from NASA's list of articles, which stands in, goes as it is.
    private func record(of day: IndexedDay) -> JSONText? {
        guard let record = root.members(of: day)?["upstream"], record.members?["date"] != nil else { return nil }
        return try? JSONText(MediaAddresses.led(to: origin, record.bytes))
    }

    private static func error(_ status: Int, _ code: String, _ words: String) -> Response {
        Response.json(
            .object([
                ("code", .string(code)), ("message", .string(words)), ("data", .object([("status", .integer(status))])),
            ]), status: status
        ).cached(.never)
    }
}
