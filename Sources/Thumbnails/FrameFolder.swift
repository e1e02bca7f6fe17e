import Apod
import Decoders
import Decoding
import Files
package import Store
import Synchronization

/// The folder `frame`: the favorites as JPEGs of one size, in plain files, for digital frames and other machines.
///
/// A file of the mirror's has a time that says so, and of which picture it was made. What a person puts in stays.
package final class FrameFolder: Sendable {
    private typealias Picture = (name: FileName, image: StoredFile, mark: Int)

    private let archive: Archive
    /// In pixels; nil: none are wanted.
    private let size: (width: Int, height: Int)?
    private let worker: String?
    /// The pictures of which none can be made.
    private let refused = Mutex<Set<Digest>>([])

    package init(_ archive: Archive, _ size: (width: Int, height: Int)?, worker: String? = Worker.path) {
        (self.archive, self.size, self.worker) = (archive, size, worker)
    }

    /// Makes what is missing, and removes what is no favorite any more, until `goesOn` returns false after a picture. Returns
    /// whether it went through all.
    package func update(while goesOn: () async -> Bool) async throws -> Bool {
        let (folder, missing) = try await blocking { [self] in try tidy() }
        guard let folder, let worker, let size else { return true }
        for (file, picture) in missing {
            guard await goesOn() else { return false }
            let source = try Tree.existingFolder(picture.name.folder, in: archive.tree.root)?
                .file(picture.name.with(picture.image))
            guard let source else { continue }
            let job = DecodingJob(source, [Rendition(.jpeg, width: size.width, height: size.height)])
            guard let result = await Worker.result(of: job, by: worker, WorkerLimits()) else { return false }
            if let jpeg = result.jpeg {
                try await blocking { [self] in try put(jpeg, as: file, picture.mark, in: folder) }
            } else if result.lack(WorkerLimits())?.isOfPicture != false {
                refused.withLock { _ = $0.insert(picture.image.sha256) }
            }
        }
        try await blocking { try folder.sync() }
        return true
    }

    private func put(_ jpeg: [UInt8], as file: String, _ mark: Int, in folder: Folder) throws {
        let unfinished = archive.tree.unfinished
        try unfinished.checkRoom()
        let staged = try Staged(jpeg, in: unfinished, as: "frame-\(file)")
        try unfinished.setModified(ofLink: staged.name, Day.first.noon, mark)
        try staged.publish(in: folder, as: file)
    }

    /// Removes what is not wanted. Returns what is missing.
    private func tidy() throws -> (Folder?, [String: Picture]) {
        let root = archive.tree.root
        let folder = try size == nil ? root.folder(Tree.frame) : root.makeFolder(Tree.frame)
        var missing = try wanted()
        for name in try folder?.names() ?? [] {
            guard let facts = try folder?.facts(of: name) else { continue }
            let picture = missing[name]
            // Another picture than it was made of, or another size: it stays until the new one is there.
            let isOwn = facts.isRegular && facts.modified == Day.first.noon
            if picture == nil, isOwn { try folder?.remove(name) }
            if !isOwn || facts.modifiedExactly == "\(Day.first.noon).\(picture?.mark ?? 0)" { missing[name] = nil }
        }
        if size == nil { try root.removeEmptyFolder(Tree.frame) }
        return (folder, missing)
    }

    /// The favorites' pictures, by the names that they get here.
    private func wanted() throws -> [String: Picture] {
        guard let size else { return [:] }
        var wanted: [String: Picture] = [:]
        for day in archive.favorites.known.days {
            guard let stored = try archive.catalog.status(of: day)?.stored, let image = stored.files.image,
                !refused.withLock({ $0.contains(image.sha256) })
            else { continue }
            let made = Digest(of: "\(image.sha256) \(size)".bytes).number % 1_000_000_000
            let front = stored.name.list.map { "\($0) " } ?? ""
            wanted["\(front)\(stored.name.stem).jpg"] = (stored.name, image, made)
        }
        return wanted
    }
}
