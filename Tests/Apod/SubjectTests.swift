import Apod
import Testing

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
        let items = (0..<20_000).map { Day(item: "Cat \($0)", of: lists[0]) }
        #expect(Set(items).count == items.count && items.allSatisfy(Day.all(of: lists[0]).contains))
        #expect(items.allSatisfy { $0.listNumber == lists[0].number && Day(keyOfItem: $0.key) == $0 })
        #expect(!Day.all(of: lists[0]).overlaps(Day.all(of: lists[1])) && Day.any.contains(items[0]))
    }

    @Test(
        "A favorite's subject is written in words and in JSON, and read back",
        arguments: [
            (day, "2026-11-20", #"{"date":"2026-11-20"}"#),
            (item("Mr. Ö.jpg"), "lists/cats/Mr. Ö.jpg", #"{"list":"cats","name":"Mr. Ö.jpg"}"#),
            (
                item("1994-05-25 Old (2)", id: "7"), "lists/cats/1994/1994-05-25 Old (2)",
                #"{"list":"cats","id":"7","name":"1994-05-25 Old (2)"}"#
            ),
        ])
    func words(subject: Subject, words: String, json: String) throws {
        #expect(subject.description == words && Subject(words) == subject)
        #expect(JSON.sparse(subject.members).line == json)
        let read = try #require(Subject(JSONText(json.bytes).members!))
        #expect(read == subject && read.id == subject.id && read.folder == subject.folder)
    }

    @Test(
        "A favorite's subject is named by the path of one of its files in any mirror",
        arguments: [
            ("/nas/lists/cats/Mittens.json", item("Mittens")), ("../../lists/cats/Mittens", item("Mittens")),
            ("lists/cats/Zo\u{65}\u{308}.jpg", item("Zo\u{eb}")),
            ("x/lists/hubble/1994/1994-05-25 Old.bak", item("1994-05-25 Old.bak", "hubble")),
            ("lists/cats/1994-05-25 Old.jpg", nil), ("lists/cats/1994/Old.jpg", nil),
            ("xlists/cats/Mittens.jpg", nil), ("lists/cats", nil),
        ] as [(String, Subject?)])
    func path(path: String, expected: Subject?) { #expect(Subject(itemOfFile: path.bytes) == expected) }

    @Test("A favorite's subject is the same by its list and name, and its id finds it by another name")
    func equality() {
        let mittens = Self.item("Mittens", id: "7")
        #expect(mittens == Self.item("Mittens") && mittens != Self.item("Mittens", "dogs"))
        #expect(mittens.isRenamed(Self.item("Tom", id: "7")))
        for other in [mittens, Self.item("Tom", "dogs", id: "7"), Self.item("Tom"), Self.day] {
            #expect(!mittens.isRenamed(other))
        }
        let sorted = [Self.day, Self.item("B"), Self.item("A", "dogs")]
        #expect(sorted.reversed().sorted() == sorted && sorted.days == [Self.day.day])
    }
}
