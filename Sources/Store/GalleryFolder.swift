import Apod
package import Files

/// The folder `gallery`: smaller copies of pictures by year (`gallery/2026`) and list (`gallery/lists/cats`), and the files
/// that show them.
package enum GalleryFolder {
    package static let name = GallerySize.folder
    package static let script = "gallery.js"
    /// An empty folder that marks `gallery` as the mirror's, whatever others put into it.
    private static let signature = ".made-by-apod-mirror"

    /// Whether the folder is the mirror's, is missing, or holds nothing but years.
    package static func isOwn(in root: Folder) throws -> Bool {
        guard let kind = try root.kind(of: name) else { return true }
        guard kind == .folder else { return false }
        do {
            guard let folder = try root.folder(name) else { return false }
            if try folder.kind(of: signature) == .folder { return true }
            // A copy may lack hidden folders like the signature.
            if try folder.facts(of: script) != nil { return try !GeneratedFile.isForeign(script, in: folder) }
            return try folder.names().allSatisfy { $0.hasPrefix(".") || hasCopies($0) }
        } catch {
            guard error.problem.isAboutPlace else { throw error }
            return false
        }
    }

    /// Returns the folder; nil if it is missing or somebody else's.
    package static func own(in root: Folder) throws -> Folder? {
        try isOwn(in: root) ? try root.folder(name) : nil
    }

    /// Returns the folder, made with its marks if it is missing; nil if it is somebody else's.
    package static func make(in root: Folder) throws -> Folder? {
        guard try isOwn(in: root) else { return nil }
        let folder = try root.makeFolder(name)
        _ = try folder.makeFolder(signature)
        try putMarks(in: folder)
        return folder
    }

    /// Empty files that keep the smaller copies out of Android's and Nextcloud's photos (`.nomedia`, `.noimage`),
    /// Jellyfin's library (`.ignore`) and Nextcloud's Memories (`.nomemories`).
    package static let marks = [".nomedia", ".ignore", ".nomemories", ".noimage"]

    private static func putMarks(in folder: Folder) throws {
        var isNew = false
        for mark in marks where try folder.kind(of: mark) == nil {
            _ = try folder.makeNewFile(mark)
            isNew = true
        }
        if isNew { try folder.sync() }
    }

    /// A mark with something in it is somebody's own, and stays.
    private static func removeMarks(from folder: Folder) throws {
        for mark in marks {
            if let facts = try folder.facts(of: mark), facts.isRegular, facts.bytes == 0 { try folder.remove(mark) }
        }
    }

    /// Whether a folder in it is one with smaller copies.
    private static func hasCopies(_ name: String) -> Bool { FileName.isYear(name) || name == Tree.lists }

    /// Removes the folder when no copies and no data are left in it. Files of others keep it.
    package static func removeIfDone(from root: Folder) throws {
        guard let folder = try own(in: root) else { return }
        let names = try folder.names()
        if names.contains(where: hasCopies) { return }
        try removeMarks(from: folder)
        if names.contains(data) { return }
        try folder.removeEmptyFolder(signature)
        try root.removeEmptyFolder(name)
    }

    /// The folder of the scripts that list all days.
    package static let data = "data"

    package static func years(in folder: Folder) throws -> [(name: String, folder: Folder)] {
        try folder.folders(where: FileName.isYear)
    }
}
