import Files
import Glibc
import Store

/// `.sh_thumbnails` in a folder: thumbnails of the folder's files, for file managers.
///
/// Others may write here, so no link is followed, and no existing file is written to.
struct SharedRepository {
    /// A folder for each size.
    let folders: [Folder]

    /// nil where there is none; if `makes`, only where something else has its name.
    init?(in folder: Folder, makes: Bool = false) throws {
        guard let all = try Self.folder(Tree.sharedThumbnails, in: folder, makes) else { return nil }
        var folders: [Folder] = []
        for size in SharedSize.allCases {
            guard let inner = try Self.folder(size.rawValue, in: all, makes) else { return nil }
            // All sizes are made, or none.
            if makes { try inner.checkWritable() }
            folders.append(inner)
        }
        self.folders = folders
    }

    private static func folder(_ name: String, in outer: Folder, _ makes: Bool) throws -> Folder? {
        guard let kind = try outer.kind(of: name) else { return makes ? try outer.makeFolder(name) : nil }
        return kind == .folder ? try outer.folder(name) : nil
    }

    /// The names of the thumbnails of one size.
    func names(_ index: Int) throws -> Set<String> { Set(try folders[index].names()) }

    /// Writes a thumbnail under both of its names. `modified`: the modification time of the picture.
    func put(
        _ thumbnail: [UInt8], of name: SharedThumbnailName, modified: Int, _ index: Int, through unfinished: Folder
    ) throws {
        let bytes = name.file(thumbnail, modified: modified)
        func write(_ name: String) throws {
            try Staged(bytes, in: unfinished, as: name, modified: modified).publish(in: folders[index], as: name)
        }
        try write(name.names[0])
        try double(name, index) { try write(name.names[1]) }
    }

    /// Makes the second name: a hard link, or a copy on a disk without hard links.
    private func double(_ name: SharedThumbnailName, _ index: Int, _ copy: () throws -> Void) throws {
        try folders[index].remove(name.names[1])
        do {
            try folders[index].makeHardLink(name.names[0], in: folders[index], as: name.names[1])
        } catch {
            try copy()
        }
    }

    /// Returns when the names are on the disk.
    func sync() throws { for folder in folders { try folder.sync() } }

    func remove(_ name: SharedThumbnailName) throws {
        for folder in folders { for name in name.names { try folder.remove(name) } }
    }
}

extension SharedRepository {
    /// Removes this program's files but `names`; without any of these, empty folders, too.
    static func removeOwn(in folder: Folder, besides names: Set<String> = []) throws {
        guard let all = try self.folder(Tree.sharedThumbnails, in: folder, false) else { return }
        for size in SharedSize.allCases {
            guard let inner = try self.folder(size.rawValue, in: all, false) else { continue }
            for name in try inner.names() where !names.contains(name) {
                if Task.isCancelled { return }
                if try isOwn(name, in: inner) { try inner.remove(name) }
            }
            if names.isEmpty { try all.removeEmptyFolder(size.rawValue) }
        }
        if names.isEmpty { try folder.removeEmptyFolder(Tree.sharedThumbnails) }
    }

    /// Whether this program made the file: others may keep theirs here, too.
    static func isOwn(_ name: String, in folder: Folder) throws -> Bool {
        guard SharedThumbnailName.canBe(name), try folder.kind(of: name) == .regular else { return false }
        guard let file = try? folder.file(name) else { return false }
        return SharedThumbnailName.isOwn(try file.bytes(at: 0, count: SharedThumbnailName.longestBeginning))
    }
}
