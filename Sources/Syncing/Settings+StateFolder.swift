internal import Archive
internal import Configuration

extension Settings {
    /// Where the catalog is.
    package var stateFolder: String { state ?? "\(root)/\(Tree.ownFolder)" }
}
