import Synchronization

/// Links that were in the favorites folder.
extension Catalog {
    package enum Gone: String {
        /// In a way that may not have been meant.
        case vanished
        /// Taken away.
        case removed
    }

    /// Those that are remembered to be there.
    package func links() throws(CatalogError) -> [Link] {
        try database.withLock { database throws(CatalogError) in
            try database.all("SELECT day, album, name, file FROM link WHERE day IS NOT NULL ORDER BY day, album, name")
            {
                Self.link($0)
            }.compactMap(\.self)
        }
    }

    /// Those that went, not before a moment.
    package func links(_ ways: Gone..., since moment: Int = .min) throws(CatalogError) -> [Link] {
        try database.withLock { database throws(CatalogError) in
            var links: [Link] = []
            for way in ways { links += try Self.links(in: way, since: moment, database) }
            return links
        }
    }

    static func links(
        in way: Gone, since moment: Int = .min, _ database: Database
    ) throws(CatalogError) -> [Link] {
        try database.all(
            "SELECT day, album, name, file FROM \(way.rawValue) WHERE moment >= ? ORDER BY day, album, name",
            .integer(moment)
        ) { link($0) }.compactMap(\.self)
    }
}
