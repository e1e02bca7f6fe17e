package import Apod
package import Files

/// A day that has come in, whole and checked, to be put in its place.
package struct Arrival: Sendable {
    package let metadata: Metadata
    /// The files that are new, by their type's suffix; the others of `metadata.files` stay as they are in the tree.
    package let staged: [String: Staged]
    package let state: Standing.State
    package let retryAfter: Int?
    package let attempts: Int
    package let reason: String?

    package init(
        _ metadata: Metadata, staged: [String: Staged], state: Standing.State, retryAfter: Int? = nil,
        attempts: Int = 0, reason: String? = nil
    ) {
        self.metadata = metadata
        self.staged = staged
        self.state = state
        self.retryAfter = retryAfter
        self.attempts = attempts
        self.reason = reason
    }

    /// With its JSON file, written and on the disk under a temporary name.
    func ready(in unfinished: Folder) throws(DiskError) -> Ready {
        let document = metadata.document
        let name = "\(metadata.picture.day).json"
        return Ready(
            arrival: self, json: try Staged(document, in: unfinished, as: name),
            standing: Standing(
                day: metadata.picture.day, state: state, retryAfter: retryAfter, attempts: attempts, reason: reason,
                entry: Entry(metadata, document: document)))
    }

    struct Ready: Sendable {
        let arrival: Arrival
        let json: Staged
        let standing: Standing

        var name: FileName { arrival.metadata.name }
    }
}
