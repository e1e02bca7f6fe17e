package import Apod
import Files

/// Compares every file that the catalog lists with its SHA-256.
package struct Verification: Sendable {
    /// A file that is damaged, missing or unreadable.
    package struct Damage: Sendable {
        package let key: Key
        /// Below the mirror's root.
        package let path: String
        package let isMissing: Bool
        /// Of a former version: nobody can fetch it again.
        package let isFormer: Bool
        /// Why it cannot be read.
        package let why: String?

        fileprivate init(_ item: Item, isMissing: Bool = false, why: String? = nil) {
            (key, path, self.isMissing, isFormer) = (item.key, item.path, isMissing, item.isFormer)
            self.why = item.isFormer ? nil : why
        }
    }

    package enum Event: Sendable {
        case planned(files: Int)
        case checked(bytes: Int)
        case found(Damage)
    }

    fileprivate struct Item: Sendable {
        let of: FileName
        /// Below the mirror's root, as `path`.
        let folder: String
        let name: String
        let bytes: Int
        let sha256: Digest
        var isFormer = false

        var key: Key { of.key }
        var path: String { "\(folder)/\(name)" }
    }

    private let root: String
    private let catalog: Catalog
    private let items: [Item]

    /// Covers all that the catalog lists, and the files of former versions. Throws if the catalog itself is damaged.
    package init(root: String, catalog: Catalog) throws {
        self.root = root
        self.catalog = catalog
        try catalog.check()
        let lists = Set(Archive.lists(root: root))
        let stored = try catalog.stored(in: .all).filter { $0.stored?.name.list.map(lists.contains) ?? true }
        items = try stored.flatMap(Self.items) + Self.formerItems(root) { _ in true }
    }

    /// The files of former versions. A JSON that cannot be read is one of them: no file is like it.
    private static func formerItems(_ root: String, where isWanted: (Key) -> Bool) throws -> [Item] {
        guard let own = try Folder.open(root).folder(Tree.ownFolder) else { return [] }
        let versions = Versions(own: own)
        var items: [Item] = []
        for name in try versions.names() where isWanted(name.key) {
            for number in try versions.numbers(name) {
                let version = try versions.read(name, number)
                func item(_ file: String, _ bytes: Int, _ sha256: Digest) -> Item {
                    Item(
                        of: name, folder: versions.path(name, number), name: file, bytes: bytes, sha256: sha256,
                        isFormer: true)
                }
                if version == nil, try versions.hasJSON(name, number) {
                    items.append(item(name.with(FileName.json), -1, Digest(of: [])))
                }
                items += (version?.held ?? []).map { item(name.with($0), $0.bytes, $0.sha256) }
            }
        }
        return items
    }

    private static func items(_ status: DayStatus) -> [Item] {
        guard let stored = status.stored else { return [] }
        func item(_ name: String, _ bytes: Int, _ sha256: Digest) -> Item {
            Item(of: stored.name, folder: stored.name.folder, name: name, bytes: bytes, sha256: sha256)
        }
        // Files that are being deleted are not expected.
        let files = status.state == .pruned ? [] : stored.files
        return files.map { item(stored.name.with($0), $0.bytes, $0.sha256) }
            + [item(stored.name.with(FileName.json), stored.jsonBytes, stored.json)]
    }

    /// Reads as many files at once as there are `workers`, and reports each; what is wrong, in the order of the days.
    ///
    /// A writer renames files before it records them, so a mismatch is checked once more after `pause`.
    package func run(
        workers: Int, pause: @Sendable () async -> Void = {}, _ report: @escaping @Sendable (Event) -> Void
    ) async throws {
        report(.planned(files: items.count))
        let folder = try Folder.open(root)
        let results = await withTaskGroup(of: Result<[Int], any Error>.self) { group in
            for worker in 0..<workers {
                group.addTask {
                    await blocking {
                        findMismatches(stride(from: worker, to: items.count, by: workers), in: folder, report)
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        let doubts = try results.flatMap { try $0.get() }.sorted()
        if doubts.isEmpty { return }
        await pause()
        try await blocking {
            for index in doubts {
                guard let item = expected(items[index]), let problem = try problem(with: item, in: folder),
                    try Document.ifReadable({ try isUnfinished(item, in: folder) }) != true
                else { continue }
                report(.found(problem))
            }
        }
    }

    /// Returns the mismatches, or the error of this process that stopped the search.
    private func findMismatches(
        _ indices: StrideTo<Int>, in root: Folder, _ report: (Event) -> Void
    ) -> Result<[Int], any Error> {
        var doubts: [Int] = []
        for index in indices {
            do {
                if try problem(with: items[index], in: root) != nil { doubts.append(index) }
            } catch {
                return .failure(error)
            }
            report(.checked(bytes: items[index].bytes))
        }
        return .success(doubts)
    }

    /// The file as the catalog lists it after the pause; nil if it was deleted meanwhile.
    private func expected(_ item: Item) -> Item? {
        if item.isFormer {
            guard let items = try? Self.formerItems(root, where: { $0 == item.key }) else { return item }
            return items.first { $0.path == item.path }
        }
        guard let status = try? catalog.status(of: item.key) else { return item }
        return Self.items(status).first { $0.path == item.path }
    }

    /// Whether it is what a storing or a deletion of its day that was cut off has made of it. The next writer ends that.
    private func isUnfinished(_ item: Item, in root: Folder) throws -> Bool {
        let (name, place) = (item.of, "\(Tree.ownFolder)/\(Tree.unfinishedName)")
        guard !item.isFormer, let folder = try Tree.existingFolder(item.folder, in: root) else { return false }
        let isJSON = item.name == name.with(FileName.json)
        if isJSON, let status = try catalog.status(of: item.key), status.state == .pruned,
            status.stored?.files.isEmpty == false
        {
            return try Document(name, in: folder)?.isPruned == true
        }
        guard let unfinished = try Tree.existingFolder(place, in: root),
            let document = try Document(name, in: unfinished, as: name.unfinished)
        else { return false }
        if isJSON {
            guard item.sha256 == Digest(of: document.bytes) else { return false }
            return try Document(name, in: folder) != nil
        }
        guard let file = document.files.first(where: { name.with($0) == item.name }) else { return false }
        return try folder.has(file, as: name, byContent: true)
    }

    private func problem(with item: Item, in root: Folder) throws -> Damage? {
        do {
            return try difference(from: item, in: root)
        } catch {
            if error.problem.isOfProcess { throw error }
            return Damage(item, why: error.problem.description)
        }
    }

    private func difference(from item: Item, in root: Folder) throws -> Damage? {
        guard let folder = try Tree.existingFolder(item.folder, in: root), let facts = try folder.facts(of: item.name)
        else { return Damage(item, isMissing: true) }
        guard facts.isRegular, facts.bytes == item.bytes, let file = try folder.file(item.name),
            try Digest(of: file) == item.sha256
        else { return Damage(item) }
        return nil
    }
}
