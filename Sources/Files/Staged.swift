import Apod
import Synchronization

/// A file on its way to its final name: whole, and on the disk, in a folder of the same file system.
///
/// Only `publishDurably` and `publish` give a file its final name, so whatever has one is complete.
package struct Staged: Sendable {
    package let folder: Folder
    package let name: String
    /// A file that says how to go on with this one. Deleted once this one is published or discarded.
    package let companion: String?
    private let publication = Publication()

    /// Writes a small file.
    package init(_ bytes: [UInt8], in folder: Folder, as name: String, modified: Int? = nil) throws {
        let file = try folder.makeFile(name)
        do {
            try file.append(bytes)
        } catch {
            try? folder.remove(name)
            throw error
        }
        try self.init(file, in: folder, as: name, bytes: bytes.count, modified: modified)
    }

    /// Takes over a file that was written before, if it has the length that it should.
    package init(
        _ file: File, in folder: Folder, as name: String, bytes: Int, modified: Int? = nil, companion: String? = nil
    ) throws {
        guard try file.facts().bytes == bytes else { throw Problem("write the whole of", file.path, code: 5) }
        if let modified { try file.setModified(modified) }
        try file.sync()
        self.folder = folder
        self.name = name
        self.companion = companion
    }

    /// Gives the file its final name. Returns when the name is on the disk.
    package func publishDurably(in target: Folder, as newName: String) throws {
        try publish(in: target, as: newName)
        try target.sync()
    }

    /// The same for one file of many: the caller syncs the folder after the last. `replacing`: false: throws EEXIST if
    /// something has the name.
    package func publish(in target: Folder, as newName: String, replacing: Bool = true) throws {
        // If a later step fails, the caller repeats this one too.
        if !publication.isDone.load(ordering: .relaxed) {
            if replacing {
                try folder.rename(name, to: target, as: newName)
            } else {
                try folder.move(name, to: target, toNew: newName)
            }
            publication.isDone.store(true, ordering: .relaxed)
        }
        if let companion { try? folder.remove(companion) }
    }

    private final class Publication: Sendable { let isDone = Atomic(false) }

    package func discard() {
        for name in [companion, name].compactMap(\.self) { try? folder.remove(name) }
    }
}
