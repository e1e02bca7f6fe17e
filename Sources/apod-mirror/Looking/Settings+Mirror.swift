import Archive
import Catalog
import Configuration
import Control
import Files
import Glibc

/// What a command asks about the mirror that its settings name.
extension Settings {
    var hasCatalog: Bool { Archive.hasCatalog(root: root, state: state) }

    /// The status of the service that keeps this mirror or waits for it; nil if none answers.
    var service: ServiceStatus? { ControlClient.status(root: root, environment: Environment.current) }

    /// Whether a service keeps this mirror or waits for it. A user outside the group cannot ask it.
    var isServed: Bool { service != nil || Archive.announcement(root: root) != nil }

    var mayReadCatalog: Bool { Archive.mayReadCatalog(root: root, state: state) }

    /// nil if there is none.
    func favoritesToRead() throws(StorageError) -> FavoritesLog {
        try FavoritesLog(toRead: try Folder.open(root), at: time(nil))
    }

    func catalogToRead() throws(ArchiveError) -> Catalog? { try Archive.catalogToRead(root: root, state: state) }
}
