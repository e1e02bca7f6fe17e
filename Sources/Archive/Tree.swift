package import Apod
package import Files
import Glibc

/// The folders of the mirror: the pictures that people see, and the mirror's own things.
package struct Tree: Sendable {
    package static let ownFolder = ".apod-mirror"
    package static let favorites = "favorites"
    package static let favoritesList = "favorites.json"
    package static let feed = "feed.xml"
    /// The folder, beside files, in which file managers look for thumbnails.
    package static let sharedThumbnails = ".sh_thumbnails"

    package static func ownPath(in root: String) -> String { "\(root)/\(ownFolder)" }
    package static func favoritesPath(in root: String) -> String { "\(root)/\(favorites)" }

    package let root: Folder
    /// In the root's own file system, so that a rename puts a file in its place.
    package let unfinished: Folder
    package let own: Folder

    package init(_ path: String) throws(StorageError) {
        root = try Folder.make(path)
        own = try root.makeFolder(Self.ownFolder)
        try Self.setModes(in: root)
        unfinished = try own.makeFolder("unfinished")
    }

    /// Lets everyone read the mirror's own folder, and the service's group write in `favorites`, whoever made them.
    private static func setModes(in root: Folder) throws(StorageError) {
        if try root.facts(of: ownFolder)?.permissions != 0o755 { try root.setMode(of: ownFolder, 0o755) }
        guard geteuid() < 1000, let facts = try root.facts(of: favorites), facts.isFolder,
            facts.permissions & 0o2070 != 0o2070
        else { return }
        try? root.folder(favorites)?.share()
    }

    /// The folder of a day's month, made if it is missing.
    package func folder(of day: Day) throws(StorageError) -> Folder {
        let (year, month) = Self.names(of: day.folder)
        return try root.makeFolder(year).makeFolder(month)
    }

    /// Splits `2026/11`.
    static func names(of month: String) -> (year: String, month: String) {
        let parts = month.split(separator: "/").map(String.init)
        return (parts[0], parts[1])
    }

    /// The folder of a day's month, for reading; nil if it is missing.
    package static func existingFolder(of day: Day, in root: Folder) throws(StorageError) -> Folder? {
        let parts = names(of: day.folder)
        do throws(StorageError) {
            return try root.folder(parts.year)?.folder(parts.month)
        } catch {
            // A link or a file in a folder's place is somebody else's.
            if error.isNoFolder { return nil }
            throw error
        }
    }

    /// The month folders that can be opened, with their paths below the root.
    package static func months(in root: Folder) throws(StorageError) -> [(path: String, folder: Folder)] {
        var months: [(String, Folder)] = []
        for year in try root.folders(where: FileName.isYear) {
            for month in try year.folder.folders(where: FileName.isMonth) {
                months.append(("\(year.name)/\(month.name)", month.folder))
            }
        }
        return months
    }

    /// Whether the mirror has a folder of this name in the root, apart from `favorites`.
    package static func isOwn(_ name: String) -> Bool {
        name == ownFolder || name == GalleryFolder.name || FileName.isYear(name)
    }

    /// The days that have a JSON file in a month's folder.
    static func days(in month: Folder) throws(StorageError) -> [FileName] {
        try month.names().compactMap { FileName($0, suffix: Metadata.suffix) }
    }

    /// The first day to mirror, kept in a file because the catalog can be lost.
    static func since(in own: Folder) -> Day? {
        guard let bytes = try? own.file("since")?.contents(atMost: 100) else { return nil }
        return Day(String(decoding: bytes, as: UTF8.self).prefix { !$0.isNewline })
    }

    func rememberSince(_ day: Day) throws(StorageError) {
        guard Self.since(in: own) != day else { return }
        try Staged(Array("\(day)\n".utf8), in: unfinished, as: "since").publishDurably(in: own, as: "since")
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
    /// Whether a day's file is intact, judged by its size or, `byContent`, by its SHA-256.
    func has(_ stored: StoredFile, as name: FileName, byContent: Bool = false) throws(StorageError) -> Bool {
        let name = name.with(stored)
        guard let facts = try facts(of: name), facts.isRegular, facts.bytes == stored.bytes else { return false }
        guard byContent else { return true }
        // A file that cannot be read is not intact.
        guard let file = try? file(name), let digest = try? Digest(of: file) else { return false }
        return digest == stored.sha256
    }
}
