package import Apod
package import Files

/// A day that has come in, whole and checked, to be put in its place.
package struct Arrival: Sendable {
    package let metadata: Metadata
    /// The files that are new, by their type's suffix; the others of `metadata.files` stay as they are in the tree.
    package let staged: [String: Staged]
    /// How the day stands when it is in its place, but for its entry.
    package let standing: Standing

    package init(_ metadata: Metadata, staged: [String: Staged], standing: Standing) {
        self.metadata = metadata
        self.staged = staged
        self.standing = standing
    }

    /// With its JSON file, written and on the disk under a temporary name.
    func ready(in unfinished: Folder) throws(DiskError) -> Ready {
        let document = metadata.document
        var standing = standing
        standing.entry = Entry(metadata, document: document)
        let name = "\(metadata.picture.day).json"
        return Ready(arrival: self, json: try Staged(document, in: unfinished, as: name), standing: standing)
    }

    struct Ready: Sendable {
        let arrival: Arrival
        let json: Staged
        let standing: Standing

        var name: FileName { arrival.metadata.name }
    }
}
