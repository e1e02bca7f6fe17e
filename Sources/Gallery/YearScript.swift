internal import Apod
internal import Archive
internal import Catalog

/// `gallery/data/2026.js`: what walls and pages show of a year's days, a line for each, oldest first.
enum YearScript {
    static let version = 2

    static func name(_ year: Int) -> String { "\(year).js" }

    /// `copied`: the days that have smaller copies.
    static func bytes(_ year: Int, _ days: [DayStatus], copied: Set<Day>) -> [UInt8] {
        var bytes = Array("\(GeneratedFile.script)apod.year(\(year), [\n".utf8)
        for status in days {
            guard let line = json(status, hasCopies: copied.contains(status.day)) else { continue }
            bytes += Script.value(line)
            bytes += ",\n".utf8
        }
        return bytes + Array("]);\n".utf8)
    }

    /// nil if there is nothing to show.
    private static func json(_ status: DayStatus, hasCopies: Bool) -> JSON? {
        let day = status.day
        guard let stored = status.stored else {
            guard status.state == .failed else { return nil }
            // The full reasons can name folders: they are for the owner of the mirror.
            let why = status.isCutOff ? "not fetched yet" : "could not be fetched"
            return .object([("date", .string("\(day)")), ("why", .string(why))])
        }
        let files = status.whole?.files ?? []
        let image = status.whole?.image
        let video = files.first { $0.role == .video && !$0.isFormer }
        let page = files.first { $0.role == .page && !$0.isFormer }
        let copy: JSON? = image != nil && hasCopies ? .integer(1) : nil
        let members: [(String, JSON?)] = [
            ("date", .string("\(day)")),
            ("title", .string(stored.title)),
            ("stem", .string(stored.name.stem)),
            ("pruned", status.state == .pruned ? .integer(1) : nil),
            ("image", image.map { .string($0.type.suffix) }),
            ("width", image?.width.map(JSON.integer)),
            ("height", image?.height.map(JSON.integer)),
            ("bytes", (image ?? video).map { .integer($0.bytes) }),
            ("small", copy),
            ("large", copy),
            ("video", video.map { .string($0.type.suffix) }),
            ("player", page.map { .string($0.address.description) }),
        ]
        return .object(members.compactMap { name, value in value.map { (name, $0) } })
    }
}
