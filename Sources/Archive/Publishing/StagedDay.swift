package import Apod
package import Catalog
package import Files

/// A day whose files are whole and checked, ready to be stored (`Archive.add`).
package struct StagedDay: Sendable {
    package let metadata: Metadata
    /// The new files, by the endings of their names. The other files of `metadata` stay as they are in the tree.
    package let staged: [String: Staged]
    /// The day's status once it is stored, but without `stored`.
    package let status: DayStatus
    /// The endings of damaged files in the tree, which `revert` does not bring back.
    let damaged: Set<String>
    /// The time of a replacement; seconds since 1970.
    let moment: Int

    /// `moment`: nil for the time of the fetch.
    package init(
        _ metadata: Metadata, staged: [String: Staged], status: DayStatus, damaged: Set<String> = [],
        moment: Int? = nil
    ) {
        self.metadata = metadata
        self.staged = staged
        self.status = status
        self.damaged = damaged
        self.moment = moment ?? metadata.fetched
    }

    /// Writes the day's JSON to the disk, into `unfinished`, where `UnfinishedDays` looks for it.
    func ready(in unfinished: Folder) throws(StorageError) -> Ready {
        let document = metadata.document
        var status = status
        status.stored = StoredDay(metadata, document: document)
        let name = metadata.name.with(Metadata.suffix)
        return Ready(stagedDay: self, json: try Staged(document, in: unfinished, as: name), status: status)
    }

    struct Ready: Sendable {
        let stagedDay: StagedDay
        let json: Staged
        let status: DayStatus

        var name: FileName { stagedDay.metadata.name }
    }
}
