import Apod
import Testing

struct KeyTests {
    private static func item(_ stem: String, _ list: String = "cats") -> Key {
        .item(ItemName(stem: stem, of: ListName(list)!)!)
    }

    private static let day = Key.day(Day("2026-11-20")!)

    @Test("A list and an item have a mark of their own, also where names differ in their last letter alone")
    func marks() {
        let names = (1...3000).map { "l-\($0)" } + "abcdefghijklmnop".map { "\($0)" }
        // Two of so many lists may have one.
        #expect(Set(names.map { Self.item("cover", $0).mark }).count > names.count - 6)
        let marks = (0..<20_000).map { Self.item("Cat \($0)").mark }
        #expect(Set(marks).count == marks.count && marks.allSatisfy(Key.isMark))
        // Addresses and smaller copies that are there are called so.
        #expect(
            Self.item("Mittens").mark == "0fb96d1be069f679" && Self.day.mark == "2026-11-20"
                && !Key.isMark(Self.day.mark))
    }

    @Test(
        "A key is written in words and in JSON, and read back",
        arguments: [
            (day, nil, "2026-11-20", #"{"date":"2026-11-20"}"#),
            (item("Mr. Ö.jpg"), nil, "lists/cats/Mr. Ö.jpg", #"{"list":"cats","name":"Mr. Ö.jpg"}"#),
            (
                item("1994-05-25 Old (2)"), "7", "lists/cats/1994/1994-05-25 Old (2)",
                #"{"list":"cats","id":"7","name":"1994-05-25 Old (2)"}"#
            ),
        ] as [(Key, String?, String, String)])
    func words(key: Key, id: String?, words: String, json: String) throws {
        #expect(key.description == words && Key(words) == key)
        #expect(JSON.sparse(key.members(id: id)).line == json)
        let read = try #require(Key(JSONText(json.bytes)))
        #expect(read == key && read.folder == key.folder)
    }

    @Test(
        "A key is named by the path of one of its files in any mirror",
        arguments: [
            ("/nas/lists/cats/Mittens.json", item("Mittens")), ("../../lists/cats/Mittens", item("Mittens")),
            ("lists/cats/Zo\u{65}\u{308}.jpg", item("Zo\u{eb}")),
            ("x/lists/hubble/1994/1994-05-25 Old.bak", item("1994-05-25 Old.bak", "hubble")),
            ("lists/cats/1994-05-25 Old.jpg", nil), ("lists/cats/1994/Old.jpg", nil),
            ("xlists/cats/Mittens.jpg", nil), ("lists/cats", nil),
        ] as [(String, Key?)])
    func path(path: String, expected: Key?) { #expect(Key(itemOfFile: path.bytes) == expected) }

    @Test("A key is the same by its list and name, and days come before items")
    func order() {
        #expect(Self.item("Mittens") == Self.item("Mittens") && Self.item("Mittens") != Self.item("Mittens", "dogs"))
        let sorted = [Self.day, Self.item("B"), Self.item("A", "dogs")]
        #expect(sorted.reversed().sorted() == sorted && sorted.days == [Self.day.day!])
    }
}
