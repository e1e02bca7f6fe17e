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
        do {
            _ = try Folder.open(root).existingFavorites()
            return nil
        } catch {
            if error.problem.isOfProcess { return nil }
            switch error.problem.errorNumber {
            case ENOENT: self = .missing
            case ENOTDIR, ELOOP: self = .notFolder
            default: self = .unreadable(error.problem.errorNumber)
            }
        }
    }
}

extension FavoritesLack {
    package func failure(in root: String) -> Problem {
        let path = Tree.favoritesPath(in: root)
        return switch self {
        case .missing: Problem(.folderMissing, path: path)
        case .notFolder: Problem(.folderTaken, path: path)
        case .unreadable(let number): Problem("open", path, code: number)
        }
    }

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

extension FavoritesLog {
    /// The lack of the folder; nil for a missing one as long as there are no favorites.
    package func lack(in root: String) -> FavoritesLack? {
        guard let lack = FavoritesLack(in: root) else { return nil }
        return lack == .missing && known.isEmpty ? nil : lack
    }
}
