internal import Apod
internal import Catalog
internal import Files
import Glibc

/// Why the favorites folder cannot be opened.
package struct NoFavoritesReason: CustomStringConvertible {
    package let description: String

    /// nil if it can be opened, or this process cannot tell.
    package init?(root path: String) {
        do throws(StorageError) {
            let root = try Folder.open(path)
            guard try root.favorites(.top) == nil else { return nil }
            description = "\(Text.shown(root.path(of: Name.favorites))) is missing"
        } catch {
            switch error.code {
            // These say nothing about the folder.
            case EMFILE, ENFILE, ENOMEM: return nil
            case ENOENT: description = "\(Text.shown(error.path)) is missing"
            case ENOTDIR, ELOOP:
                description = "\(Text.shown(error.path)) is not a folder, and a link to one does not do"
            case EXDEV: description = "\(Text.shown(error.path)) is on another disk than the mirror"
            default: description = error.description
            }
        }
    }
}
