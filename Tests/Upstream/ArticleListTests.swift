import Apod
import Fetching
import TestSupport
import Testing

@testable import Upstream

/// The site's own list, which stands in for APOD Basic.
struct ArticleListTests {
    private let newest = november(20)

    private func back(_ days: Int) -> Day { newest.advanced(by: -days) }

    /// APOD Basic does not answer as itself.
    private func nasa(_ days: Int) throws -> FakeNASA {
        let nasa = try FakeNASA(Entry.days(days, newest: newest, bytes: 1_000))
        nasa.answer(FakeNASA.base, .html(502))
        return nasa
    }

    @Test("The site's own list tells the same of a day as APOD Basic", arguments: [0, 120], [false, true])
    func same(days: Int, isFilm: Bool) async throws {
        let nasa = try nasa(130)
        if isFilm {
            nasa[back(days)]!.media = .video
            nasa[back(days)]!.further = [Entry.Further("b", alt: "More.")]
        }
        let window = back(days)...back(days)
        let picture = try #require(
            try await client(of: nasa).pictures(in: window, isSilent: true).pictures[back(days)])
        nasa.intercept = nil
        let usual = try #require(try await client(of: nasa).pictures(in: window).pictures[back(days)])
        #expect(picture.words[..<4] == usual.words[..<4] && picture.permalink == usual.permalink)
        #expect(picture.media.addresses.first == usual.media.addresses.first && picture.further == usual.further)
        #expect(picture.speaksOf == usual.speaksOf && picture.isStandIn && !usual.isStandIn)
        #expect(LinkedText(picture.explanation, in: picture.record) == LinkedText(usual.explanation, in: usual.record))
        // A day's JSON keeps it as it came.
        #expect(try Picture(record: picture.record).explanation == picture.explanation)
    }

    @Test("The site's own list is asked once for a hundred days, and only where it may stand in")
    func pages() async throws {
        let nasa = try nasa(130)
        await #expect(throws: Problem.self) { try await client(of: nasa).pictures(in: back(2)...newest) }
        #expect(!nasa.requests.contains { $0.path == FakeNASA.articles })
        let before = nasa.requests.count
        let service = client(of: nasa)
        var found: Set<Day> = []
        var end = newest
        while end > back(130) {
            let answer = try await service.pictures(in: max(end.advanced(by: -24), back(129))...end, isSilent: true)
            #expect(answer.fallback != nil)
            found.formUnion(answer.pictures.keys)
            end = try #require(answer.covered).lowerBound.advanced(by: -1)
        }
        #expect(found == Set(back(129)...newest))
        let requests = nasa.requests.dropFirst(before)
        #expect(Set(requests.filter { $0.path == FakeNASA.base }.map(\.target)).count == 1)
        #expect(
            requests.filter { $0.path == FakeNASA.articles }.map(\.target)
                == ["2026-11-28", "2026-08-22"].map {
                    "\(FakeNASA.articles)?categories=22766&per_page=100&before=\($0)T00:00:00"
                })
    }

    @Test(
        "APOD Basic's own failure is told where the site's list is no such list",
        arguments: [
            .json("[]"), .json("[\(FakeNASA.otherArticle)]"), .text("<html>"),
            .json(#"[{"type":"post","categories":[22766],"date":"2026-11-20T00:05:00"}]"#),
        ] as [Response])
    func none(answer: Response) async throws {
        let nasa = try nasa(3)
        nasa.intercept = { $0.path == FakeNASA.base ? .html(500) : answer }
        let service = client(of: nasa)
        func pictures() async throws -> Int {
            try await service.pictures(in: back(2)...newest, isSilent: true).pictures.count
        }
        let error = await #expect(throws: Problem.self) { try await pictures() }
        #expect(error?.code == .refused && error?.number == 500)
        // An empty list is one, and is not asked for again.
        nasa.answer(FakeNASA.base, .html(500))
        #expect((try? await pictures()) == (answer.body.count == 2 ? nil : 3))
    }

    private static func picture(_ members: [String: JSON], title: String) throws -> Picture {
        let usual: [String: JSON] = [
            "type": .string("image-article"), "categories": .array([.integer(22766)]),
            "date": .string("2026-08-26T00:05:00"), "title": .object([("rendered", .string(title))]),
        ]
        return try Picture(fields: usual.merging(members) { $1 })
    }

    @Test(
        "An article is dated by the address of its old page, else by its title, else by its own date",
        arguments: [
            ("https://apod.nasa.gov/apod/ap070713.html", "APOD: 2007 July 16 &#8211; A", "2007-07-13", "A"),
            ("", "APOD: 2026 August 25 &#8211; Earth&#8217;s Shadow", "2026-08-25", "Earth’s Shadow"),
            ("https://apod.nasa.gov/", "APOD: Something", "2026-08-26", "APOD: Something"),
        ])
    func dates(old: String, title: String, day: String, words: String) throws {
        let picture = try Self.picture(["migration_source_url": .string(old)], title: title)
        #expect("\(picture.key)" == day && picture.title == words && picture.media == .none)
    }

    @Test("An article has nothing from around the picture's place")
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
        let link = "https://h.example/image-article/apod-2026-august-25-a/"
        let picture = try Self.picture(
            ["content": .object([("rendered", .string(content))]), "link": .string(link)],
            title: "APOD: 2026 August 25 - A")
        #expect(picture.words == ["A", "See it.", "Ann", "Ann", "A & B", link])
        #expect(picture.speaksOf == [Day("2013-06-30")!] && picture.further.isEmpty)
        #expect(picture.media.addresses.first == address("https://h.example/content/dam/a/b.jpg"))
    }
}
