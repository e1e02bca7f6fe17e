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

        fileprivate init(_ expected: Expected, isMissing: Bool = false, why: String? = nil) {
            (key, path, self.isMissing) = (expected.file.key, expected.path, isMissing)
            (isFormer, self.why) = (expected.isFormer, expected.isFormer ? nil : why)
        }
    }

    package enum Progress: Sendable {
        case planned(files: Int)
        case checked(bytes: Int)
        case found(Damage)
    }

    fileprivate struct Expected: Sendable {
        let file: TreeFile
        let of: FileName
        /// Below the mirror's root, as `path`.
        let folder: String
        var isFormer = false

        var path: String { "\(folder)/\(file.name)" }
    }

    private let root: String
    private let catalog: Catalog
    private let all: [Expected]

    /// Covers all that the catalog lists, and the files of former versions. Throws if the catalog itself is damaged.
    package init(root: String, catalog: Catalog) throws {
        self.root = root
        self.catalog = catalog
        try catalog.check()
        let lists = Set(Archive.lists(root: root))
        let stored = try catalog.stored(in: .all).filter { $0.stored?.name.list.map(lists.contains) ?? true }
        all = try stored.flatMap(Self.expected) + Self.former(root) { _ in true }
    }

    /// The files of former versions. A JSON that cannot be read is one of them: no file is like it.
    private static func former(_ root: String, where isWanted: (Key) -> Bool) throws -> [Expected] {
        guard let own = try Folder.open(root).folder(Tree.ownFolder) else { return [] }
        let versions = Versions(own: own)
        var all: [Expected] = []
        for name in try versions.names() where isWanted(name.key) {
            for number in try versions.numbers(name) {
                let version = try versions.read(name, number)
                var files = (version?.held ?? []).map { TreeFile($0, of: name) }
                if version == nil, try versions.hasJSON(name, number) {
                    let json = name.with(FileName.json)
                    files.append(TreeFile(key: name.key, name: json, bytes: -1, sha256: Digest(of: [])))
                }
                let folder = versions.path(name, number)
                all += files.map { Expected(file: $0, of: name, folder: folder, isFormer: true) }
            }
        }
        return all
    }

    private static func expected(_ item: Item) -> [Expected] {
        guard let stored = item.stored else { return [] }
        // Files that are being deleted are not expected.
        let files = item.state == .pruned ? [stored.document] : stored.all
        return files.map { Expected(file: $0, of: stored.name, folder: stored.name.folder) }
    }

    /// Reads as many files at once as there are `workers`, and reports each; what is wrong, in the order of the days.
    ///
    /// A writer renames files before it records them, so a mismatch is checked once more after `pause`.
    package func run(
        workers: Int, pause: @Sendable () async -> Void = {}, _ report: @escaping @Sendable (Progress) -> Void
    ) async throws {
        report(.planned(files: all.count))
        let folder = try Folder.open(root)
        let results = await withTaskGroup(of: Result<[Int], any Error>.self) { group in
            for worker in 0..<workers {
                group.addTask {
                    await blocking {
                        findMismatches(stride(from: worker, to: all.count, by: workers), in: folder, report)
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
                guard let expected = stillExpected(all[index]), let problem = try problem(with: expected, in: folder),
                    try Document.ifReadable({ try isUnfinished(expected, in: folder) }) != true
                else { continue }
                report(.found(problem))
            }
        }
    }

    /// Returns the mismatches, or the error of this process that stopped the search.
    private func findMismatches(
        _ indices: StrideTo<Int>, in root: Folder, _ report: (Progress) -> Void
    ) -> Result<[Int], any Error> {
        var doubts: [Int] = []
        for index in indices {
            do {
                if try problem(with: all[index], in: root) != nil { doubts.append(index) }
            } catch {
                return .failure(error)
            }
            report(.checked(bytes: all[index].file.bytes))
        }
        return .success(doubts)
    }

    /// The file as the catalog lists it after the pause; nil if it was deleted meanwhile.
    private func stillExpected(_ expected: Expected) -> Expected? {
        if expected.isFormer {
            guard let all = try? Self.former(root, where: { $0 == expected.file.key }) else { return expected }
            return all.first { $0.path == expected.path }
        }
        guard let item = try? catalog.item(of: expected.file.key) else { return expected }
        return Self.expected(item).first { $0.path == expected.path }
    }

    /// Whether it is what a storing or a deletion of its day that was cut off has made of it. The next writer ends that.
    private func isUnfinished(_ expected: Expected, in root: Folder) throws -> Bool {
        let (name, place) = (expected.of, "\(Tree.ownFolder)/\(Tree.unfinishedName)")
        guard !expected.isFormer, let folder = try Tree.existingFolder(expected.folder, in: root) else { return false }
        let isJSON = expected.file.name == name.with(FileName.json)
        if isJSON, let item = try catalog.item(of: name.key), item.state == .pruned, item.stored?.files.isEmpty == false
        {
            return try Document(name, in: folder)?.mirror.isPruned == true
        }
        guard let unfinished = try Tree.existingFolder(place, in: root),
            let document = try Document(name, in: unfinished, as: name.unfinished)
        else { return false }
        if isJSON {
            guard expected.file.sha256 == Digest(of: document.bytes) else { return false }
            return try Document(name, in: folder) != nil
        }
        guard let file = document.files.first(where: { name.with($0) == expected.file.name }) else { return false }
        return try folder.has(file, as: name, byContent: true)
    }

    private func problem(with expected: Expected, in root: Folder) throws -> Damage? {
        do {
            return try difference(from: expected, in: root)
        } catch {
            if error.problem.isOfProcess { throw error }
            return Damage(expected, why: error.problem.description)
        }
    }

    private func difference(from expected: Expected, in root: Folder) throws -> Damage? {
        let wanted = expected.file
        guard let folder = try Tree.existingFolder(expected.folder, in: root),
            let facts = try folder.facts(of: wanted.name)
        else { return Damage(expected, isMissing: true) }
        guard facts.isRegular, facts.bytes == wanted.bytes, let file = try folder.file(wanted.name),
            try Digest(of: file) == wanted.sha256
        else { return Damage(expected) }
        return nil
    }
}
