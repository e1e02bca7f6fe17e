package import Apod
package import Catalog
internal import Concurrency
package import Files

/// Compares the tree with the catalog, and every file with its SHA-256.
package struct Verification: Sendable {
    package enum Problem: Sendable {
        case damaged(Day, path: String)
        /// As it came, but cut off or damaged: nothing but its decoding has shown that.
        case undecodable(Day, path: String, why: String)
        case missing(Day, path: String)
        /// In the tree, but not in the catalog.
        case unlisted(Day, path: String)
        case unreadable(Day, path: String, why: String)
    }

    package enum Event: Sendable {
        case planned(files: Int, bytes: Int)
        case checked(bytes: Int)
        case found(Problem)
    }

    private struct Item: Sendable {
        let day: Day
        /// The program was killed while it replaced the day, or does so now.
        let isInterrupted: Bool
        let folder: String
        let name: String
        let bytes: Int
        let sha256: Digest

        func isSameFile(as other: Item) -> Bool {
            folder == other.folder && name == other.name && bytes == other.bytes && sha256 == other.sha256
        }
    }

    private let root: String
    private let catalog: Catalog
    private let items: [Item]
    private let damagedPictures: [Digest: String]

    /// Of all that the catalog knows.
    package init(root: String, catalog: Catalog) throws(StorageError) {
        self.root = root
        self.catalog = catalog
        try catalog.check()
        items = try catalog.storedDays().flatMap(Self.items)
        damagedPictures = try catalog.undecodable()
    }

    private static func items(_ status: DayStatus) -> [Item] {
        guard let stored = status.stored else { return [] }
        func item(_ suffix: String, _ bytes: Int, _ sha256: Digest) -> Item {
            Item(
                day: status.day, isInterrupted: status.isInterrupted, folder: stored.name.folder,
                name: stored.name.with(suffix), bytes: bytes, sha256: sha256)
        }
        // Those that are on their way out are not missed.
        let files = status.state == .pruned ? [] : stored.files
        return files.map { item($0.type.suffix, $0.bytes, $0.sha256) }
            + [item(Metadata.suffix, stored.jsonBytes, stored.json)]
    }

    /// Of all files of a day, below the root.
    static func paths(_ status: DayStatus) -> [String] { items(status).map { "\($0.folder)/\($0.name)" } }

    /// Reads as many files at once as there are `workers`, and tells of each.
    package func run(workers: Int, _ report: @escaping @Sendable (Event) -> Void) async throws(StorageError) {
        report(.planned(files: items.count, bytes: items.reduce(0) { $0 + $1.bytes }))
        let folder = try Folder.open(root)
        // The catalog is asked for them at the end: what is just being put there, it will know by then.
        let unlisted = try unlisted(in: folder)
        let shortage = await withTaskGroup(of: StorageError?.self) { group in
            for worker in 0..<workers {
                group.addTask {
                    await blocking { check(stride(from: worker, to: items.count, by: workers), in: folder, report) }
                }
            }
            return await group.reduce(nil) { $0 ?? $1 }
        }
        if let shortage { throw shortage }
        for name in unlisted where (try? catalog.status(of: name.day))?.stored?.name != name {
            report(.found(.unlisted(name.day, path: "\(name.folder)/\(name.with(Metadata.suffix))")))
        }
    }

    /// Returns what kept it from looking on: of this process, not of the files.
    private func check(_ indices: StrideTo<Int>, in root: Folder, _ report: (Event) -> Void) -> StorageError? {
        for index in indices {
            let item = items[index]
            do throws(StorageError) {
                if let problem = try problem(with: item, in: root), isStillExpected(item) { report(.found(problem)) }
            } catch {
                return error
            }
            report(.checked(bytes: item.bytes))
        }
        return nil
    }

    /// Whoever keeps the mirror may have deleted it meanwhile, or be putting another in its place.
    private func isStillExpected(_ item: Item) -> Bool {
        guard let status = try? catalog.status(of: item.day) else { return true }
        if status.isInterrupted, !item.isInterrupted { return false }
        return Self.items(status).contains { $0.isSameFile(as: item) }
    }

    private func problem(with item: Item, in root: Folder) throws(StorageError) -> Problem? {
        let path = "\(item.folder)/\(item.name)"
        do throws(StorageError) {
            return try problem(with: item, at: path, in: root)
        } catch {
            if error.isOfProcess { throw error }
            return .unreadable(item.day, path: path, why: error.description)
        }
    }

    private func problem(with item: Item, at path: String, in root: Folder) throws(StorageError) -> Problem? {
        guard let folder = try Tree.existingFolder(of: item.day, in: root),
            let facts = try folder.facts(of: item.name)
        else { return .missing(item.day, path: path) }
        guard facts.isRegular, facts.bytes == item.bytes, let file = try folder.file(item.name),
            try Digest(of: file) == item.sha256
        else { return .damaged(item.day, path: path) }
        return damagedPictures[item.sha256].map { .undecodable(item.day, path: path, why: $0) }
    }

    /// JSON files whose day the catalog did not know.
    private func unlisted(in root: Folder) throws(StorageError) -> [FileName] {
        let listed = Set(items.map { "\($0.folder)/\($0.name)" })
        var unlisted: [FileName] = []
        for month in try Tree.months(in: root) {
            unlisted += try Tree.days(in: month.folder).filter { name in
                name.folder == month.path && !listed.contains("\(month.path)/\(name.with(Metadata.suffix))")
            }
        }
        return unlisted
    }
}
