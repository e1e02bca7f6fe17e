internal import Apod
internal import Archive
internal import Catalog

/// `gallery/data/lists/cats/list.js`: the cover of another list, and how many pictures it has of which year.
enum ListScript {
    static let name = "list.js"

    /// Newest first.
    static func bytes(
        _ list: ListName, _ volumes: [Volume], cover: DayStatus?, copies: [DayPicture: Catalog.ScreenCopies]
    ) -> [UInt8] {
        let cover = cover.flatMap { YearScript.json($0, in: Volume(list: list, year: 0, days: []), copies) }
        let json = JSON.sparse([
            (
                "years",
                .array(volumes.filter { $0.pictures > 0 }.map { .array([.integer($0.year), .integer($0.pictures)]) })
            ),
            ("cover", cover),
        ])
        return Array("\(GeneratedFile.script)apod.list(\"\(list)\", ".utf8) + Script.value(json) + ");\n".utf8
    }
}
