internal import Apod
internal import Archive
package import Catalog
package import Files

/// Why there is no favorites folder: it is missing, or something else has its name.
package enum FavoritesLack: String, Sendable {
    case missing, file, link

    /// nil if the folder is there, or cannot be examined.
    package init?(in root: Folder) {
        do throws(StorageError) {
            switch try root.kind(of: Tree.favorites) {
            case .folder: return nil
            case nil: self = .missing
            case .link: self = .link
            case .regular, .other: self = .file
            }
        } catch {
            return nil
        }
    }

    /// Something else has the folder's name, so the folder cannot be made.
    package var isTaken: Bool { self != .missing }

    /// What is wrong, and what to do about it.
    package func words(in root: String, hasFavorites: Bool) -> String {
        let folder = Text.shown(Tree.favoritesPath(in: root))
        let thing = self == .link ? "symbolic link" : "file"
        let what = isTaken ? "\(folder) is a \(thing), not a folder" : "the folder \(folder) is missing"
        let clearing = isTaken ? "rename or delete the \(thing), then " : ""
        let advice =
            hasFavorites
            ? "put \(isTaken ? "the folder" : "it") back, or `apod-mirror favorites restore` makes it again with its links"
            : "make \(isTaken ? "the folder" : "it again") to add favorites"
        return what + ": " + (hasFavorites ? "all favorites stay; " : "") + clearing + advice
    }
}

extension Catalog {
    /// The lack of the folder; nil for a missing one as long as there are no favorites.
    package func favoritesLack(in root: Folder) throws(StorageError) -> FavoritesLack? {
        guard let lack = FavoritesLack(in: root) else { return nil }
        if lack.isTaken { return lack }
        if try !favoriteDays().isEmpty { return lack }
        return try albums().isEmpty ? nil : lack
    }
}
