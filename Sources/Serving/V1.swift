import Apod
import HTTP

/// NASA's old service: `/planetary/apod`.
struct V1 {
    let root: PublishedTree.Root
    let links: Links
    let today: Day

    private var days: DayIndex { root.days }

    /// Clients read these as numbers, and one of them ends without.
    private static let limits: Pairs = [
        ("X-RateLimit-Limit", "1000"), ("X-RateLimit-Remaining", "999"),
        ("Access-Control-Expose-Headers", "X-RateLimit-Limit, X-RateLimit-Remaining"),
    ]

    /// Days of a range whose answer is made whole, and kept.
    private static let mostAtOnce = 366

    func answer(_ request: Request) -> Response {
        do throws(V1Query.BadQuery) {
            return answer(try V1Query(request.query, today: max(today, days.newest?.day ?? today)))
        } catch {
            return Self.error(400, error.words)
        }
    }

    private static func error(_ code: Int, _ words: String) -> Response {
        Response.json(
            .object([("code", .integer(code)), ("msg", .string(words)), ("service_version", .string("v1"))]),
            status: code, limits
        ).cached(.never)
    }

    private func answer(_ query: V1Query) -> Response {
        switch query.days {
        case .newest:
            guard let record = days.newest({ record(of: $0, query) }) else {
                return Self.error(404, "No data available")
            }
            return .json(record, Self.limits)
        case .day(let day):
            guard let record = days[day].flatMap({ record(of: $0, query) }) else {
                return Self.error(404, "No data available for date: \(day)")
            }
            return .json(record, Self.limits)
        case .range(let range) where range.lowerBound.distance(to: range.upperBound) > Self.mostAtOnce:
            return Response(type: FileType.json, body: .pieces(pieces(of: range, query)), headers: Self.limits)
        case .range(let range):
            return .json(.array(days.days(in: range).compactMap { record(of: $0, query) }), Self.limits)
        case .random(let count):
            return .json(.array(random(count).compactMap { record(of: $0, query) }), Self.limits).cached(.never)
        }
    }

    /// The array of a long range, a record at a time.
    private func pieces(of range: ClosedRange<Day>, _ query: V1Query) -> Pieces {
        var days = days.days(in: range, keeping: false).makeIterator()
        var mark: String? = "["
        return Pieces {
            guard let before = mark else { return nil }
            while let day = days.next() {
                guard let record = record(of: day, query) else { continue }
                mark = ","
                return before.utf8 + record.compact
            }
            mark = nil
            return Array((before == "[" ? "[]\n" : "]\n").utf8)
        }
    }

    private func random(_ count: Int) -> [IndexedDay] {
        var random = SystemRandomNumberGenerator()
        var found: [Key: IndexedDay] = [:]
        // A mirror can have fewer days than are asked for.
        for _ in 0..<20 * count where found.count < count {
            if let day = days.randomDay(&random) { found[day.key] = day }
        }
        return Array(found.values)
    }

    /// The members of the record, in the old service's order; nil where the day's JSON cannot be read.
    private func record(of day: IndexedDay, _ query: V1Query) -> JSON? {
        guard let members = root.texts(of: day) else { return nil }
        func recorded(_ name: String) -> JSON? {
            members[name].flatMap { $0.bytes.first == "\"" ? .text($0) : nil }
        }
        let main = day.files.main
        let isVideo = members["media_type"]?.string == "video"
        return .sparse([
            (
                "concepts",
                query.asksForConcepts ? .string("concept_tags functionality turned off in current service") : nil
            ),
            ("copyright", recorded("copyright")),
            ("date", day.day.map(JSON.day)),
            ("explanation", recorded("explanation")),
            ("hdurl", main.map { $0.role == .picture ? .string(links.file($0, of: day)) : nil } ?? recorded("hdurl")),
            ("media_type", recorded("media_type")),
            ("service_version", .string("v1")),
            ("thumbnail_url", isVideo && query.showsStills ? still(of: day, recorded("thumbnail_url")) : nil),
            ("title", recorded("title")),
            ("url", main.map { url(of: $0, day) } ?? recorded("url")),
        ])
    }

    private func still(of day: IndexedDay, _ kept: JSON?) -> JSON {
        day.files.image == nil ? kept ?? .string("") : links.screen(of: day).map(JSON.string) ?? .string("")
    }

    private func url(of main: StoredFile, _ day: IndexedDay) -> JSON? {
        switch main.role {
        case .page: .string("\(main.address)")
        case .video: .string(links.file(main, of: day))
        case .picture: links.screen(of: day).map(JSON.string)
        case .poster, .also: nil
        }
    }
}
