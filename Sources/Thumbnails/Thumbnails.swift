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
    /// The other lists, by their numbers.
    let lists: [Int: ListName]
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
        let copied = (try? GalleryFolder.own(in: archive.tree.root))?.map(Tree.listFolders) ?? []
        let known = (try? archive.catalog.lists()) ?? []
        lists = Dictionary(known.union(copied).map { ($0.number, $0) }) { one, _ in one }
        tree = archive.tree
        catalog = archive.catalog
        self.worker = worker
        self.limits = limits
    }

    /// Returns the pictures that lack thumbnails for their `possibleUses`, newest first.
    package func missing(in range: ClosedRange<Day>? = nil) throws -> [DayPicture] {
        let uses = try possibleUses()
        return try catalog.picturesWithoutThumbnails(version: Worker.version, for: uses, in: range ?? Day.any)
    }

    /// Returns the pictures of some days, of each day at least the first.
    package func pictures(of days: Set<Day>) throws -> [DayPicture] {
        var pictures: [DayPicture] = []
        for day in days {
            pictures.append(DayPicture(day))
            guard uses.contains(.screens) else { continue }
            let further = try catalog.status(of: day)?.whole?.files.images.filter(\.role.isFurther) ?? []
            pictures += further.map { DayPicture(day, $0.role.number) }
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

    func forget(_ uses: ThumbnailUses, of pictures: Set<DayPicture>) throws {
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
