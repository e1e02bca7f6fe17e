package import Apod
package import Catalog
package import Files

/// A day that has come in, whole and checked, to be put in its place.
package struct StagedDay: Sendable {
    package let metadata: Metadata
    /// The files that are new, by their type's suffix; the others of `metadata.files` stay as they are in the tree.
    package let staged: [String: Staged]
    /// The day's status once it is in its place, but without `stored`.
    package let status: DayStatus
    /// Of files in the tree that are not whole: nobody wants those back.
    let damaged: Set<MediaType>
    /// When it came; seconds since 1970.
    let moment: Int

    /// `moment`: nil for when it was fetched.
    package init(
        _ metadata: Metadata, staged: [String: Staged], status: DayStatus, damaged: Set<MediaType> = [],
        moment: Int? = nil
    ) {
        self.metadata = metadata
        self.staged = staged
        self.status = status
        self.damaged = damaged
        self.moment = moment ?? metadata.fetched
    }

    /// With its JSON file, written and on the disk under a temporary name.
    func ready(in unfinished: Folder) throws(StorageError) -> Ready {
        let document = metadata.document
        var status = status
        status.stored = StoredDay(metadata, document: document)
        let name = "\(metadata.picture.day).json"
        return Ready(stagedDay: self, json: try Staged(document, in: unfinished, as: name), status: status)
    }

    struct Ready: Sendable {
        let stagedDay: StagedDay
        let json: Staged
        let status: DayStatus

        var name: FileName { stagedDay.metadata.name }
    }
}
