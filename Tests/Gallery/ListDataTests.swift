import Apod
import Archive
import Catalog
import TestSupport
import Testing

@testable import Gallery

struct ListDataTests {
    private let fixture: GalleryFixture

    init() async throws { fixture = try await GalleryFixture(days: 1) }

    private func list(_ name: String) throws -> ListArchive { try ListArchive(name, of: try fixture.archive) }

    private func write(_ list: ListArchive) throws {
        try Gallery(list.archive, of: list.list) { text, _ in LinkedText(text) }.write(.all, wanted: nil)
        try fixture.gallery.showLists(wanted: nil)
    }

    /// The lines of a file with data, without their commas.
    private func lines(_ path: String) throws -> [JSONText] {
        try fixture.text("gallery/data/lists/\(path)").split(separator: "\n").filter { $0.hasPrefix("{") }.map {
            try JSONText(Array($0.utf8.dropLast()))
        }
    }

    private func index(_ list: String, _ year: Int) throws -> [String]? {
        let path = fixture[".apod-mirror/lists/\(list)/days/\(year).json"]
        return IndexedYear(try contents(path), of: ListName(list))?.days.map(\.name.stem)
    }

    @Test(
        "The gallery's data of another list is by the years of the dates, in the order of the list where it has none, and says what is of whom"
    )
    func items() async throws {
        try fixture.write()
        let list = try list("hubble")
        try await list.add("Old", date: "1994-05-25")
        try await list.add("Late", date: "2026-11-14", credit: "ESA", licence: "CC BY 4.0", page: "https://a.example/l")
        let early = try await list.add("Early", date: "2026-11-02")
        for title in ["First", "Second"] { try await list.add(title) }
        let cover = try await list.add(nil)
        try write(list)
        #expect(try lines("hubble/2026.js").map { $0["title"]?.string } == ["Early", "Late"])
        #expect(try lines("hubble/1994.js").map { $0["stem"]?.string } == ["1994-05-25 Old"])
        #expect(try lines("hubble/0.js").map { $0["title"]?.string } == ["First", "Second"])
        #expect(try lines("hubble/2026.js")[0]["date"]?.string == "hubble.\(early.day.key)")
        let head = try fixture.text("gallery/data/lists/hubble/list.js")
        #expect(head.contains("apod.list(\"hubble\", {\"years\":[[2026,2],[1994,1],[0,2]]"))
        #expect(head.contains("\"date\":\"hubble.\(cover.day.key)\""))
        let texts = try fixture.text("gallery/data/lists/hubble/2026-text.js")
        #expect(
            texts.contains("\"credit\":\"ESA\",\"licence\":\"CC BY 4.0\",\"page\":\"https:\\/\\/a.example\\/l\"")
                || texts.contains("\"credit\":\"ESA\",\"licence\":\"CC BY 4.0\",\"page\":\"https://a.example/l\""))
        #expect(try !fixture.text("gallery/data/lists/hubble/0-text.js").contains("page"))
        #expect(try index("hubble", 2026) == ["2026-11-02 Early", "2026-11-14 Late"])
        #expect(try index("hubble", 0) == ["First", "Second"])
        #expect(try fixture.text("index.html").contains("<a href=\"#lists\" data-names=\"hubble\">Lists</a>"))
    }

    @Test("The gallery's data of another list is no part of a mirror without lists")
    func none() async throws {
        try fixture.write()
        #expect(!fixture.made.contains { $0.hasPrefix("gallery/data/lists") })
        #expect(try !fixture.text("index.html").contains("Lists"))
    }

    @Test(
        "The gallery's data of another list has only what has a picture, and no index of years of which nothing is left"
    )
    func pruned() async throws {
        let list = try list("cats")
        let old = try await list.add("Old", date: "2020-01-01")
        try await list.add("Mittens", date: "2026-01-01")
        try write(list)
        _ = try await list.archive.prune([old.day], at: 2_000_000_000)
        try write(list)
        #expect(try lines("cats/2020.js").isEmpty)
        #expect(try fixture.text("gallery/data/lists/cats/list.js").contains("\"years\":[[2026,1]]"))
        #expect(try index("cats", 2020) == ["2020-01-01 Old"])
    }

    @Test(
        "The gallery's data of another list tells texts for the search, a line for some items in their order where there are no months"
    )
    func search() async throws {
        let list = try list("cats")
        for number in 0..<130 { try await list.add("Cat \(number)", text: "Purrs \(number) times.") }
        try write(list)
        func lines() throws -> [Substring] {
            try fixture.text("gallery/data/lists/cats/0-search.js").split(separator: "\n").filter { $0.hasPrefix("[") }
        }
        let before = try lines()
        #expect(before.count == 2)
        try await list.add("Newest")
        try write(list)
        let now = try lines()
        #expect(now.count == 2 && now[0] == before[0] && now[1] != before[1])
    }

    @Test("The gallery's data of another list is hostile to nobody: names and texts end no script and no attribute")
    func hostile() async throws {
        let list = try list("x")
        try await list.add(
            "</script><img src=x onerror=alert(1)> \"'`${1}", text: "</script>\u{2028}", credit: "<b onclick=a>")
        try write(list)
        for name in fixture.made where name.hasPrefix("gallery/data/lists") && name.hasSuffix(".js") {
            #expect(try !fixture.text(name).contains("<"), "\(name)")
        }
    }

    @Test("The gallery's data of another list goes when the gallery goes, with the page's other files")
    func removed() async throws {
        let list = try list("cats")
        try await list.add("Mittens")
        try fixture.write()
        try write(list)
        try fixture.gallery.remove()
        try Gallery(list.archive, of: list.list) { text, _ in LinkedText(text) }.remove()
        #expect(fixture.made.isEmpty, "\(fixture.made)")
    }
}
