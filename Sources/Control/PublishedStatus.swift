package import Apod
package import Archive
package import Files

/// The status in `ROOT/.apod-mirror/status.json`, for those who may neither read the catalog nor ask the service: what
/// `status --json` says, without `contact`.
package struct PublishedStatus: Sendable {
    private static let name = "status.json"
    private static let longest = 16 << 20

    /// Seconds since 1970, when it was published.
    package let moment: Int
    /// As `status --json` prints it.
    package let status: JSONText

    package static func publish(_ report: StatusReport, in tree: Tree, at now: Int) throws(StorageError) {
        let document = JSON.object([("published", .moment(now)), ("status", report.json)]).document
        try Staged(document, in: tree.unfinished, as: name).publishDurably(in: tree.own, as: name)
    }

    package init?(root: String) {
        guard let own = try? Folder.open(Tree.ownPath(in: root)),
            let bytes = try? own.file(Self.name)?.contents(atMost: Self.longest),
            let members = (try? JSONText(bytes))?.members, let status = members["status"], status.members != nil,
            let moment = members["published"]?.moment
        else { return nil }
        (self.status, self.moment) = (status, moment)
    }
}
