package import Apod
package import Files
import Synchronization

/// What file managers are shown of links, and of files.
extension Catalog {
    /// A link to a file of a day that has thumbnails.
    package struct SharedLink: Sendable {
        package let name: Name
        package let day: Day
        package let file: String
    }

    /// The first ones in a folder, by their names.
    package func sharedLinks(in album: Album, atMost limit: Int) throws(StorageError) -> [SharedLink] {
        try all(
            """
            SELECT link.day, name, file FROM link JOIN thumbnail ON thumbnail.day = link.day
            WHERE album = ? AND file IS NOT NULL AND normal IS NOT NULL ORDER BY name LIMIT ?
            """, .blob(album.path), .integer(limit)
        ) { row -> SharedLink? in
            guard let day = row.day, let name = row.blob(1).flatMap({ Name($0) }), let file = row.text(2) else {
                return nil
            }
            return SharedLink(name: name, day: day, file: file)
        }.compactMap(\.self)
    }

    /// The folders that have such links, each with a number that becomes another as soon as any of them does.
    package func sharedAlbums() throws(StorageError) -> [Album: Int] {
        let rows = try database.withLock { database throws(StorageError) in
            var albums: [[UInt8]: Int] = [:]
            _ = try database.all(
                """
                SELECT album, name, link.day, file, source FROM link JOIN thumbnail ON thumbnail.day = link.day
                WHERE file IS NOT NULL AND normal IS NOT NULL
                """
            ) { row in
                guard let album = row.blob(0) else { return }
                var hasher = Hasher()
                hasher.combine(row.blob(1))
                hasher.combine(row.integer(2))
                hasher.combine(row.text(3))
                hasher.combine(row.blob(4))
                // In whatever order they come.
                albums[album, default: 0] &+= hasher.finalize()
            }
            return albums
        }
        return Dictionary(rows.compactMap { path, mark in Album(path).map { ($0, mark) } }) { first, _ in first }
    }

    /// The links to a day, if it is a favorite.
    package func links(to day: Day) throws(StorageError) -> [Place] {
        guard try first("SELECT 1 FROM favorite WHERE day = ?", .integer(day.number), row: { _ in true }) != nil else {
            return []
        }
        return try all("SELECT album, name FROM link WHERE day = ?", .integer(day.number)) { Self.place($0, at: 0) }
            .compactMap(\.self)
    }

    /// The days whose files lack the attributes that their JSON tells, newest first.
    package func undescribedDays(in range: ClosedRange<Day> = Day.all) throws(StorageError) -> [Day] {
        try all(
            """
            SELECT day.day FROM day LEFT JOIN described USING (day) WHERE day.day BETWEEN ? AND ?
            AND stem IS NOT NULL AND state <> 'pruned' AND json IS NOT json_sha256 ORDER BY day.day DESC
            """, .integer(range.lowerBound.number), .integer(range.upperBound.number)
        ) { $0.day }.compactMap(\.self)
    }

    package func recordDescribed(_ days: [(day: Day, json: Digest)]) throws(StorageError) {
        try database.withLock { database throws(StorageError) in
            try database.transaction { () throws(StorageError) in
                for (day, json) in days {
                    try database.run("REPLACE INTO described VALUES (?, ?)", .integer(day.number), .blob(json.bytes))
                }
            }
        }
    }

    package func describedDays() throws(StorageError) -> Set<Day> { try days("SELECT day FROM described") }

    package func forgetDescribedDays() throws(StorageError) {
        try changing { database throws(StorageError) in try database.run("DELETE FROM described") }
    }
}
