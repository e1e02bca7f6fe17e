package import Apod
import Decoders
import Decoding
import Files
package import Store
import Synchronization

/// The folder `frame`: the favorites as JPEGs of one size, in plain files, for digital frames and other machines.
///
/// A file of the mirror's says so, and of which picture it was made, in a comment. What a person puts in stays.
package final class FrameFolder: Sendable {
    private typealias Picture = (name: FileName, image: StoredFile, mark: [UInt8])

    private let archive: Archive
    /// nil: none are wanted.
    private let size: FrameSize?
    private let worker: String?
    /// The pictures of which none can be made.
    private let refused = Mutex<Set<Digest>>([])

    package init(_ archive: Archive, _ size: FrameSize?, worker: String? = Worker.path) {
        (self.archive, self.size, self.worker) = (archive, size, worker)
    }

    /// Makes what is missing, and removes what is no favorite any more. Cancelled, it leaves the rest undone.
    package func update() async throws {
        let (folder, missing) = try await blocking { [self] in try tidy() }
        guard let folder, let worker, let size, !missing.isEmpty else { return }
        for (file, picture) in missing where !Task.isCancelled {
            let (source, caption) = try await blocking { [archive] in
                let root = archive.tree.root
                let file = try Tree.existingFolder(picture.name.folder, in: root)?.file(
                    picture.name.with(picture.image))
                return (file, size.hasTitles ? try Document.of(picture.name, in: root).map(Self.caption) : "")
            }
            guard let source, let caption else { continue }
            var job = DecodingJob(source, [Rendition(.jpeg, width: size.width, height: size.height)])
            job.caption = caption
            guard let result = await Worker.result(of: job, by: worker, WorkerLimits()) else { return }
            if let jpeg = result.jpeg {
                try await blocking { [self] in try put(jpeg, as: file, picture, in: folder) }
            } else if result.lack(WorkerLimits())?.isOfPicture != false {
                refused.withLock { _ = $0.insert(picture.image.sha256) }
            }
        }
        try await blocking { try folder.sync() }
    }

    /// The title and, smaller, whose picture it is.
    private static func caption(_ document: Document) -> String {
        func escaped(_ text: String) -> String { HTML.escaped(String(text.unicodeScalars.prefix(100))) }
        let credit = document.credit.map { "\n<small>\(escaped($0))</small>" }
        return escaped(document.title) + (credit ?? "")
    }

    private func put(_ jpeg: [UInt8], as file: String, _ picture: Picture, in folder: Folder) throws {
        let unfinished = archive.tree.unfinished
        try unfinished.checkRoom()
        // A comment behind the first segment (ITU-T T.81, B.2.4.5).
        let start = jpeg.count < 6 ? 0 : 4 + Int(jpeg[4]) << 8 + Int(jpeg[5])
        guard start >= 4, start < jpeg.count else { return }
        let comment = [0xff, 0xfe, 0, UInt8(picture.mark.count + 2)] + picture.mark
        let bytes = jpeg[..<start] + comment + jpeg[start...]
        let noon = picture.name.key.day?.noon
        let staged = try Staged(Array(bytes), in: unfinished, as: "frame.new", modified: noon)
        // Since it was found to be missing, a person may have put something of this name in.
        _ = try GeneratedFile.put(staged, as: file, in: folder) { $0.contains(Self.mark(file)) }
    }

    /// What a file of this name says: that it is the mirror's, and then what it was made of.
    private static func mark(_ file: String, _ parts: String = "") -> [UInt8] {
        func digest(_ text: String) -> Substring { "\(Digest(of: text.bytes))".prefix(16) }
        return "\(GeneratedFile.signature) \(digest(file))\(parts.isEmpty ? "" : " \(digest(parts))")".bytes
    }

    /// Removes what is not wanted. Returns what is missing.
    private func tidy() throws -> (Folder?, [String: Picture]) {
        let root = archive.tree.root
        let folder = try size == nil ? root.folder(Tree.frame) : root.makeFolder(Tree.frame)
        var (missing, isLess) = (try wanted(), false)
        for name in try folder?.names() ?? [] {
            guard let folder, let beginning = try GeneratedFile.beginning(name, in: folder),
                beginning.contains(Self.mark(name))
            else {
                missing[name] = nil
                continue
            }
            // Another picture than it was made of, or another size: it stays until the new one is there.
            guard let picture = missing[name] else {
                try folder.remove(name)
                isLess = true
                continue
            }
            if beginning.contains(picture.mark) { missing[name] = nil }
        }
        if size == nil, isLess { try root.removeEmptyFolder(Tree.frame) }
        return (folder, missing)
    }

    /// The favorites' pictures, by the names that they get here.
    private func wanted() throws -> [String: Picture] {
        guard let size else { return [:] }
        var wanted: [String: Picture] = [:]
        for key in archive.favorites.known.keys {
            guard let stored = try archive.catalog.item(of: key)?.stored, let image = stored.files.image,
                !refused.withLock({ $0.contains(image.sha256) })
            else { continue }
            let file = stored.name.name(amongLists: "\(stored.name.stem).jpg")
            wanted[file] = (
                stored.name, image, Self.mark(file, "\(image.sha256) \(size)\(size.hasTitles ? "\(stored.json)" : "")")
            )
        }
        return wanted
    }
}
