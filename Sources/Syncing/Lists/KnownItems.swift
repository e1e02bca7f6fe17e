import Apod
import Store
import Upstream

/// The items of a list by their ids, and the names that are taken.
struct KnownItems: Sendable {
    private let list: ListName
    private var entries: [String: ItemEntry] = [:]
    private var taken: Set<String>
    private var numbers: Set<Day> = []
    /// How often a title was given already, by the first name made of it.
    private var numbersUsed: [String: Int] = [:]

    /// `files`: the names of the files in the list's folders, some of which may be a person's own.
    init(_ list: ListName, _ entries: [ItemEntry], files: [String]) {
        self.list = list
        let stems =
            entries.map(\.name.stem) + [FileName.cover(of: list).stem]
            + files.compactMap { FileName.parts(of: $0)?.stem }
        taken = Set(stems.map { $0.lowercased() })
        for entry in entries.sorted(by: { $0.id < $1.id }) where numbers.insert(entry.name.day).inserted {
            self.entries[entry.id] = entry
        }
    }

    /// Names that differ in case alone are one for some systems.
    private static func key(_ name: FileName) -> String { name.stem.lowercased() }

    subscript(id: String) -> ItemEntry? { entries[id] }

    /// Chooses a name for a new item.
    mutating func add(_ item: ListItem) -> FileName {
        var name = FileName(itemWithTitle: item.title, date: item.date, of: list)
        let first = Self.key(name)
        var number = numbersUsed[first] ?? 1
        while taken.contains(Self.key(name)) || numbers.contains(name.day) {
            number += 1
            name = FileName(itemWithTitle: item.title, date: item.date, number: number, of: list)
        }
        numbersUsed[first] = number
        taken.insert(Self.key(name))
        numbers.insert(name.day)
        return name
    }
}
