package import Apod
package import Files
import Synchronization

/// A link that was taken away.
package struct RemovedLink: Sendable {
    package let link: Link
    /// When its day became a favorite.
    package let added: Int
    package let moment: Int

    package init(link: Link, added: Int, moment: Int) {
        self.link = link
        self.added = added
        self.moment = moment
    }
}

/// Links that were in the favorites folder.
extension Catalog {
    package enum Gone: String {
        /// In a way that may not have been meant.
        case vanished
        /// Taken away.
        case removed
    }

    /// Those that are remembered to be there.
    package func links() throws(StorageError) -> [Link] {
        try all("SELECT day, album, name, file FROM link WHERE day IS NOT NULL ORDER BY day, album, name") {
            Self.link($0)
        }.compactMap(\.self)
    }

    /// Those that went, not before a moment.
    package func links(_ ways: Gone..., since moment: Int = .min) throws(StorageError) -> [Link] {
        try database.withLock { database throws(StorageError) in
            var links: [Link] = []
            for way in ways { links += try Self.links(in: way, since: moment, database) }
            return links
        }
    }

    static func links(
        in way: Gone, since moment: Int = .min, _ database: Database
    ) throws(StorageError) -> [Link] {
        try database.all(
            "SELECT day, album, name, file FROM \(way.rawValue) WHERE moment >= ? ORDER BY day, album, name",
            .integer(moment)
        ) { link($0) }.compactMap(\.self)
    }

    /// Those to some days that were taken away not before a moment; of very many, the last ones.
    package func removed(
        among days: ClosedRange<Day>, since moment: Int
    ) throws(StorageError) -> [RemovedLink] {
        try all(
            """
            SELECT day, album, name, file, added, moment FROM removed WHERE day BETWEEN ? AND ? AND moment >= ?
            ORDER BY moment DESC, day, album, name LIMIT \(Self.mostListed)
            """, .integer(days.lowerBound.number), .integer(days.upperBound.number), .integer(moment)
        ) { row in
            Self.link(row).map { RemovedLink(link: $0, added: row.integer(4) ?? 0, moment: row.integer(5) ?? 0) }
        }.compactMap(\.self)
    }

    private static let mostListed = 10_000

    /// Enters those that were known before the catalog was lost. They belong to no run of removals that is known.
    package func recall(removed: [RemovedLink]) throws(StorageError) {
        try database.withLock { database throws(StorageError) in
            try database.transaction { () throws(StorageError) in
                for one in removed {
                    try database.run(
                        "INSERT OR IGNORE INTO removed VALUES (0, ?, ?, ?, ?, ?, ?, 0)", .integer(one.moment),
                        .blob(one.link.place.album.path), .blob(Array(one.link.place.name.bytes)),
                        .integer(one.link.day.number), .optional(one.link.file), .integer(one.added))
                }
            }
        }
    }
}
