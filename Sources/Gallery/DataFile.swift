import Apod
import Store

/// The data files. Each calls a function of the page's script.
enum DataFile {
    static let favorites = "favorites.js"
    static let links = "links.js"
    static let list = "list.js"

    /// `source`: a comment that says what the values were made from.
    static func bytes(_ function: String, _ values: JSON..., source: String = "") -> [UInt8] {
        "\(GeneratedFile.script)\(source)apod.\(function)(".bytes
            + values.map(Script.value).joined(separator: ", ".utf8) + ");\n".utf8
    }

    /// With an object whose members are the parts.
    static func bytes(_ function: String, _ first: JSON, _ parts: Parts) -> [UInt8] {
        "\(GeneratedFile.script)//\(parts.comment)\napod.\(function)(".bytes + Script.value(first) + ", {\n".bytes
            + parts.made.joined(separator: ",\n".bytes) + "\n});\n".bytes
    }

    /// The favorites and their albums, newest day first. Items of other lists, by their paths without a suffix
    /// (`Key.description`), come last.
    static func bytes(_ favorites: KnownFavorites) -> [UInt8] {
        let keys = favorites.keys.sorted(by: >)
        return bytes(
            "favorites",
            .array(
                (keys.filter { $0.list == nil } + keys.filter { $0.list != nil }).map { key in
                    .array([.string("\(key)"), .strings(favorites.albums(of: key))])
                }))
    }

    /// Which days' texts lead to which days: of each, its number and those of the days that it leads to, counted from the
    /// first day of APOD. `links`: sorted by their days.
    static func bytes(_ links: [(day: Day, target: Day)]) -> [UInt8] {
        var targets: [[Day]] = []
        for (day, target) in links {
            if targets.last?.first != day { targets.append([day]) }
            targets[targets.count - 1].append(target)
        }
        return bytes(
            "links", .array(targets.map { .array($0.map { .integer($0.number - Day.first.number) }) }))
    }

    /// The cover of another list, and how many pictures it has of which year, newest first.
    static func bytes(_ list: ListName, _ volumes: [Volume], cover: JSON?) -> [UInt8] {
        let counts = volumes.map { ($0.year, $0.items.count { $0.whole?.image != nil }) }.filter { $0.1 > 0 }
        let years = JSON.array(counts.map { .array([.integer($0), .integer($1)]) })
        return bytes("list", .string("\(list)"), .sparse([("years", years), ("cover", cover)]))
    }
}
