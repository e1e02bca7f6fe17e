package import Apod
internal import Archive
internal import Catalog
internal import Files
import Glibc

/// Why there is no favorites folder that can be read. That ends no favorite.
package enum FavoritesLack: Sendable, Equatable {
    case missing
    /// A file or a link has its name.
    case notFolder
    /// With the error code (errno(3)).
    case unreadable(Int32)

    /// nil if the folder can be read, or if no file can be opened now.
    package init?(in root: String) {
        do throws(StorageError) {
            _ = try Folder.open(root).existingFavorites()
            return nil
        } catch {
            if error.isOfProcess { return nil }
            switch error.code {
            case ENOENT: self = .missing
            case ENOTDIR, ELOOP: self = .notFolder
            default: self = .unreadable(error.code)
            }
        }
    }
}

extension FavoritesLack {
    package var members: [(String, JSON)] {
        switch self {
        case .missing: [("folder", .string("missing"))]
        case .notFolder: [("folder", .string("not-folder"))]
        case .unreadable(let number): [("folder", .string("unreadable")), ("error", .integer(Int(number)))]
        }
    }

    package init?(_ json: JSONText) {
        switch json["folder"]?.string {
        case "missing": self = .missing
        case "not-folder": self = .notFolder
        case "unreadable": self = .unreadable(Int32(clamping: json["error"]?.integer ?? 0))
        default: return nil
        }
    }
}

extension Failure {
    /// What is wrong, and what to do about it. With the errno of a folder that cannot be read.
    package init(_ lack: FavoritesLack, in root: String, hasFavorites: Bool) {
        let path = Tree.favoritesPath(in: root)
        let restoring = "`apod-mirror favorites restore` makes it again"
        let making = hasFavorites ? "put the folder back, or \(restoring) with its links" : restoring
        let (what, advice, number): (String, String?, Int?) =
            switch lack {
            case .missing: ("\(Text.shown(path)) is missing", making, nil)
            case .notFolder:
                ("\(Text.shown(path)) is a file or a link, not a folder", "rename or delete it, then \(making)", nil)
            case .unreadable(let number): (StorageError("open", path, code: number).description, nil, Int(number))
            }
        let words = [what, hasFavorites ? "all favorites stay" : nil, advice].compactMap(\.self)
        self.init(.folder, words.joined(separator: "; "), path: path, number: number)
    }
}

extension FavoritesLog {
    /// The lack of the folder; nil for a missing one as long as there are no favorites.
    package func lack(in root: String) -> FavoritesLack? {
        guard let lack = FavoritesLack(in: root) else { return nil }
        return lack == .missing && known.isEmpty ? nil : lack
    }
}
