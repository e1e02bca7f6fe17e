import Testing

@testable import Apod

struct SubjectTests {
    static func item(_ stem: String, _ list: String = "cats", id: String? = nil) -> Subject {
        Subject(FileName(stemOfItem: stem, of: ListName(list)!)!, id: id)
    }

    private static let day = Subject(Day("2026-11-20")!)

    @Test("A list and an item have numbers of their own, also where names differ in their last letter alone")
    func numbers() {
        let lists = (1...3000).map { ListName("l-\($0)")! } + "abcdefghijklmnop".map { ListName("\($0)")! }
        // Two of so many may have one.
        #expect(Set(lists.map(\.number)).count > lists.count - 6)
        let stems = (0..<20_000).map { "Cat \($0)" }
        let items = stems.map { Day(item: $0, of: lists[0]) }
        #expect(Set(items).count == stems.count && items.allSatisfy(Day.all(of: lists[0]).contains))
        #expect(items.allSatisfy { $0.listNumber == lists[0].number && Day(keyOfItem: $0.key) == $0 })
        #expect(!Day.all(of: lists[0]).overlaps(Day.all(of: lists[1])) && Day.any.contains(items[0]))
    }

    @Test(
        "What a favorite is of is written in words and in JSON, and read back",
        arguments: [
            (day, "2026-11-20", "{\"date\":\"2026-11-20\"}"),
            (item("Mittens", id: "7"), "lists/cats/Mittens", "{\"list\":\"cats\",\"id\":\"7\",\"name\":\"Mittens\"}"),
            (item("Mr. Ö.jpg"), "lists/cats/Mr. Ö.jpg", "{\"list\":\"cats\",\"name\":\"Mr. Ö.jpg\"}"),
            (
                item("1994-05-25 Old (2)", id: ""), "lists/cats/1994/1994-05-25 Old (2)",
                "{\"list\":\"cats\",\"id\":\"\",\"name\":\"1994-05-25 Old (2)\"}"
            ),
        ])
    func words(subject: Subject, words: String, json: String) throws {
        #expect(subject.description == words && Subject(words) == subject)
        #expect(JSON.sparse(subject.members).line == json)
        let read = try #require(Subject(JSONText(Array(json.utf8)).members!))
        #expect(read == subject && read.id == subject.id && read.folder == subject.folder)
    }

    @Test(
        "What a favorite is of is named by the path of one of its files in any mirror",
        arguments: [
            ("lists/cats/Mittens.jpg", item("Mittens")), ("/nas/lists/cats/Mittens.json", item("Mittens")),
            ("../../lists/cats/Mittens", item("Mittens")), ("lists/cats/Mr. Fluff", item("Mr. Fluff")),
            ("lists/cats/Zo\u{65}\u{308}.jpg", item("Zo\u{eb}")),
            ("x/lists/hubble/1994/1994-05-25 Old.bak", item("1994-05-25 Old.bak", "hubble")),
            ("x/lists/hubble/1994/1994-05-25 Old.png", item("1994-05-25 Old", "hubble")),
            ("lists/cats/1994-05-25 Old.jpg", nil), ("lists/cats/1994/Old.jpg", nil), ("lists/cats/.hidden", nil),
            ("lists/Cats/Mittens.jpg", nil), ("xlists/cats/Mittens.jpg", nil), ("cats/Mittens.jpg", nil),
            ("lists/cats", nil), ("lists/Mittens.jpg", nil), ("", nil), ("lists/cats/a\\b.jpg", nil),
        ] as [(String, Subject?)])
    func path(path: String, expected: Subject?) {
        #expect(Subject(itemOfFile: Array(path.utf8)) == expected)
    }

    @Test("What a favorite is of is the same by its list and name, and its id finds it by another name")
    func equality() {
        #expect(Self.item("Mittens", id: "7") == Self.item("Mittens"))
        #expect(Self.item("Mittens") != Self.item("Mittens", "dogs"))
        #expect(Self.item("Mittens", id: "7").isRenamed(Self.item("Tom", id: "7")))
        for other in [Self.item("Mittens", id: "7"), Self.item("Tom", "dogs", id: "7"), Self.item("Tom"), Self.day] {
            #expect(!Self.item("Mittens", id: "7").isRenamed(other))
        }
        let sorted = [Self.day, Self.item("B"), Self.item("A", "dogs")]
        #expect(sorted.reversed().sorted() == sorted && sorted.days == [Self.day.day])
    }
}
