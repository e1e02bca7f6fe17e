import Apod
import Configuration
import Glibc
import Store
import TestMirror
import TestSupport
import Testing

@testable import Syncing

private typealias Item = ListFixture.Served.Item

struct ListRefreshTests {
    @Test("A list puts each picture under its title, with its JSON beside it, and hides the JSON")
    func names() async throws {
        let fixture = try ListFixture(
            [
                Item("Mittens"), Item("mittens", id: "2"), Item("A: \"B\"/C", id: "3"), Item("Old", date: "1994-05-25"),
                Item("Old", id: "5", date: "1994-05-25"),
                // Two names of one number.
                Item("Cat 588333"), Item("Cat 1343819"),
            ])
        try await fixture.refresh()
        #expect(
            fixture.pictures
                == [
                    "1994/1994-05-25 Old (2).jpg", "1994/1994-05-25 Old.jpg", "A - B -C.jpg", "Mittens.jpg",
                    "mittens (2).jpg", "Cat 588333.jpg", "Cat 1343819 (2).jpg",
                ].sorted())
        #expect(fixture.tree.count == 14)
        let json = try fixture.json("1994/1994-05-25 Old.json")
        #expect(json["list"]?.string == "cats" && json["id"]?.string == "Old" && json["date"]?.string == "1994-05-25")
        #expect(json["upstream"]?["photo_url"]?.string == "/files/Old.jpg")
        #expect((try contents("\(fixture.root)/.hidden")).text.contains("Mittens.json\n"))
        #expect(try await fixture.problems() == [])
    }

    @Test("A list asks once where nothing is new: by its ETag, or for its first page")
    func nothingNew() async throws {
        for tag in [nil, "\"1\""] {
            let fixture = try ListFixture((1...30).map { Item("Cat \($0)") }, pageSize: 10)
            fixture.served.update { $0.tag = tag }
            #expect(try await fixture.refresh().count == 30)
            #expect(fixture.pages.count == 3 && fixture.files == 30)
            #expect(try await fixture.refresh() == [])
            #expect(fixture.pages == ["/cats"] && fixture.files == 0)
        }
    }

    @Test("The newest of a list are those of the latest date or coming, then those first on its pages")
    func order() async throws {
        let fixture = try ListFixture(
            [Item("B"), Item("X", date: "2026-11-02"), Item("A"), Item("Y", date: "1994-05-25"), Item("C")], pageSize: 2
        )
        try await fixture.refresh()
        let dated = ["1994-05-25 Y", "2026-11-02 X"]
        #expect(try fixture.order == dated + ["C", "A", "B"])
        fixture.served.update { $0.items.insert(contentsOf: [Item("E"), Item("D")], at: 0) }
        try await fixture.refresh()
        #expect(try fixture.order == dated + ["C", "A", "B", "D", "E"])
        let catalog = try #require(try Archive.catalogToRead(root: fixture.testMirror.root))
        let older = try catalog.storedItems(of: fixture.list.name).dropLast(2).map(\.key)
        #expect(try catalog.items(of: fixture.list.name, beyond: 2) == Set(older))
    }

    @Test("A list's newest pictures are asked for again in each round, and older ones are not")
    func newest() async throws {
        let fixture = try ListFixture((1...5).map { Item("Cat \($0)") }) { $0.recheckDays = 1 }
        fixture.served.update { $0.tag = "\"1\"" }
        try await fixture.refresh()
        #expect(try await fixture.refresh() == [])
        #expect(fixture.questions == ["/files/Cat 1.jpg", "/files/Cat 2.jpg"])
        fixture.served.update { for index in 0..<5 { $0.items[index].seed = 9 } }
        let told = try await fixture.refresh()
        #expect(told == ["cats Cat 1", "cats Cat 1 replaced", "cats Cat 2", "cats Cat 2 replaced"])
        #expect(try await fixture.problems() == [])
    }

    @Test("A list's corrections are seen within a week, though its first page is as it was", arguments: [nil, "\"1\""])
    func corrected(tag: String?) async throws {
        let fixture = try ListFixture((1...30).map { Item("Cat \($0)") }, pageSize: 10)
        fixture.served.update { $0.tag = tag }
        try await fixture.refresh()
        fixture.served.update { $0.items[25].text = "Other words." }
        for pages in [1, 3, 1] {
            let told = try await fixture.refresh()
            #expect(told == (pages == 3 ? ["cats Cat 26 texts"] : []) && fixture.pages.count == pages)
            fixture.testMirror.clock.pass(days: pages == 1 ? 7 : 1)
        }
    }

    @Test("A list is read again by new rules, though its ETag is the same")
    func rules() async throws {
        let fixture = try ListFixture("Mittens")
        fixture.served.update { $0.tag = "\"1\"" }
        try await fixture.refresh()
        fixture.list.rules[.credit] = FieldRule("photo_url")
        #expect(try await fixture.refresh() == ["cats Mittens texts"])
        #expect(try fixture.json("Mittens.json")["credit"]?.string == "/files/Mittens.jpg")
        #expect(try await fixture.refresh() == [])
    }

    @Test("A list is read to its end after a round that was cut off between two pages")
    func cutOff() async throws {
        let fixture = try ListFixture((1...30).map { Item("Cat \($0)") }, pageSize: 10)
        fixture.served.update { ($0.tag, $0.refused) = ("\"1\"", 2) }
        #expect(try await fixture.refresh().count == 21)
        #expect(fixture.pictures.count == 20)
        fixture.served.update { $0.refused = nil }
        #expect(try await fixture.refresh().count == 10)
        #expect(fixture.pictures.count == 30)
        #expect(try await fixture.refresh() == [])
        #expect(fixture.pages == ["/cats"])
    }

    @Test("A list leaves a person's own files in its folder as they are")
    func ownFiles() async throws {
        let fixture = try ListFixture("Mittens", "Whiskers")
        fixture.served.update { $0.answer = .json("[]") }
        try await fixture.refresh()
        try save("mine", to: "\(fixture.root)/mittens.jpg")
        fixture.served.update { $0.answer = nil }
        try await fixture.refresh()
        #expect(fixture.pictures == ["Mittens (2).jpg", "Whiskers.jpg", "mittens.jpg"])
        #expect(try contents("\(fixture.root)/mittens.jpg") == "mine".bytes)
    }

    /// What the list answers, and a part of what is told.
    private static let answers: [(Response, String)] = [
        (.html(200), "a page in HTML"), (.json("{}"), "no items"), (.json("[]"), "no items"),
        (.html(500), "500"), (.html(404), "404"), (.json("[{\"a\": 1}]"), "fields are a"),
        (.json("{\"items\": [{\"id\": 1}]}"), "fields are id"),
    ]

    @Test("A list stays whole when the list turns to something else", arguments: answers.indices)
    func nonsense(_ index: Int) async throws {
        let (answer, words) = Self.answers[index]
        let fixture = try ListFixture("Mittens", "Whiskers")
        try await fixture.refresh()
        let tree = fixture.tree
        fixture.served.update { $0.answer = answer }
        let told = try await fixture.refresh()
        #expect(told.count == 1 && told[0].hasPrefix("cats failed") && told[0].contains(words))
        #expect(fixture.tree == tree)
        fixture.served.update { $0.answer = nil }
        #expect(try await fixture.refresh() == [])
    }

    @Test("A list forgets what left the list and never came")
    func leaving() async throws {
        let fixture = try ListFixture([Item("Mittens"), Item("Gone", seed: nil)])
        fixture.served.update { $0.tag = "\"1\"" }
        try await fixture.refresh()
        #expect(try fixture.failed() == 1)
        fixture.served.update { $0.items.removeLast() }
        #expect(try await fixture.refresh(isAsked: true) == [])
        #expect(try fixture.failed() == 0)
        #expect(try await fixture.refresh() == [])
    }

    @Test(
        "A list comes beside its cover, and either without the other", arguments: [true, false],
        [true, false])
    func cover(hasList: Bool, hasCover: Bool) async throws {
        let fixture = try ListFixture("Mittens", "Cover")
        fixture.list.cover = WebAddress("\(fixture.server.origin)/cover.jpg")
        fixture.served.update { served in
            if !hasList { served.answer = .html(503) }
            if hasCover { served.cover = .media(Pictures.jpeg(seed: 5), type: "image/jpeg") }
        }
        try await fixture.refresh()
        let expected = (hasList ? ["Cover (2).jpg", "Mittens.jpg"] : []) + (hasCover ? ["cover.jpg"] : [])
        #expect(fixture.pictures == expected.sorted())
    }

    @Test("A list ends where it leads back to a page of its own")
    func endless() async throws {
        let fixture = try ListFixture("Mittens")
        let page = "[{\"id\": 1, \"title\": \"A\", \"image\": \"/files/Mittens.jpg\"}]"
        fixture.served.update { $0.answer = .json("{\"items\": \(page), \"next_url\": \"/cats?page=1\"}") }
        #expect(try await fixture.refresh() == ["cats A"])
        #expect(fixture.pages == ["/cats", "/cats?page=1"])
    }

    @Test("A list is known again after all of the mirror's own is lost, and not fetched")
    func rebuilt() async throws {
        let fixture = try ListFixture(
            [Item("Mittens"), Item("Old", date: "1994-05-25"), Item("Mittens", id: "3")], pageSize: 1)
        try await fixture.refresh()
        let (tree, own) = (fixture.tree, fixture.testMirror[".apod-mirror"])
        try await fixture.testMirror.close()
        try #require(rename(own, "\(own)-aside") == 0)
        for pages in [3, 1] {
            #expect(try await fixture.refresh() == [])
            #expect(fixture.files == 0 && fixture.tree == tree && fixture.pages.count == pages)
        }
        #expect(try await fixture.problems() == [])
    }

    @Test(
        "A list goes on behind pages without anything of use, and ends after ten of them",
        arguments: [
            // How many items there are, and a page has; which of them lack one of these, each another; what comes of it.
            (30, 10, 10..<20, ["photo_url"], told: 21, leftOut: 10, pages: 3),
            (30, 10, 10..<20, ["id", "photo_url"], told: 21, leftOut: 10, pages: 3),
            (300, 5, 5..<300, ["photo_url"], told: 6, leftOut: 50, pages: 11),
        ])
    func useless(
        count: Int, pageSize: Int, bad: Range<Int>, lacking: [String], told: Int, leftOut: Int, pages: Int
    ) async throws {
        var items = (1...count).map { Item("Cat \($0)") }
        for index in bad { items[index].lacking = [lacking[index % lacking.count]] }
        let fixture = try ListFixture(items, pageSize: pageSize)
        let words = try await fixture.refresh()
        #expect(words.count == told && words.contains { $0.contains("\(leftOut) left out") })
        #expect(fixture.pictures.count == told - 1 && fixture.pages.count == pages)
        #expect(try await fixture.refresh() == [] || pages == 11)
        #expect(fixture.pages == ["/cats"] || pages == 11)
    }

    @Test("A list fails with its pictures where many fail for the first time, and not where they fail again")
    func lasting() async throws {
        let fixture = try ListFixture((1...12).map { Item("Cat \($0)", seed: nil) })
        fixture.served.update { $0.lack = .html(503) }
        for isFirst in [true, false] {
            let told = try await fixture.refresh()
            #expect(told.contains { $0.hasPrefix("cats failed") } == isFirst)
        }
        #expect(try fixture.failed() == 12)
    }
}
