package import Apod
package import Files
import Glibc

/// The folders of the mirror: the pictures that people see, and the mirror's own things.
package struct Tree: Sendable {
    package static let ownFolder = ".apod-mirror"
    package static let favorites = "favorites"
    package static let favoritesList = "favorites.json"
    package static let (feed, changes) = ("feed.xml", "changes.xml")
    /// Folders of links, for who makes them.
    package static let (search, today) = ("search", "today")
    /// The favorites, for digital frames.
    package static let frame = "frame"
    /// The folder, beside files, in which file managers look for thumbnails.
    package static let sharedThumbnails = ".sh_thumbnails"

    package static let lists = ListName.folder
    static let setAside = "set-aside"

    package static func ownPath(in root: String) -> String { "\(root)/\(ownFolder)" }

    /// The list whose folder a path below the root leads to, or into.
    package static func list(ofPath path: String) -> ListName? {
        let parts = parts(of: path)
        return parts.count > 1 && parts[0] == lists ? ListName(parts[1]) : nil
    }

    /// The other lists of which something is here, by name. Whoever deletes the folder of one is rid of it.
    static func lists(in root: Folder) -> [ListName] {
        let own = listFolders(in: (try? root.folder(ownFolder)) ?? nil)
        return listFolders(in: root).filter(own.contains)
    }

    /// The lists that have a folder in one of the mirror's, by name.
    package static func listFolders(in folder: Folder?) -> [ListName] {
        ((try? folder?.folder(lists)?.names()) ?? []).compactMap { ListName($0) }.sorted()
    }

    /// Whether there is nothing in the place of a list's folder.
    static func isGone(_ list: ListName, in root: Folder) throws -> Bool {
        guard let kind = try root.kind(of: lists) else { return true }
        return kind == .folder ? try root.folder(lists)?.kind(of: "\(list)") == nil : false
    }

    /// Whether a person has ended a list by deleting its folder.
    package static func hasEnded(_ list: ListName, in root: Folder) throws -> Bool {
        guard try isGone(list, in: root) else { return false }
        return try existingFolder("\(ownFolder)/\(list.path())", in: root) != nil
    }

    package static func favoritesPath(in root: String) -> String { "\(root)/\(favorites)" }

    package let root: Folder
    /// In the root's own file system, so that a rename puts a file in its place.
    package let unfinished: Folder
    package let own: Folder

    package init(_ path: String) throws {
        root = try Folder.make(path)
        own = try root.makeFolder(Self.ownFolder)
        try Self.setModes(in: root)
        unfinished = try own.makeFolder(Self.unfinishedName)
    }

    static let unfinishedName = "unfinished"

    /// Lets everyone read the mirror's own folder, and the service's group write in `favorites`, whoever made them.
    private static func setModes(in root: Folder) throws {
        if try root.facts(of: ownFolder)?.permissions != 0o755 { try root.setMode(of: ownFolder, 0o755) }
        guard geteuid() < 1000, let facts = try root.facts(of: favorites), facts.isFolder,
            facts.permissions & 0o2070 != 0o2070
        else { return }
        try? root.folder(favorites)?.share()
    }

    /// The folder of a name's files (`FileName.folder`), made if it is missing.
    package func folder(_ path: String) throws -> Folder { try Self.makeFolder(path, in: root) }

    /// A folder at a path, made if it is missing.
    package static func makeFolder(_ path: String, in folder: Folder) throws -> Folder {
        var folder = folder
        for part in parts(of: path) { folder = try folder.makeFolder(part) }
        return folder
    }

    /// Splits `2026/11`.
    static func parts(of path: String) -> [String] { path.split(separator: "/").map(String.init) }

    /// The folder of a name's files, for reading; nil if it is missing.
    package static func existingFolder(_ path: String, in root: Folder) throws -> Folder? {
        do {
            var folder: Folder? = root
            for part in parts(of: path) { folder = try folder?.folder(part) }
            return folder
        } catch {
            // A link or a file in a folder's place is somebody else's.
            if error.problem.isNoFolder { return nil }
            throw error
        }
    }

    /// The month folders that can be opened, with their paths below the root.
    package static func months(in root: Folder) throws -> [(path: String, folder: Folder)] {
        var months: [(path: String, folder: Folder)] = []
        for year in try root.folders(where: FileName.isYear) {
            for month in try year.folder.folders(where: FileName.isMonth) {
                months.append(("\(year.name)/\(month.name)", month.folder))
            }
        }
        return months
    }

    /// The folders with files of APOD or of another list that can be opened, with their paths below the root: months, or
    /// the list's and its years.
    package static func folders(in root: Folder, of list: ListName?) throws -> [(path: String, folder: Folder)] {
        guard let list else { return try months(in: root) }
        guard let folder = try existingFolder(list.path(), in: root) else { return [] }
        let years = try folder.folders(where: FileName.isYear)
        return [(path: list.path(), folder: folder)] + years.map { (path: list.path($0.name), folder: $0.folder) }
    }

    /// Those of APOD and of all other lists.
    package static func folders(in root: Folder) throws -> [(path: String, folder: Folder)] {
        try months(in: root) + listFolders(in: root).flatMap { try folders(in: root, of: $0) }
    }

    /// Whether the mirror has a folder of this name in the root, apart from `favorites`.
    package static func isOwn(_ name: String) -> Bool {
        name == ownFolder || name == GalleryFolder.name || name == lists || FileName.isYear(name)
    }

    /// The days, or items, that have a JSON file in a folder of the tree. `path`: the folder's, below the root.
    static func days(in folder: Folder, _ path: String) throws -> [FileName] {
        let list = list(ofPath: path)
        return try folder.names().compactMap { FileName($0, suffix: FileName.json, of: list) }
    }

    /// The first day to mirror, kept in a file because the catalog can be lost.
    static func since(in own: Folder) -> Day? {
        guard let bytes = try? own.file("since")?.contents(atMost: 100) else { return nil }
        return Day(bytes.text.prefix { !$0.isNewline })
    }

    func rememberSince(_ day: Day) throws {
        guard Self.since(in: own) != day else { return }
        try Staged("\(day)\n".bytes, in: unfinished, as: "since").publishDurably(in: own, as: "since")
    }

    /// Deletes unfinished downloads that have not changed for a month. Errors are ignored: the next refresh tries again.
    package func removeStale(now: Int) {
        for name in (try? unfinished.names()) ?? [] {
            guard let facts = try? unfinished.facts(of: name), facts.changed < now - 30 * 86_400 else { continue }
            try? unfinished.remove(name)
        }
    }
}

extension Folder {
    /// Whether a person has changed a day's file: its bytes are not those that the mirror stored. They are read only where its
    /// size or time are not, either: damage by a disk keeps both.
    package func isEdited(_ stored: StoredFile, as name: FileName) throws -> Bool {
        guard let facts = try facts(of: name.with(stored)), facts.isRegular else { return false }
        let isAsStored =
            facts.bytes == stored.bytes && facts.modified == name.key.noon && facts.modifiedNanoseconds == 0
        return try !isAsStored && !has(stored, as: name, byContent: true)
    }

    /// Whether a day's file is intact, judged by its size or, `byContent`, by its SHA-256.
    func has(_ stored: StoredFile, as name: FileName, byContent: Bool = false) throws -> Bool {
        let name = name.with(stored)
        if byContent { return try has(name, bytes: stored.bytes, sha256: stored.sha256) }
        guard let facts = try facts(of: name) else { return false }
        return facts.isRegular && facts.bytes == stored.bytes
    }
}
