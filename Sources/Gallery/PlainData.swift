import Apod
import Archive
import Catalog

/// The data files that are not of a year.
enum PlainData {
    static let favorites = "favorites.js"
    static let links = "links.js"
    static let list = "list.js"

    private static func call(_ name: String, _ values: [UInt8]) -> [UInt8] {
        Array("\(GeneratedFile.script)apod.\(name)(".utf8) + values + ");\n".utf8
    }

    /// The favorites and their albums, newest day first, a line for each. Items of other lists, by their paths without a
    /// suffix (`Subject.description`), come last.
    static func bytes(_ favorites: KnownFavorites) -> [UInt8] {
        let subjects = favorites.subjects.sorted(by: >)
        let items = subjects.prefix { $0.list != nil }
        let lines = (subjects.dropFirst(items.count) + items).map { subject in
            JSON.array([.string("\(subject)"), .strings(favorites.albums(of: subject))])
        }
        return call("favorites", "[\n".utf8 + lines.flatMap { Script.value($0) + ",\n".utf8 } + "]".utf8)
    }

    /// Which days' texts lead to which days. Each word is a day and those that it leads to, each of them three digits to
    /// the base of 36 that count from the first day of APOD. `links`: sorted by their days.
    static func bytes(_ links: [(day: Day, target: Day)]) -> [UInt8] {
        var words: [UInt8] = []
        words.reserveCapacity(links.count * 8)
        var last: Day?
        func append(_ day: Day) {
            let number = day.number - Day.first.number
            words += [number / 1296, number / 36 % 36, number % 36].map { digits[$0] }
        }
        for (day, target) in links {
            if day != last {
                words.append(UInt8(ascii: " "))
                append(day)
                last = day
            }
            append(target)
        }
        return call("links", Array("\"".utf8) + words + "\"".utf8)
    }

    private static let digits = Array("0123456789abcdefghijklmnopqrstuvwxyz".utf8)

    /// The cover of another list, and how many pictures it has of which year, newest first.
    static func bytes(_ list: ListName, _ counts: [(year: Int, pictures: Int)], cover: JSON?) -> [UInt8] {
        let years = JSON.array(
            counts.filter { $0.pictures > 0 }.map { .array([.integer($0.year), .integer($0.pictures)]) })
        return call("list", "\"\(list)\", ".utf8 + Script.value(.sparse([("years", years), ("cover", cover)])))
    }
}
