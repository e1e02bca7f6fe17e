package import Apod
import Files

/// The JPEG copy of a newest picture that is none, to which `latest.jpg` leads: `.apod-mirror/latest/DAY-SHA256.jpg`.
///
/// The SHA-256 is the picture's, so that the copy of a picture that was replaced has another name. The worker of the
/// thumbnails makes it (`LatestJPEG`); `LatestLinks` deletes it with its need.
package struct LatestCopy: Sendable, Equatable {
    private static let ownName = "latest"
    package static let folder = "\(Tree.ownFolder)/\(ownName)"

    package let day: Day
    package let source: Digest

    /// nil for a JPEG, which needs none.
    init?(of picture: StoredFile, named name: FileName) {
        guard picture.type != .jpeg, let day = name.key.day else { return nil }
        (self.day, source) = (day, picture.sha256)
    }

    /// Reads a file's name; nil for any other.
    package init?(name: String) {
        guard let (stem, suffix) = FileName.parts(of: name), suffix == MediaType.jpeg.suffix,
            let day = Day(stem.utf8.prefix(10).text),
            let source = Digest(hexadecimal: stem.utf8.dropFirst(11).text)
        else { return nil }
        (self.day, self.source) = (day, source)
        guard self.name == name else { return nil }
    }

    package var name: String { "\(day)-\(source).\(MediaType.jpeg.suffix)" }

    /// The path below the root.
    package var path: String { "\(Self.folder)/\(name)" }

    func isThere(in root: Folder) throws -> Bool {
        guard let facts = try root.known(path) else { return false }
        return facts.kind == .regular && facts.bytes > 0
    }

    /// Returns when the copy is on the disk.
    func put(_ bytes: [UInt8], in tree: Tree) throws {
        try tree.root.checkRoom()
        let folder = try tree.own.makeFolder(Self.ownName)
        try Staged(bytes, in: tree.unfinished, as: name).publishDurably(in: folder, as: name)
    }

    /// Deletes all copies but this one, and the folder when it is empty.
    static func removeOthers(than kept: LatestCopy?, from own: Folder) throws {
        guard let folder = try own.folder(ownName) else { return }
        for name in try folder.names() where LatestCopy(name: name).map({ $0 != kept }) ?? false {
            try folder.remove(name)
        }
        try own.removeEmptyFolder(ownName)
    }
}
