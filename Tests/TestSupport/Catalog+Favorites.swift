package import Apod
package import Catalog
package import Files

extension Catalog {
    /// The one of a root, to write in it as its own program would.
    package convenience init(in root: String) throws(StorageError) {
        try self.init(path: "\(root)/.apod-mirror/catalog.sqlite")
    }

    /// As when somebody makes links to some days, all at once, each called like its day.
    package func favor(_ days: [Day], at moment: Int) throws(StorageError) {
        try favor(days.map { Link(Place(Name("\($0)")!, in: .top), to: $0) }, at: moment)
    }

    package func favor(_ links: [Link], at moment: Int) throws(StorageError) {
        var change = FolderChange()
        change.came = links.map { ($0, true) }
        try record(change, at: moment)
    }

    /// As when somebody takes all links to some days away.
    package func unfavor(_ days: [Day], at moment: Int) throws(StorageError) {
        let links = try links(to: Set(days))
        let gone = links.map { RemovedLink($0.link, went: moment) }
        try record(Departures(gone, of: links, window: 0))
    }
}
