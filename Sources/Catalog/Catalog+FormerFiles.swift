package import Apod
package import Files

/// Files that another has taken the place of, and that are still to be removed.
extension Catalog {
    package func former(of day: Day) throws(StorageError) -> Set<MediaType> {
        let types = try all("SELECT type FROM former WHERE day = ?", .integer(day.number)) { $0.text(0) }
        return Set(types.compactMap { $0.flatMap(MediaType.init) })
    }

    static func write(_ former: Set<MediaType>, of day: Day, to database: Database) throws(StorageError) {
        try database.run("DELETE FROM former WHERE day = ?", .integer(day.number))
        for type in former {
            try database.run("INSERT INTO former VALUES (?, ?)", .integer(day.number), .text(type.rawValue))
        }
    }
}
