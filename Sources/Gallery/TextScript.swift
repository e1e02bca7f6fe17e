internal import Apod
internal import Archive
internal import Catalog
internal import Files

/// `gallery/data/2026-text.js`: the texts of a year's days, for their pages and for searching, a line for each.
///
/// Each line names the JSON it was made from, and the head has a digest of all: only changed days are read.
struct TextScript {
    static let version = 1

    let year: Int
    private let days: [StoredDay]

    init(_ year: Int, _ days: [DayStatus]) {
        self.year = year
        self.days = days.compactMap(\.stored)
    }

    var name: String { Self.name(year) }

    static func name(_ year: Int) -> String { "\(year)-text.js" }

    private var head: [UInt8] { head(Digest(of: days.flatMap { Array("\($0.name.day)".utf8) + $0.json.bytes })) }

    /// `all`: nil if a day cannot be read. The next run then tries again.
    private func head(_ all: Digest?) -> [UInt8] {
        let digest = all?.description ?? "-"
        return Array("\(GeneratedFile.script)// \(Self.version) \(digest)\napod.texts(\(year), {\n".utf8)
    }

    func isUpToDate(_ beginning: [UInt8]?) -> Bool { beginning?.starts(with: head) ?? false }

    /// `old`: the present file. `read`: returns a day's texts; nil if its JSON cannot be read.
    func bytes(after old: [UInt8]?, _ read: (StoredDay) throws(StorageError) -> DayText?) throws(StorageError)
        -> [UInt8]
    {
        let known = Self.lines(of: old ?? [])
        var (lines, isWhole): ([UInt8], Bool) = ([], true)
        lines.reserveCapacity(old?.count ?? 0)
        for day in days {
            if let line = known[Array(Self.key(day))] {
                lines += line
            } else if let text = try read(day) {
                lines += Self.key(day) + Script.value(Self.json(text)).dropFirst() + ",\n".utf8
            } else {
                isWhole = false
            }
        }
        return (isWhole ? head : head(nil)) + lines + Array("});\n".utf8)
    }

    /// The beginning of a day's line.
    private static func key(_ day: StoredDay) -> [UInt8] {
        Array("\"\(day.name.day)\":{\"of\":\"\("\(day.json)".prefix(16))\",".utf8)
    }

    private static func json(_ text: DayText) -> JSON {
        let members: [(String, JSON?)] = [
            ("text", text.explanation.json), ("credit", text.credit?.json),
            ("alt", text.alt.map(JSON.string)), ("page", .string(text.permalink)),
        ]
        return .object(members.compactMap { name, value in value.map { (name, $0) } })
    }

    /// Lines by their beginnings; none if another version wrote them.
    private static func lines(of old: [UInt8]) -> [[UInt8]: ArraySlice<UInt8>] {
        guard old.starts(with: Array("\(GeneratedFile.script)// \(version) ".utf8)) else { return [:] }
        let length = "\"2026-11-20\":{\"of\":\"0123456789abcdef\",".utf8.count
        var lines: [[UInt8]: ArraySlice<UInt8>] = [:]
        var start = 0
        while let end = old[start...].firstIndex(of: UInt8(ascii: "\n")) {
            let line = old[start...end]
            if line.count > length, line.first == UInt8(ascii: "\"") { lines[Array(line.prefix(length))] = line }
            start = end + 1
        }
        return lines
    }
}
