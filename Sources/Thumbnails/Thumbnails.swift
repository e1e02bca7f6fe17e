package import Apod
package import Archive
package import Catalog
package import Files
import Glibc

/// Makes smaller copies of the pictures, for screens and for file managers, and takes away those whose pictures are gone.
package struct Thumbnails: Sendable {
    let tree: Tree
    let catalog: Catalog
    let archive: Archive
    /// nil if it is not installed.
    let worker: String?
    let limits: WorkerLimits
    /// Others are taken away.
    let uses: ThumbnailUses

    /// `worker`: the program that decodes.
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

    /// The days that lack theirs, newest first; none for screens where the folder is somebody's.
    package func missing(in range: ClosedRange<Day> = Day.all) throws(StorageError) -> [Day] {
        let uses = try possibleUses()
        return try catalog.daysWithoutThumbnails(version: Worker.version, for: uses, in: range)
    }

    /// Without those for screens, where their folder is somebody's.
    package func possibleUses() throws(StorageError) -> ThumbnailUses {
        try GalleryFolder.isOwn(in: tree.root) ? uses : uses.subtracting(.screens)
    }

    /// What is made again at any time takes no room that downloads and the catalog need.
    package func checkRoom() throws(StorageError) {
        try tree.root.checkRoom()
    }

    func forget(_ uses: ThumbnailUses, of days: Set<Day>) throws(StorageError) {
        try catalog.forgetThumbnails(for: uses, of: days)
    }

    /// What cannot be done in one folder keeps nobody from the others.
    func passing(_ work: () throws(StorageError) -> Void) throws(StorageError) {
        do throws(StorageError) { try work() } catch { if !error.isAboutPlace, !error.isInTheWay { throw error } }
    }
}

extension Thumbnails {
    /// What to say where there is none.
    package static let lack = "apod-thumbnailer is not installed; install apod-mirror again"
}
