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
        let folder: String
        let name: String
        let bytes: Int
        let sha256: Digest

        var path: String { "\(folder)/\(name)" }
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
                day: status.day, folder: stored.name.folder, name: stored.name.with(suffix), bytes: bytes,
                sha256: sha256)
        }
        // Those that are on their way out are not missed.
        let files = status.state == .pruned ? [] : stored.files
        return files.map { item($0.type.suffix, $0.bytes, $0.sha256) }
            + [item(Metadata.suffix, stored.jsonBytes, stored.json)]
    }

    /// Of all files of a day, below the root.
    static func paths(_ status: DayStatus) -> [String] { items(status).map(\.path) }

    /// Reads as many files at once as there are `workers`, and tells of each.
    ///
    /// A writer gives files their names before the catalog knows them, so what does not fit is compared once more
    /// after `pause`, with what the catalog says then.
    package func run(
        workers: Int, pause: @Sendable () async -> Void = {}, _ report: @escaping @Sendable (Event) -> Void
    ) async throws(StorageError) {
        report(.planned(files: items.count, bytes: items.reduce(0) { $0 + $1.bytes }))
        let folder = try Folder.open(root)
        let unlisted = try unlisted(in: folder)
        let results = await withTaskGroup(of: Result<[Item], StorageError>.self) { group in
            for worker in 0..<workers {
                group.addTask {
                    await blocking {
                        findDoubts(stride(from: worker, to: items.count, by: workers), in: folder, report)
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        var doubts: [Item] = []
        for result in results { doubts += try result.get() }
        if !doubts.isEmpty || unlisted.contains(where: isUnknown) { await pause() }
        try await blocking { [doubts] () throws(StorageError) in
            for item in doubts {
                if let item = expected(item), let problem = try problem(with: item, in: folder) {
                    report(.found(problem))
                }
            }
        }
        for name in unlisted where isUnknown(name) {
            report(.found(.unlisted(name.day, path: "\(name.folder)/\(name.with(Metadata.suffix))")))
        }
    }

    /// What is not as the catalog said at first, or what kept it from looking on: of this process, not of the files.
    private func findDoubts(
        _ indices: StrideTo<Int>, in root: Folder, _ report: (Event) -> Void
    ) -> Result<[Item], StorageError> {
        var doubts: [Item] = []
        for index in indices {
            do throws(StorageError) {
                if try problem(with: items[index], in: root) != nil { doubts.append(items[index]) }
            } catch {
                return .failure(error)
            }
            report(.checked(bytes: items[index].bytes))
        }
        return .success(doubts)
    }

    /// The file as the catalog knows it now; nil where it was deleted or given up meanwhile.
    private func expected(_ item: Item) -> Item? {
        guard let status = try? catalog.status(of: item.day) else { return item }
        return Self.items(status).first { $0.path == item.path }
    }

    private func isUnknown(_ name: FileName) -> Bool { (try? catalog.status(of: name.day))?.stored?.name != name }

    private func problem(with item: Item, in root: Folder) throws(StorageError) -> Problem? {
        do throws(StorageError) {
            return try difference(from: item, in: root)
        } catch {
            if error.isOfProcess { throw error }
            return .unreadable(item.day, path: item.path, why: error.description)
        }
    }

    private func difference(from item: Item, in root: Folder) throws(StorageError) -> Problem? {
        guard let folder = try Tree.existingFolder(of: item.day, in: root),
            let facts = try folder.facts(of: item.name)
        else { return .missing(item.day, path: item.path) }
        guard facts.isRegular, facts.bytes == item.bytes, let file = try folder.file(item.name),
            try Digest(of: file) == item.sha256
        else { return .damaged(item.day, path: item.path) }
        return damagedPictures[item.sha256].map { .undecodable(item.day, path: item.path, why: $0) }
    }

    /// JSON files whose day the catalog did not know.
    private func unlisted(in root: Folder) throws(StorageError) -> [FileName] {
        let listed = Set(items.map(\.path))
        var unlisted: [FileName] = []
        for month in try Tree.months(in: root) {
            unlisted += try Tree.days(in: month.folder).filter { name in
                name.folder == month.path && !listed.contains("\(month.path)/\(name.with(Metadata.suffix))")
            }
        }
        return unlisted
    }
}
