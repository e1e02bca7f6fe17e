package import Apod
import Files
import Synchronization

/// The mirror in numbers.
package struct MirrorSummary: Sendable {
    package var days = 0
    package var pictures = 0
    package var bytes = 0
    package var oldest: Day?
    package var newest: Day?
    package var absent = 0
    package var downgraded = 0
    /// The newest downgraded days.
    package var newestDowngraded: [Day] = []
    package var placeholder = 0
    package var pruned = 0
    /// Those of which something could not be fetched, newest first.
    package var failed: [Item] = []
    package var lastRefresh: Int?
    package var lastFailure: LastFailure?
}

extension Catalog {
    package func summary(of list: ListName? = nil) throws -> MirrorSummary {
        var summary = MirrorSummary()
        try database.withLock { database in
            try Self.count(database, of: list, into: &summary)
        }
        summary.failed = try items(
            """
            n IN (SELECT n FROM item WHERE list = ? AND state <> 'mirrored' AND state = 'failed'
                AND NOT \(Item.lacksFiles))
            """, [.list(list)]
        ).reversed()
        summary.newestDowngraded = try all(
            """
            SELECT n FROM item WHERE list = ? AND state <> 'mirrored' AND state = 'downgraded' ORDER BY n DESC LIMIT 3
            """, .list(list)
        ) { $0.day }
        if list == nil { (summary.oldest, summary.newest) = (try oldest(), try newest()) }
        summary.lastRefresh = try fact(.lastRefresh, of: list)
        summary.lastFailure = try lastFailure(of: list)
        return summary
    }

    private static func count(_ database: Database, of list: ListName?, into summary: inout MirrorSummary) throws {
        let all = try database.first("SELECT * FROM total WHERE list = ?", .list(list)) { row in
            ["items", "pictures", "json_bytes", "bytes"].map { row.integer($0) ?? 0 }
        }
        if let all { (summary.days, summary.pictures, summary.bytes) = (all[0], all[1], all[2] + all[3]) }
        let counts = try database.all(
            """
            SELECT state, count(*) AS days FROM item INDEXED BY unsettled WHERE list = ? AND state <> 'mirrored'
            GROUP BY state
            """, .list(list)
        ) {
            ($0.text("state").flatMap(Item.State.init), $0.integer("days") ?? 0)
        }
        for (state, count) in counts {
            switch state {
            case .absent: summary.absent = count
            case .downgraded: summary.downgraded = count
            case .placeholder: summary.placeholder = count
            case .pruned: summary.pruned = count
            default: break
            }
        }
    }

    /// How many days are still to fetch: those of a range whose files are not in the tree (failed and absent ones
    /// apart), and all that lack files.
    package func countMissing(in range: ClosedRange<Day>?) throws -> Int {
        let lacking = try integer("SELECT count(*) FROM item WHERE list = '' AND \(Item.lacksFiles)") ?? 0
        guard let range else { return lacking }
        // Two indexes answer this: every day in the tree has JSON, and few days are not mirrored.
        let known = try integer(
            """
            SELECT (SELECT count(*) FROM item INDEXED BY stored
                WHERE list = '' AND \(Item.isStored) AND n BETWEEN ?1 AND ?2) + ifnull(sum(
                (\(Item.isStored) AND state <> 'pruned' OR state IN ('absent', 'failed')) - (\(Item.isStored))), 0)
            FROM item INDEXED BY unsettled WHERE list = '' AND state <> 'mirrored' AND n BETWEEN ?1 AND ?2
            """, .day(range.lowerBound), .day(range.upperBound))
        return range.count - (known ?? 0) + lacking
    }

    /// The number of missing days whose files were here and were deleted.
    package func prunedMissing(in range: ClosedRange<Day>?) throws -> Int {
        guard let range else { return 0 }
        return try integer(
            "SELECT count(*) FROM item WHERE list = '' AND state <> 'mirrored' AND state = 'pruned' AND n BETWEEN ? AND ?",
            .day(range.lowerBound), .day(range.upperBound)) ?? 0
    }
}
