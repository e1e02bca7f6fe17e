internal import Apod
internal import Archive
internal import Catalog

/// `gallery/data/2026.js`: what walls and pages show of a year's days, a line for each, oldest first. Of another list
/// `gallery/data/lists/hubble/2026.js`.
enum YearScript {
    static let version = 7

    static func name(_ year: Int) -> String { "\(year).js" }

    /// `copies`: the pictures that have smaller copies. `replaced`: what was replaced, of each day the oldest first.
    static func bytes(
        _ volume: Volume, copies: [DayPicture: Catalog.ScreenCopies], replaced: [Day: [FormerVersion]]
    ) -> [UInt8] {
        var bytes = Array("\(GeneratedFile.script)apod.year(\(volume.key), [\n".utf8)
        for status in volume.days {
            let line = json(status, in: volume, copies, replaced: replaced[status.day] ?? [])
            if let line { bytes += Script.value(line) + ",\n".utf8 }
        }
        return bytes + Array("]);\n".utf8)
    }

    /// nil if there is nothing to show; of a list, what has no picture is not shown.
    static func json(
        _ status: DayStatus, in volume: Volume, _ copies: [DayPicture: Catalog.ScreenCopies],
        replaced: [FormerVersion] = []
    ) -> JSON? {
        let day = status.day
        if volume.list != nil, status.whole?.image == nil { return nil }
        let why = why(status)
        guard let stored = status.stored else {
            return why.map { .object([("date", .day(day)), ("why", .string($0))]) }
        }
        let files = status.whole?.files ?? []
        let image = status.whole?.image
        let video = files.first { $0.role == .video && !$0.isFormer }
        let page = files.first { $0.role == .page }
        let further = files.images.filter(\.role.isFurther)
        let replaced = replaced.flatMap(corrections)
        func members(_ file: StoredFile) -> [(String, JSON?)] {
            let copies = copies[DayPicture(day, file.role.number)]
            return [
                ("image", .string(file.type.suffix)),
                ("width", file.width.map(JSON.integer)),
                ("height", file.height.map(JSON.integer)),
                ("bytes", .integer(file.bytes)),
                ("copies", copies.map { _ in .integer(1) }),
                ("color", copies?.color.map { .string(hexadecimal($0)) }),
            ]
        }
        let also = further.map { file in
            JSON.sparse(
                members(file) + [
                    ("number", .integer(file.role.number)),
                    ("rollover", file.isRollover ? .integer(1) : nil),
                    ("alt", file.alt.map(JSON.string)),
                ])
        }
        let bytesOfVideo = image == nil ? video.map { JSON.integer($0.bytes) } : nil
        return .sparse(
            [
                ("date", .string(volume.id(of: day))),
                ("title", .string(stored.title)),
                ("stem", .string(stored.name.stem)),
                ("why", why.map(JSON.string)),
                ("pruned", status.state == .pruned ? .integer(1) : nil),
            ] + (image.map(members) ?? []) + [
                ("bytes", bytesOfVideo),
                ("video", video.map { .string($0.type.suffix) }),
                ("player", page.map { .string($0.address.description) }),
                ("also", also.isEmpty ? nil : .array(also)),
                ("replaced", replaced.isEmpty ? nil : .array(replaced)),
            ])
    }

    /// Six digits.
    private static func hexadecimal(_ color: Int) -> String { "\(String(0x100_0000 | color, radix: 16).dropFirst())" }

    /// The days on which files were replaced, and what these are: picture, video or page.
    private static func corrections(_ version: FormerVersion) -> [JSON] {
        version.kinds.map { .array([.day(Day(utc: version.replaced)), .string($0)]) }
    }

    /// Why a day has nothing to look at: `none` where the upstream has no picture, `waiting` for what comes by itself, or
    /// the failure's code; nil if there is something, or was until it was deleted, or the upstream has no such day. The
    /// full reasons can name folders: they are for the owner of the mirror.
    private static func why(_ status: DayStatus) -> String? {
        if status.stored?.files.main != nil { return nil }
        return switch status.state {
        case .placeholder: "none"
        case .failed: status.lacksFiles ? "waiting" : status.failure?.code.rawValue
        case .mirrored, .downgraded, .pruned, .absent: nil
        }
    }
}
