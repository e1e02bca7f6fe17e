package import Apod
package import Files

/// A day whose files are whole and checked, ready to be stored (`Archive.add`).
package struct StagedDay: Sendable {
    package let document: Document
    /// The record of the document; nil where it cannot be read by today's rules.
    let picture: Picture?
    /// The new files, by the endings of their names. The other files of the document stay as they are in the tree.
    package let staged: [String: Staged]
    /// The day once it is stored, but for `stored`; nil: as the document says.
    package let item: Item?
    /// The endings of damaged files in the tree, which `revert` does not bring back.
    let damaged: Set<String>
    /// The time of a replacement; seconds since 1970.
    let moment: Int
    /// What is there, as it was read under the day's lock; nil where it was not.
    let former: Document?

    /// `moment`: nil for the time of the fetch.
    package init(
        _ document: Document, _ picture: Picture?, staged: [String: Staged], item: Item? = nil,
        damaged: Set<String> = [], moment: Int? = nil, former: Document? = nil
    ) {
        (self.document, self.picture, self.staged, self.item) = (document, picture, staged, item)
        (self.damaged, self.moment, self.former) = (damaged, moment ?? document.mirror.fetched, former)
    }

    /// Writes the day's JSON to the disk, into `unfinished`, where `UnfinishedDays` looks for it.
    func ready(in unfinished: Folder) throws -> Ready {
        ready(as: try Staged(document.bytes, in: unfinished, as: document.name.unfinished))
    }

    /// `json`: the day's JSON, if it is there already.
    func ready(as json: Staged) -> Ready {
        let told = document.item(picture)
        var item = item ?? told
        (item.entry, item.stored) = (told.entry, told.stored)
        return Ready(stagedDay: self, json: json, item: item)
    }

    struct Ready: Sendable {
        let stagedDay: StagedDay
        let json: Staged
        let item: Item

        var name: FileName { stagedDay.document.name }
    }
}
