import Apod
import Fetching
import Synchronization

/// The site's own list of articles, `image-article`, a hundred days a page. It stands in for APOD Basic, which is a part
/// that was added to the site.
final class ArticleList: Sendable {
    private static let pageSize = 100
    private static let longestPage = 32 << 20
    /// In days.
    private static let mostLate = 8

    private let address: WebAddress
    private let fetcher: Fetcher
    private let state = Mutex(State())

    private struct State {
        /// The page that came last: it covers several windows.
        var page: Page?
        /// Why APOD Basic is not asked, and until when.
        var silence: (why: Problem, until: ContinuousClock.Instant)?
    }

    init(_ upstream: WebAddress, fetcher: Fetcher) {
        address = upstream.appending(path: "/wp-json/wp/v2/\(Article.type)")
        self.fetcher = fetcher
    }

    /// Why the list is asked at once; nil where APOD Basic is to be asked first.
    var silence: Problem? {
        state.withLock { state in state.silence.flatMap { $0.until > .now ? $0.why : nil } }
    }

    /// Returns the newest days of a window, in the place of an answer of APOD Basic. Throws that error where there are none.
    func pictures(in window: ClosedRange<Day>, insteadOf error: Problem) async throws -> APODBasic.Answer {
        guard var answer = try? await pictures(in: window), !answer.pictures.isEmpty else { throw error }
        state.withLock { $0.silence = (error, .now + .seconds(APODBasic.patience)) }
        answer.fallback = error
        return answer
    }

    /// Returns the newest days of a window.
    func pictures(in window: ClosedRange<Day>) async throws -> APODBasic.Answer {
        let known = state.withLock(\.page)
        if let known, known.covered.contains(window.upperBound) { return known.part(window) }
        let page = try await page(until: window)
        state.withLock { $0.page = page }
        return page.part(window)
    }

    /// All that one page has, from the end of the window back.
    private func page(until window: ClosedRange<Day>) async throws -> Page {
        // Some days were filed under a later date.
        let end = Day(daysSince1970: window.upperBound.number + Self.mostLate) ?? Day.last
        let page = WebAddress(
            "\(address)?categories=\(Article.category)&per_page=\(Self.pageSize)&before=\(end)T00:00:00")!
        let document = try await fetcher.document(page, limit: Self.longestPage)
        guard let elements = (try? JSONText(document.bytes))?.elements else {
            throw Problem(.records, "not a list", at: page)
        }
        let articles = elements.filter(Article.isOne)
        if articles.isEmpty, !elements.isEmpty {
            throw Problem(.records, "a list in which nothing is an APOD", at: page)
        }
        return Page(articles: articles, covered: Self.start(of: elements, window)...window.upperBound)
    }

    /// The first day that a page tells all of. Its last entry may be one of two that were filed under one date.
    private static func start(of entries: [JSONText], _ window: ClosedRange<Day>) -> Day {
        guard entries.count >= pageSize, let last = entries.last.flatMap(Article.filed), last < window.upperBound
        else {
            return .first
        }
        return last.advanced(by: 1)
    }
}

private struct Page {
    let articles: [(day: Day?, record: JSONText)]
    /// The days of which the page tells all.
    let covered: ClosedRange<Day>

    init(articles: [JSONText], covered: ClosedRange<Day>) {
        self.articles = articles.map { ($0.members.flatMap(Article.day), $0) }
        self.covered = covered
    }

    /// What it tells of a window. Only the records of these days are read: a page has a hundred.
    func part(_ window: ClosedRange<Day>) -> APODBasic.Answer {
        let wanted = articles.filter { article in article.day.map(window.contains) == true }.map(\.record)
        var answer = APODBasic.Answer()
        answer.add(
            wanted.map { record in Result { () throws(BadRecord) in try Picture(admitting: record) } }, in: window)
        answer.covered = max(covered.lowerBound, window.lowerBound)...window.upperBound
        return answer
    }
}
