import Apod
import Fetching
import TestSupport
import Testing

@testable import Upstream

struct ArticleListTests {
    private let newest = november(20)

    private func back(_ days: Int) -> Day { newest.advanced(by: -days) }

    /// APOD Basic does not answer as itself.
    private func nasa(_ days: Int) throws -> FakeNASA {
        let nasa = try FakeNASA(Entry.days(days, newest: newest, bytes: 1_000))
        nasa.answer(FakeNASA.base, .html(502))
        return nasa
    }

    @Test(
        "The site's own list, which stands in for APOD Basic tells the same of a day", arguments: [0, 5, 120],
        [false, true])
    func same(days: Int, isFilm: Bool) async throws {
        let nasa = try nasa(130)
        if isFilm {
            nasa[back(days)]!.media = .video
            nasa[back(days)]!.further = [Entry.Further("b", alt: "More.")]
        }
        let window = back(days)...back(days)
        let answer = try await client(of: nasa).pictures(in: window, isSilent: true)
        let picture = try #require(answer.pictures[back(days)])
        nasa.intercept = nil
        let usual = try #require(try await client(of: nasa).pictures(in: window).pictures[back(days)])
        #expect(picture.title == usual.title && picture.explanation == usual.explanation)
        #expect(picture.credit == usual.credit && picture.copyright == usual.copyright)
        #expect(picture.media.addresses.first == usual.media.addresses.first && picture.further == usual.further)
        #expect(picture.permalink == usual.permalink && picture.speaksOf == usual.speaksOf)
        #expect(picture.isStandIn && !usual.isStandIn)
        #expect(LinkedText(picture.explanation, in: picture.record) == LinkedText(usual.explanation, in: usual.record))
        // A day's JSON keeps it as it came.
        #expect(try Picture(record: picture.record).explanation == picture.explanation)
    }

    @Test(
        "The site's own list, which stands in for APOD Basic is asked for a hundred days at a time, and APOD Basic once in that time"
    )
    func pages() async throws {
        let nasa = try nasa(130)
        let client = client(of: nasa)
        var found: Set<Day> = []
        var end = newest
        while end > back(130) {
            let answer = try await client.pictures(in: max(end.advanced(by: -24), back(129))...end, isSilent: true)
            #expect("\(answer.fallback!)".contains("502"))
            found.formUnion(answer.pictures.keys)
            end = try #require(answer.covered).lowerBound.advanced(by: -1)
        }
        #expect(found == Set(back(129)...newest))
        #expect(nasa.requests.filter { $0.attempt == 1 && $0.path == FakeNASA.base }.count == 1)
        #expect(
            nasa.requests.filter { $0.path == FakeNASA.articles }.map(\.target) == [
                "\(FakeNASA.articles)?categories=22766&per_page=100&before=2026-11-28T00:00:00",
                "\(FakeNASA.articles)?categories=22766&per_page=100&before=2026-08-22T00:00:00",
            ])
    }

    @Test("The site's own list, which stands in for APOD Basic is not asked before it may stand in")
    func patience() async throws {
        let nasa = try nasa(3)
        await #expect(throws: Problem.self) { try await client(of: nasa).pictures(in: back(2)...newest) }
        #expect(!nasa.requests.contains { $0.path == FakeNASA.articles })
    }

    @Test(
        "The site's own list, which stands in for APOD Basic fails with APOD Basic's reason where it is no such list",
        arguments: [
            .html(502), .json("{}"), .json("[]"), .json("[\(FakeNASA.otherArticle)]"), .json("null"),
            .json(#"[{"type":"post","categories":[22766],"date":"2026-11-20T00:05:00"}]"#),
            .text("<html>", type: "text/html"),
        ] as [Response])
    func none(answer: Response) async throws {
        let nasa = try nasa(3)
        nasa.intercept = { $0.path == FakeNASA.base ? .html(500) : answer }
        await #expect { try await client(of: nasa).pictures(in: back(2)...newest, isSilent: true) } throws: {
            "\($0)".contains("500")
        }
    }

    private static func entry(_ members: [(String, JSON)]) -> JSONText {
        let usual: [(String, JSON)] = [("type", .string("image-article")), ("categories", .array([.integer(22766)]))]
        return try! JSONText(JSON.object(usual + members).compact)
    }

    private static func rendered(_ text: String) -> JSON { .object([("rendered", .string(text))]) }

    @Test(
        "The site's own list, which stands in for APOD Basic dates an entry by the address of its old page, else by its title, else by its own date",
        arguments: [
            ("https://apod.nasa.gov/apod/ap070713.html", "APOD: 2007 July 16 &#8211; A", "2007-07-13", "A"),
            ("", "APOD: 2026 August 25 &#8211; Earth&#8217;s Shadow", "2026-08-25", "Earth’s Shadow"),
            ("https://apod.nasa.gov/", "APOD: Something", "2026-08-26", "APOD: Something"),
        ])
    func dates(old: String, title: String, day: String, words: String) throws {
        let record = Self.entry([
            ("date", .string("2026-08-26T00:05:00")), ("migration_source_url", .string(old)),
            ("title", Self.rendered(title)),
        ])
        let picture = try Picture(record: record)
        #expect("\(picture.day)" == day && picture.title == words && picture.media == .none)
    }

    @Test("The site's own list, which stands in for APOD Basic takes nothing from around the picture's place")
    func surroundings() throws {
        let content = """
            <a href="/x"><img src="/no.jpg"></a><p class="media-detail-hero">No.</p>
            <div class="wp-block-nasa-blocks-media-detail-hero">
            <figure><a href="/dynamicimage/assets/a/b.jpg?w=9"><img src="/dynamicimage/assets/a/b.jpg" alt="A &amp; B"></a></figure>
            <p class="x media-detail-hero__description y"><strong>Explanation:</strong> See <a href="ap130630.html">it</a>.\
            <br><br><strong>Tomorrow's picture:</strong> more</p>
            <table><tr><th>Credit</th><td><b>Image Credit &amp; <a href="/c">Copyright</a>:</b> Ann</td></tr></table>
            </div><p>More.</p><img src="/no.jpg">
            """
        let picture = try Picture(
            record: Self.entry([
                ("title", Self.rendered("APOD: 2026 August 25 - A")), ("content", Self.rendered(content)),
                ("link", .string("https://h.example/image-article/apod-2026-august-25-a/")),
            ]))
        #expect(picture.explanation == "See it." && picture.credit == "Ann" && picture.alt == "A & B")
        #expect(picture.copyright == "Ann" && picture.speaksOf == [Day("2013-06-30")!])
        #expect(picture.media.addresses.first == address("https://h.example/content/dam/a/b.jpg"))
        #expect(picture.further.isEmpty)
    }
}
