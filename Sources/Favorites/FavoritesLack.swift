internal import Apod
internal import Archive
package import Catalog
package import Files

/// What there is instead of the favorites folder.
package enum FavoritesLack: String, Sendable {
    case missing, file, link

    /// nil if it is there, or nobody can tell.
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

    /// In the same place, other than a folder: nothing can be made there.
    package var isTaken: Bool { self != .missing }

    /// And what to do. `hasFavorites`: there are some, which stay.
    package func words(in root: String, hasFavorites: Bool) -> String {
        let folder = Text.shown("\(root)/\(Tree.favorites)")
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
    /// The same, if there should be a folder: one that nobody has made yet does not lack.
    package func favoritesLack(in root: Folder) throws(StorageError) -> FavoritesLack? {
        guard let lack = FavoritesLack(in: root) else { return nil }
        if lack.isTaken { return lack }
        if try !favorites(after: nil, atMost: 1).isEmpty { return lack }
        return try albums().isEmpty ? nil : lack
    }
}
