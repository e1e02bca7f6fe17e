import Apod
import Files
import Store

/// A folder of the mirror's for others to read. All that was written is synced at once.
final class Shelf {
    let folder: Folder
    private let unfinished: Folder
    private var isNew = false

    init(folder: Folder, unfinished: Folder) { (self.folder, self.unfinished) = (folder, unfinished) }

    func put(_ bytes: [UInt8], _ name: String) throws {
        if try GeneratedFile.write(bytes, as: name, in: folder, through: unfinished) { isNew = true }
    }

    /// Whether a file was made from the same; `source`: a comment in its beginning that says from what.
    func has(_ name: String, from source: String) throws -> Bool {
        let head = "\(GeneratedFile.script)\(source)".bytes
        return try GeneratedFile.beginning(name, in: folder, count: head.count) == head
    }

    func sync() throws {
        if isNew { try folder.sync() }
        isNew = false
    }
}
