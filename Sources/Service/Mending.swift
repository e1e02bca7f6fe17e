internal import Apod
package import Archive
internal import Files
internal import Synchronization

/// Reads the kept records again, once after an upgrade to a reader that understands more: the upstream is not asked.
package struct Mending: Sendable {
    let archive: Archive

    /// To be raised when the reader finds more in a record than before, or pages are made otherwise.
    static let version = 1
    /// So few at once that memory stays small, and so many that the disk is waited for seldom.
    private static let batch = 25

    /// What there is to be told of it.
    package func run() async throws(ArchiveError) -> Notice? {
        let days = try await blocking { [catalog = archive.catalog] () throws(ArchiveError) -> [Day]? in
            try ArchiveError.wrapping { () throws(CatalogError) in
                try catalog.fact(.reader) == Self.version ? nil : try catalog.entries().map(\.day)
            }
        }
        guard let days else { return nil }
        var mended: [Day] = []
        for start in stride(from: 0, to: days.count, by: Self.batch) {
            mended += try await mend(Array(days[start..<min(start + Self.batch, days.count)]))
            if Task.isCancelled { return nil }
        }
        try await blocking { [catalog = archive.catalog] () throws(ArchiveError) in
            try ArchiveError.wrapping { () throws(CatalogError) in try catalog.setFact(.reader, Self.version) }
        }
        guard let last = mended.last else { return nil }
        let count = mended.count == 1 ? "1 day" : "\(mended.count) days"
        return Notice(.noted, "completed \(count) from the records that are kept", day: last, grade: .notice)
    }

    /// Side by side, so that they are written together. Returns those that were mended.
    private func mend(_ days: [Day]) async throws(ArchiveError) -> [Day] {
        let results = await withTaskGroup(of: Result<Day?, ArchiveError>.self) { group in
            for day in days {
                group.addTask {
                    do throws(ArchiveError) {
                        return .success(try await mend(day) ? day : nil)
                    } catch {
                        // What is the matter with one day keeps no other from it.
                        return error.isGeneral ? .failure(error) : .success(nil)
                    }
                }
            }
            var results: [Result<Day?, ArchiveError>] = []
            for await result in group { results.append(result) }
            return results
        }
        var mended: [Day] = []
        for result in results { if let day = try result.get() { mended.append(day) } }
        return mended.sorted()
    }

    private func mend(_ day: Day) async throws(ArchiveError) -> Bool {
        do { try await archive.turns.take(day) } catch { return false }
        defer { archive.turns.give(day) }
        let renewed = try await blocking { [archive] () throws(ArchiveError) -> Arrival? in
            let standing = try ArchiveError.wrapping { () throws(CatalogError) in
                try archive.catalog.standing(of: day)
            }
            return try standing.flatMap { standing throws(ArchiveError) in
                try archive.renewed(standing) { PlayerPage(title: $0, address: $1).document }
            }
        }
        guard let renewed else { return false }
        try await archive.add(renewed)
        return true
    }
}
