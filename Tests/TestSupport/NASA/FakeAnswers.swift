import Apod
import Synchronization

/// Answers for the fake NASA. It is not the server's owner, so that the two do not hold each other.
final class FakeAnswers: Sendable {
    let fakeDays: Mutex<FakeDays>
    let origin = Mutex("")
    private let pictures: String?
    private static let mostPerPage = 25

    init(_ fakeDays: FakeDays, pictures: String?) {
        self.fakeDays = Mutex(fakeDays)
        self.pictures = pictures
    }

    func answer(_ request: Request) -> Response {
        let intercept = fakeDays.withLock { $0.intercept }
        return intercept?(request) ?? usual(request)
    }

    func usual(_ request: Request) -> Response {
        let path = request.path.hasSuffix("/") ? String(request.path.dropLast()) : request.path
        if path == FakeNASA.base { return list(request) }
        if path == FakeNASA.articles { return articles(request) }
        if path.hasPrefix(FakeNASA.base + "/") { return single(path.dropFirst(FakeNASA.base.count + 1)) }
        if path.hasPrefix("/image-article/") { return .html(200) }
        let picture = picture(path)
        let isKnown = picture[header: "ETag"].map { $0 == request.headers["if-none-match"] } ?? false
        return isKnown ? Response(status: 304, headers: picture.headers) : picture
    }

    func record(_ day: Day) -> Record? {
        let origin = origin.withLock { $0 }
        return fakeDays.withLock { $0.record(day, origin: origin, pictures: pictures ?? origin) }
    }

    func text(_ day: Day) -> [UInt8]? {
        let (known, version) = fakeDays.withLock { ($0.text(day), $0.version) }
        if let known { return known }
        guard let text = record(day)?.json.compact else { return nil }
        fakeDays.withLock { $0.keep(text, for: day, version: version) }
        return text
    }

    /// The first page of a range: nobody asks for another.
    private func list(_ request: Request) -> Response {
        let (from, to) = (
            request["date_from"].flatMap(Day.init(compact:)), request["date_to"].flatMap(Day.init(compact:))
        )
        let days = fakeDays.withLock { $0.days(from: from, to: to) }
        let shown = days.reversed().prefix(Self.mostPerPage)
        var response = Response.json(Self.array(shown.compactMap(text)))
        response[header: "X-WP-TotalPages"] = "\((days.count + Self.mostPerPage - 1) / Self.mostPerPage)"
        return response
    }

    private static func array(_ texts: [[UInt8]]) -> Body {
        var bytes: [UInt8] = ["["]
        for (index, text) in texts.enumerated() {
            if index > 0 { bytes.append(",") }
            bytes += text
        }
        return Body(bytes + ["]"])
    }

    private func single(_ rest: Substring) -> Response {
        guard let text = Day(compact: rest).flatMap(text) else {
            return Self.error(404, "apod_basic_not_found", "APOD not found.")
        }
        return .json(Body(text))
    }

    /// Newest first, as they were filed, with something else of the site in front.
    private func articles(_ request: Request) -> Response {
        guard request["categories"] == "\(FakeNASA.category)", let size = request["per_page"].flatMap({ Int($0) }),
            let end = request["before"].flatMap({ Day($0.prefix(10)) })
        else { return Self.error(400, "rest_invalid_param", "Invalid parameter.") }
        let entries = fakeDays.withLock { fakeDays in fakeDays.days.compactMap { fakeDays[$0] } }
            .filter { ($0.filed ?? $0.day) < end }.sorted {
                ($0.filed ?? $0.day, $0.day) > ($1.filed ?? $1.day, $1.day)
            }
        let shown = entries.prefix(size - 1).compactMap { record($0.day)?.article.line }
        return .json(Body("[\(([FakeNASA.otherArticle] + shown).joined(separator: ","))]"))
    }

    private func picture(_ path: String) -> Response {
        for folder in [Entry.originals, Entry.renditions] where path.hasPrefix(folder) {
            let name = String(path.dropFirst(folder.count))
            guard let file = fakeDays.withLock({ $0.owner(of: name) })?.file(name) else { break }
            let isOriginal = folder == Entry.originals
            guard let body = isOriginal ? file.original : file.rendition else { break }
            return .media(body, type: file.type, tag: file.tag + (isOriginal ? "" : "-small"))
        }
        return path == Record.placeholder ? .media(Pictures.png(), type: "image/png") : .html(404)
    }

    private static func error(_ status: Int, _ code: String, _ message: String) -> Response {
        let data = JSON.object([("status", .integer(status))])
        let body = JSON.object([("code", .string(code)), ("message", .string(message)), ("data", data)])
        return .json(Body(body.compact), status: status)
    }
}

extension Response {
    fileprivate static func json(_ body: Body, status: Int = 200) -> Self {
        Self(status: status, headers: [("Content-Type", "application/json; charset=UTF-8")], body, ranges: false)
    }
}
