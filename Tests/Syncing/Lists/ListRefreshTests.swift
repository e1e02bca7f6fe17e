import Apod
import Archive
import Catalog
import Configuration
import Glibc
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
            ])
        try await fixture.refresh()
        #expect(
            fixture.pictures
                == [
                    "1994/1994-05-25 Old (2).jpg", "1994/1994-05-25 Old.jpg", "A - B -C.jpg", "Mittens.jpg",
                    "mittens (2).jpg",
                ].sorted())
        #expect(fixture.tree.count == 10)
        let json = try fixture.json("1994/1994-05-25 Old.json")
        #expect(json["list"]?.string == "cats" && json["id"]?.string == "Old" && json["date"]?.string == "1994-05-25")
        #expect(json["upstream"]?["photo_url"]?.string == "/files/Old.jpg")
        #expect(String(decoding: try contents("\(fixture.root)/.hidden"), as: UTF8.self).contains("Mittens.json\n"))
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
        #expect(try contents("\(fixture.root)/mittens.jpg") == Array("mine".utf8))
    }

    @Test("A list lets each picture fail alone, and asks for it again")
    func failures() async throws {
        let fixture = try ListFixture((1...20).map { Item("Cat \($0)", seed: $0 % 7 == 0 ? nil : UInt64($0)) })
        fixture.served.update { $0.tag = "\"1\"" }
        let told = try await fixture.refresh()
        #expect(told.count == 20 && told.count { $0.contains("failed") } == 2)
        #expect(fixture.pictures.count == 18 && fixture.tree.count == 36)
        #expect(try fixture.failed() == 2)
        fixture.served.update { served in
            for index in served.items.indices { served.items[index].seed = UInt64(index) }
        }
        #expect(try await fixture.refresh(isAsked: true).count == 2)
        #expect(fixture.pictures.count == 20)
        #expect(try fixture.failed() == 0)
        #expect(try await fixture.refresh(isAsked: true) == [])
    }

    @Test("A list keeps what a correction replaces, and the name")
    func corrections() async throws {
        let fixture = try ListFixture("Mittens", "Whiskers")
        try await fixture.refresh()
        fixture.served.update { served in
            served.items[0].title = "Mittens the First"
            served.items.append(Item("Mittens the First", id: "9"))
        }
        #expect(try await fixture.refresh() == ["cats Mittens the First", "cats Mittens the First texts"])
        #expect(fixture.pictures == ["Mittens the First.jpg", "Mittens.jpg", "Whiskers.jpg"])
        #expect(try fixture.json("Mittens.json")["title"]?.string == "Mittens the First")
        let own = listing(fixture.testMirror[".apod-mirror/replaced/cats/Mittens/1"])
        #expect(own == ["Mittens.json"])
        #expect(try await fixture.problems() == [])
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

    @Test("A list ends where a list leads back to a page of its own, or on for ever")
    func endless() async throws {
        let fixture = try ListFixture("Mittens")
        let page = "[{\"id\": 1, \"title\": \"A\", \"image\": \"/files/Mittens.jpg\"}]"
        fixture.served.update { $0.answer = .json("{\"items\": \(page), \"next_url\": \"/cats?page=1\"}") }
        #expect(try await fixture.refresh() == ["cats A"])
        #expect(fixture.pages == ["/cats", "/cats?page=1"])
    }

    @Test("A list is known again after its catalog is lost, and not fetched")
    func rebuilt() async throws {
        let fixture = try ListFixture(
            [Item("Mittens"), Item("Old", date: "1994-05-25"), Item("Mittens", id: "3")], pageSize: 1)
        try await fixture.refresh()
        let tree = fixture.tree
        let own = fixture.testMirror[".apod-mirror"]
        // Its catalog, all of the mirror's own, as in a copy, or only what is known of the list.
        for gone in ["catalog.sqlite", "", "cats"] {
            try await fixture.testMirror.close()
            for suffix in gone == "catalog.sqlite" ? ["", "-wal", "-shm"] : [""] {
                let place = gone == "cats" ? fixture.root : "\(own)/\(gone)\(suffix)"
                try #require(rename(place, "\(own)-\(gone)\(suffix)") == 0)
            }
            if gone == "cats" {
                // Away, it is forgotten.
                let isKnown = try await fixture.testMirror.mirror { try $0.archive.catalog.knows(fixture.list.name) }
                #expect(!isKnown)
                try #require(rename("\(own)-cats", fixture.root) == 0)
            }
            for pages in [3, 1] {
                #expect(try await fixture.refresh() == [], "\(gone)")
                #expect(fixture.files == 0 && fixture.tree == tree && fixture.pages.count == pages, "\(gone)")
            }
        }
        #expect(try await fixture.problems() == [])
    }

    @Test(
        "A list goes on behind a page of which nothing is of use",
        arguments: [["photo_url"], ["id", "photo_url"]])
    func useless(lacking: [String]) async throws {
        var items = (1...30).map { Item("Cat \($0)") }
        // All lack one of them, each another where there are two.
        for index in 10..<20 { items[index].lacking = [lacking[index % lacking.count]] }
        let fixture = try ListFixture(items, pageSize: 10)
        let told = try await fixture.refresh()
        #expect(told.count == 21 && told.contains { $0.contains("10 left out") })
        #expect(fixture.pictures.count == 20 && fixture.pages.count == 3)
        #expect(try await fixture.refresh() == [])
        #expect(fixture.pages == ["/cats"])
    }

    @Test("A list ends after ten pages without one, though there is always a next page")
    func barren() async throws {
        var items = (1...300).map { Item("Cat \($0)") }
        for index in 5..<300 { items[index].lacking = ["photo_url"] }
        let fixture = try ListFixture(items, pageSize: 5)
        let told = try await fixture.refresh()
        #expect(told.count == 6 && told.contains { $0.contains("50 left out") })
        #expect(fixture.pages.count == 11)
    }

    @Test("A list takes pictures that change places, and no other signature for a change")
    func addresses() async throws {
        let fixture = try ListFixture([Item("A", seed: 1), Item("B", seed: 2)])
        fixture.serve([("A", "A"), ("B", "B")])
        try await fixture.refresh()
        let before = try ["A", "B"].map { try contents("\(fixture.root)/\($0).jpg") }
        fixture.serve([("A", "A"), ("B", "B")], query: "?signature=2")
        #expect(try await fixture.refresh() == [] && fixture.files == 0)
        fixture.serve([("A", "B"), ("B", "A")])
        #expect(try await fixture.refresh().count == 4)
        #expect(try ["B", "A"].map { try contents("\(fixture.root)/\($0).jpg") } == before)
        #expect(try await fixture.problems() == [])
    }

    @Test("A list is whole though pictures fail, unless that many fail for the first time")
    func lasting() async throws {
        let fixture = try ListFixture((1...12).map { Item("Cat \($0)", seed: nil) })
        fixture.served.update { $0.lack = .html(503) }
        for isFirst in [true, false] {
            let told = try await fixture.refresh()
            #expect(told.contains { $0.hasPrefix("cats failed") } == isFirst)
        }
        #expect(try fixture.failed() == 12)
    }

    @Test("A list is repaired from the records that are here")
    func repair() async throws {
        let fixture = try ListFixture("Mittens", "Whiskers")
        try await fixture.refresh()
        try save([1, 2, 3], to: "\(fixture.root)/Mittens.jpg")
        unlink("\(fixture.root)/Whiskers.jpg")
        let problems = try await fixture.problems()
        #expect(problems.count == 2 && problems.allSatisfy { $0.contains("lists/cats/") })
        try await fixture.repair()
        #expect(try await fixture.problems() == [])
    }
}
