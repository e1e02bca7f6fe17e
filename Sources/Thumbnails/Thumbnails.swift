package import Apod
package import Decoders
import Files
import Glibc
package import Store

/// Makes smaller copies of the pictures, for screens and for file managers, and removes those whose pictures are gone.
///
/// `thumbnails(for:)` streams the outcomes: its `ThumbnailBatch` gives pictures to `Worker`s, which decode, and tells
/// the catalog what was made. `+Screens` keeps the files in `gallery/`, `+Shared` those beside the pictures, `+Tidying`
/// compares both with the catalog. `PictureCheck` decodes without making anything.
package struct Thumbnails: Sendable {
    let tree: Tree
    let catalog: Catalog
    let archive: Archive
    /// The program that decodes; nil if it is not installed.
    let worker: String?
    let limits: WorkerLimits
    /// The kinds to make; `tidy` removes the others.
    let uses: ThumbnailUses

    package init(
        _ archive: Archive, for uses: ThumbnailUses, worker: String? = Worker.path,
        limits: WorkerLimits = WorkerLimits()
    ) {
        self.uses = uses
        self.archive = archive
        tree = archive.tree
        catalog = archive.catalog
        self.worker = worker
        self.limits = limits
    }

    /// Returns the pictures that lack thumbnails for their `possibleUses`, newest first.
    package func missing(in scope: Scope = .all) throws -> [PictureKey] {
        let uses = try possibleUses()
        return try catalog.picturesWithoutThumbnails(version: Worker.version, for: uses, in: scope)
    }

    /// Returns the pictures of some keys, of each at least the first.
    package func pictures(of keys: Set<Key>) throws -> [PictureKey] {
        var pictures: [PictureKey] = []
        for key in keys {
            pictures.append(PictureKey(key))
            guard uses.contains(.screens) else { continue }
            let further = try catalog.item(of: key)?.whole?.files.images.filter(\.role.isFurther) ?? []
            pictures += further.map { PictureKey(key, $0.role.number) }
        }
        return pictures
    }

    /// None for screens where `gallery` is not the mirror's own folder.
    package func possibleUses() throws -> ThumbnailUses {
        try GalleryFolder.isOwn(in: tree.root) ? uses : uses.subtracting(.screens)
    }

    /// Throws if the disk is nearly full: downloads and the catalog need the rest.
    package func checkRoom() throws {
        try tree.root.checkRoom()
    }

    func forget(_ uses: ThumbnailUses, of pictures: Set<PictureKey>) throws {
        try catalog.forgetThumbnails(for: uses, of: pictures)
    }

    /// Ignores a failure of one folder, so that the others are still done.
    func passing(_ work: () throws -> Void) throws {
        do { try work() } catch { if !error.problem.isAboutPlace, !error.problem.isWrongKind { throw error } }
    }
}

extension Thumbnails {
    /// The message where no worker is installed.
    package static var lack: String { "apod-thumbnailer is not installed; \(InstalledProgram.remedy)" }
}
