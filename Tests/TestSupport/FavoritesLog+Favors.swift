package import Apod
import Files
package import Store

extension Catalog {
    /// The one of a root, to write in it as its own program would.
    package convenience init(in root: String) throws {
        try self.init(path: "\(root)/.apod-mirror/catalog.sqlite")
    }
}

extension FavoritesLog {
    /// The one of a mirror that nobody has open.
    package convenience init(in root: String) throws {
        try self.init(try Tree(root), at: 0)
    }

    /// As when somebody makes links to some days, all at once, each called like its day.
    package func favor(_ days: [Day], at moment: Int) throws {
        try favor(days.map { Link(Place(Name("\($0)")!, in: .top), to: $0) }, at: moment)
    }

    package func favor(_ links: [Link], at moment: Int) throws {
        try append(links.map { HistoryLine(.came, $0, at: moment) })
    }

    /// As when somebody takes all links to some days away.
    package func unfavor(_ days: [Day], at moment: Int) throws {
        try append(known.links(to: days.map(Key.day)).map { HistoryLine(.went, $0.link, at: moment) })
    }

    /// Oldest day first, without titles.
    package var favorites: [Favorite] { known.keys.sorted().compactMap { known.favorite($0) } }

    /// The favorites that ended.
    package var ended: [Favorite] { known.ended.sorted().compactMap { known.favorite($0) } }
}

extension ArchiveFixture {
    package var favorites: FavoritesLog { get throws { try archive().favorites } }
}
