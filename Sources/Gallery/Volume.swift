import Apod
import Store

/// A part of an archive that has data files of its own: the days of a year or, of another list, the items whose names
/// begin with one.
///
/// `gallery/data/2026.js` is what walls and pages show of its days, oldest first. Of another list
/// `gallery/data/lists/hubble/2026.js`.
struct Volume {
    /// Raised with every change of the form of the data, or of the feed.
    static let version = 10

    let list: ListName?
    /// 0: of items without a date.
    let year: Int
    /// Oldest first.
    let items: [Item]
    /// The pictures that have smaller copies.
    let copies: [PictureKey: Catalog.ScreenCopies]
    /// What was replaced, of each item the oldest first.
    let replaced: [Key: [FormerVersion]]

    /// What the page's scripts call it: a year or, of a list, the path of its files below `gallery/data`.
    var key: JSON { list.map { .string($0.path("\(year)")) } ?? .integer(year) }

    /// What the page's scripts call a key: a date, or an item's list and mark.
    static func id(of key: Key) -> String { key.list.map { "\($0).\(key.mark)" } ?? key.mark }

    var lines: [JSON] { items.compactMap(line) }

    var script: [UInt8] { DataFile.bytes("year", key, .array(lines)) }

    /// `isShown`: by a gallery, which has smaller copies.
    func index(isShown: Bool) -> IndexedYear {
        let indexed = items.compactMap { item in
            item.stored.map { stored in
                let files = item.whole?.files ?? []
                return IndexedDay(
                    name: stored.name, title: stored.title, files: files,
                    hasCopies: isShown && files.image != nil && copies[PictureKey(item.key)] != nil,
                    document: stored.json, documentBytes: stored.jsonBytes)
            }
        }
        return IndexedYear(
            days: indexed, absent: items.filter { $0.state == .absent && $0.stored == nil }.map(\.key).days)
    }

    /// nil if there is nothing to show; of a list, what has no picture is not shown.
    private func line(_ item: Item) -> JSON? {
        let (key, whole) = (item.key, item.whole)
        if list != nil, whole?.image == nil { return nil }
        let why = why(item).map(JSON.string)
        guard let stored = item.stored else {
            return why.map { .object([("date", .string(Self.id(of: key))), ("why", $0)]) }
        }
        let files = whole?.files ?? []
        let video = files.first { $0.role == .video && !$0.isFormer }
        func members(_ file: StoredFile) -> [(String, JSON?)] {
            let copies = copies[PictureKey(key, file.role.number)]
            return [
                ("image", .string(file.type.suffix)), ("width", file.width.map(JSON.integer)),
                ("height", file.height.map(JSON.integer)), ("bytes", .integer(file.bytes)),
                ("copies", copies.map { _ in .integer(1) }),
                // Six digits.
                ("color", copies?.color.map { .string("\(String(0x100_0000 | $0, radix: 16).dropFirst())") }),
            ]
        }
        let also = files.images.filter(\.role.isFurther).map { file in
            JSON.sparse(
                members(file) + [
                    ("number", .integer(file.role.number)), ("rollover", file.isRollover ? .integer(1) : nil),
                    ("alt", file.alt.map(JSON.string)),
                ])
        }
        // When files were replaced, and what these are: picture, video or page.
        let replaced = (replaced[key] ?? []).flatMap { version in
            version.kinds.map { JSON.array([.day(Time.day(version.replaced)), .string($0)]) }
        }
        let picture: [(String, JSON?)] = whole?.image.map(members) ?? [("bytes", video.map { .integer($0.bytes) })]
        return .sparse(
            [
                ("date", .string(Self.id(of: key))), ("title", .string(stored.title)),
                ("stem", .string(stored.name.stem)),
                ("why", why), ("pruned", item.state == .pruned ? .integer(1) : nil),
            ] + picture + [
                ("video", video.map { .string($0.type.suffix) }),
                ("player", files.first { $0.role == .page }.map { .string($0.address.description) }),
                ("also", also.isEmpty ? nil : .array(also)), ("replaced", replaced.isEmpty ? nil : .array(replaced)),
            ])
    }

    /// Why a day has nothing to look at: `none` where the upstream has no picture, `waiting` for what comes by itself, or
    /// the failure's code; nil if there is something, or was until it was deleted, or the upstream has no such day. The
    /// full reasons can name folders: they are for the owner of the mirror.
    private func why(_ item: Item) -> String? {
        if item.hasMain { return nil }
        return switch item.state {
        case .placeholder: "none"
        case .failed: item.lacksFiles ? "waiting" : item.failure?.code.rawValue
        case .mirrored, .downgraded, .pruned, .absent, nil: nil
        }
    }
}
