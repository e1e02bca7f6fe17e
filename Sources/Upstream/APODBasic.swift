package import Apod
package import Fetching

/// NASA's service APOD Basic, asked by day or by window of days. `ArticleList` stands in when it fails for long.
///
/// A record, APOD Basic's or an `Article`, becomes a `Picture` in `Picture.init(admitting:)`, or a reason: `Fields` reads its
/// texts, `HTMLText` cleans them, `DayPage` and `MediaFinder` find the media. `Markup` reads HTML through libxml2.
package struct APODBasic: Sendable {
    private let records: WebAddress
    private let list: ArticleList
    private let fetcher: Fetcher

    /// The most records that the service gives in one answer.
    package static let pageSize = 25
    /// A longer list is no answer to the request.
    private static let mostRecords = 4 * pageSize
    private static let longestPage = 8 << 20
    /// After so many seconds without an answer of its own, the list of articles stands in.
    package static let patience = 3600

    package init(_ upstream: WebAddress, fetcher: Fetcher) {
        records = upstream.appending(path: "/wp-json/wp/v2/apod-basic")
        list = ArticleList(upstream, fetcher: fetcher)
        self.fetcher = fetcher
    }

    /// The upstream's records of some days.
    package struct Answer: Sendable {
        package var pictures: [Day: Picture] = [:]
        /// Records that were left out.
        package var bad: [BadRecord] = []
        /// The days for which there are no other records than these.
        package var covered: ClosedRange<Day>?
        /// Why the list of articles stands in; nil if it does not.
        package var fallback: Problem?
    }

    /// Returns the newest days of a window, as many as one answer holds. `isSilent`: the service has not answered as itself
    /// for long, so that the list of articles may stand in.
    package func pictures(in window: ClosedRange<Day>, isSilent: Bool = false) async throws -> Answer {
        if isSilent, let error = list.silence { return try await list.pictures(in: window, insteadOf: error) }
        do {
            return try await page(of: window)
        } catch {
            guard isSilent, error.problem.isOfService else { throw error }
            return try await list.pictures(in: window, insteadOf: error.problem)
        }
    }

    /// Returns what the list of articles has of days that the service lacks; nil where it does not answer.
    package func articles(in window: ClosedRange<Day>) async -> Answer? { try? await list.pictures(in: window) }

    /// Returns one day; nil if the upstream has no such day.
    package func picture(of day: Day) async throws -> Picture? {
        let address = records.appending(path: "/\(day.compact)")
        let document = try await fetch(address, limit: JSONText.longestRecord, statuses: [200, 404])
        if document.status == 404 {
            // The service's own error code: gateways and a broken WordPress answer 404, too.
            let code = (try? JSONText(document.bytes))?.members?["code"]?.string
            if code == "apod_basic_not_found" { return nil }
            if code == "apod_mirror_not_here" { throw Problem(.elsewhere, at: address) }
            throw Problem(.records, "answered 404, but not that there is no such day", at: address)
        }
        let record = try Self.json(document, from: address)
        let picture: Picture
        do throws(BadRecord) { picture = try Picture(admitting: record) } catch {
            throw Problem(error.isPassing ? .records : .record, "\(error)", at: address)
        }
        // The service answers with another record when it does not understand the request.
        guard picture.day == day else {
            throw Problem(.record, "\(picture.key), a day that was not asked for", at: address)
        }
        return picture
    }

    private func page(of window: ClosedRange<Day>) async throws -> Answer {
        let address = WebAddress(
            """
            \(records)?page=1&per_page=\(Self.pageSize)\
            &date_from=\(window.lowerBound.compact)&date_to=\(window.upperBound.compact)
            """)!
        let document = try await fetch(address)
        guard let elements = try Self.json(document, from: address).elements, elements.count <= Self.mostRecords else {
            throw Problem(.records, "not a list of records", at: address)
        }
        var answer = Answer()
        let results = elements.map { record in Result { () throws(BadRecord) in try Picture(admitting: record) } }
        answer.add(results, in: window)
        let pages = document.fields["x-wp-totalpages"].flatMap { Int($0) }
        let isWhole = pages.map { $0 <= 1 } ?? (elements.count < Self.pageSize)
        let oldest = isWhole ? window.lowerBound : answer.pictures.keys.min() ?? window.lowerBound
        answer.covered = oldest...window.upperBound
        return answer
    }

    private func fetch(
        _ address: WebAddress, limit: Int = Self.longestPage, statuses: Set<Int> = [200]
    ) async throws -> Fetcher.Received {
        do { return try await fetcher.document(address, limit: limit, statuses: statuses) } catch {
            throw error.problem.ofRecords
        }
    }

    private static func json(_ document: Fetcher.Received, from address: WebAddress) throws -> JSONText {
        guard let text = try? JSONText(document.bytes) else {
            throw Problem(.records, "not JSON, or cut off", at: address)
        }
        return text
    }
}

extension APODBasic.Answer {
    mutating func add(_ results: [Result<Picture, BadRecord>], in window: ClosedRange<Day>) {
        for result in results {
            switch result {
            case .failure(let error):
                let other = error.refusedDay.flatMap { window.contains($0) ? nil : $0 }
                bad.append(other.map(BadRecord.outside) ?? error)
            case .success(let picture): add(picture, in: window)
            }
        }
    }

    /// Of two records with one date, one is misfiled: the one whose address names another day is left out.
    private mutating func add(_ picture: Picture, in window: ClosedRange<Day>) {
        guard let day = picture.day else { return }
        guard window.contains(day) else { return bad.append(.outside(day)) }
        let other = pictures[day]
        if other != nil { bad.append(.repeated(day)) }
        if let other, other.namesItsDay || !picture.namesItsDay { return }
        pictures[day] = picture
    }
}

extension Problem {
    /// `max-file` is not about answers with records.
    package var ofRecords: Problem {
        code == .large ? Problem(.record, "more than \(Size.text(number ?? 0))", at: address) : self
    }
}
