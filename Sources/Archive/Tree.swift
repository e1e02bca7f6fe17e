package import Apod
package import Files

/// The folders of the mirror: the pictures that people see, and the mirror's own things.
package struct Tree: Sendable {
    package static let ownFolder = ".apod-mirror"
    package static let favorites = "favorites"
    package static let favoritesList = "favorites.json"

    package let root: Folder
    /// In the root's own file system, so that a rename is all it takes to put a file in its place.
    package let unfinished: Folder
    package let own: Folder

    package init(_ path: String) throws(DiskError) {
        root = try Folder.make(path)
        own = try root.makeFolder(Self.ownFolder)
        unfinished = try own.makeFolder("unfinished")
    }

    /// The folder of a day's month, made if it is missing.
    package func folder(of day: Day) throws(DiskError) -> Folder {
        let parts = day.folder.split(separator: "/").map(String.init)
        return try root.makeFolder(parts[0]).makeFolder(parts[1])
    }

    /// The same, to read.
    package static func existingFolder(of day: Day, in root: Folder) throws(DiskError) -> Folder? {
        let parts = day.folder.split(separator: "/").map(String.init)
        do throws(DiskError) {
            return try root.folder(parts[0])?.folder(parts[1])
        } catch {
            // A link or a file in a folder's place is somebody else's.
            if error.isNoFolder { return nil }
            throw error
        }
    }

    /// All folders of months, with their paths below the root.
    static func months(in root: Folder) throws(DiskError) -> [(path: String, folder: Folder)] {
        var months: [(String, Folder)] = []
        for year in try root.folders(where: { $0.utf8.count == 4 && Int($0) != nil }) {
            for month in try year.folder.folders(where: { $0.utf8.count == 2 && Int($0) != nil }) {
                months.append(("\(year.name)/\(month.name)", month.folder))
            }
        }
        return months
    }

    /// The days that have a JSON file in a month's folder.
    static func days(in month: Folder) throws(DiskError) -> [FileName] {
        try month.names().compactMap { FileName($0, suffix: Metadata.suffix) }
    }

    /// Puts a link in its place in the root, and returns whether it had to; there is no moment without one. A folder
    /// of this name is the person's.
    func point(_ name: String, to target: String) throws(DiskError) -> Bool {
        guard root.target(of: name) != target, try root.facts(of: name)?.isFolder != true else { return false }
        let temporary = "\(name).new"
        try own.remove(temporary)
        try own.makeLink(temporary, to: target)
        try own.rename(temporary, to: root, as: name)
        return true
    }

    /// Where the range to mirror begins, kept apart from the catalog, which can be lost.
    var since: Day? {
        guard let bytes = try? own.file("since")?.contents(atMost: 100) else { return nil }
        return Day(String(decoding: bytes, as: UTF8.self).prefix { !$0.isNewline })
    }

    func rememberSince(_ day: Day) throws(DiskError) {
        guard since != day else { return }
        try Staged(Array("\(day)\n".utf8), in: unfinished, as: "since").publish(in: own, as: "since")
        try own.sync()
    }

    /// Unfinished downloads that nobody went on with for a month.
    package func removeStale(now: Int) throws(DiskError) {
        for name in try unfinished.names() {
            guard let facts = try unfinished.facts(of: name), facts.changed < now - 30 * 86_400 else { continue }
            try unfinished.remove(name)
        }
    }
}
