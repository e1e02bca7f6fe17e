internal import Archive
internal import Configuration

extension Settings {
    /// The folder of the catalog.
    package var stateFolder: String { state ?? "\(root)/\(Tree.ownFolder)" }
}
