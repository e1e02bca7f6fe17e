import Apod
import Store
import Upstream

/// The items of a list by their ids, and the names that are taken.
struct KnownItems: Sendable {
    private let list: ListName
    private var entries: [String: ItemEntry] = [:]
    private var taken: Set<String>
    private var marks: Set<String> = []
    /// How often a title was given already, by the first name made of it.
    private var numbersUsed: [String: Int] = [:]

    /// `files`: the names of the files in the list's folders, some of which may be a person's own.
    init(_ list: ListName, _ entries: [ItemEntry], files: [String]) {
        self.list = list
        let stems =
            entries.map(\.name.stem) + [Key.cover(of: list).front] + files.compactMap { FileName.parts(of: $0)?.stem }
        taken = Set(stems.map { $0.lowercased() })
        for entry in entries.sorted(by: { $0.id < $1.id }) where marks.insert(entry.key.mark).inserted {
            self.entries[entry.id] = entry
        }
    }

    subscript(id: String) -> ItemEntry? { entries[id] }

    /// Chooses a name for a new item.
    mutating func add(_ item: ListItem) -> ItemName {
        func name(_ number: Int) -> ItemName {
            ItemName(title: item.title, date: item.date, number: number, of: list)
        }
        var chosen = name(1)
        // Names that differ in case alone are one for some systems.
        let first = chosen.stem.lowercased()
        var number = numbersUsed[first] ?? 1
        while taken.contains(chosen.stem.lowercased()) || marks.contains(Key.item(chosen).mark) {
            number += 1
            chosen = name(number)
        }
        numbersUsed[first] = number
        taken.insert(chosen.stem.lowercased())
        marks.insert(Key.item(chosen).mark)
        return chosen
    }
}
