import Apod
import Archive
import Glibc
import Service
import Synchronization
import TestSupport
import Testing

/// What there is to see in the tree.
extension Observatory {
    /// Without the mirror's own folder.
    var tree: [String] { listing(root).filter { !$0.hasPrefix(Tree.ownFolder) } }

    /// The names of a day's files.
    func files(_ day: Day) -> [String] {
        tree.compactMap { $0.hasPrefix("\(day.folder)/\(day)") ? String($0.dropFirst(8)) : nil }
    }

    func bytes(_ path: String) throws -> [UInt8] { try contents("\(root)/\(path)") }

    /// As somebody does who has the file from elsewhere.
    func put(_ bytes: [UInt8], at path: String) throws {
        let parts = path.split(separator: "/").dropLast()
        for count in parts.indices { mkdir("\(root)/\(parts[...count].joined(separator: "/"))", 0o755) }
        try save(bytes, to: "\(root)/\(path)")
    }

    /// The file of a day with this suffix.
    func bytes(_ day: Day, _ suffix: String) throws -> [UInt8] {
        let name = try #require(files(day).first { $0.hasSuffix(".\(suffix)") }, "\(day) has no \(suffix)")
        return try bytes("\(day.folder)/\(name)")
    }

    func json(_ day: Day) throws -> JSONText { try JSONText(bytes(day, "json")) }

    func standing(_ day: Day) throws -> Standing? { try archive().catalog.standing(of: day) }

    /// What `verify` would find.
    func problems() async throws -> [String] {
        let problems = Mutex<[String]>([])
        try await Verification(root: root, catalog: archive().catalog).run(workers: 2) { event in
            if case .found(let problem) = event { problems.withLock { $0.append("\(problem)") } }
        }
        return problems.withLock(\.self)
    }

    /// Catalog and tree agree to the last file; nothing is damaged, and nothing unfinished lies about, unless downloads
    /// broke off that may be gone on with.
    func audit(brokeOff: Bool = false, _ location: SourceLocation = #_sourceLocation) async throws {
        #expect(try await problems() == [], sourceLocation: location)
        let entries = try archive().catalog.entries().compactMap(\.entry)
        var expected: Set<String> = []
        for entry in entries {
            let paths = entry.files.map { "\(entry.name.folder)/\(entry.name.with($0.type.suffix))" }
            expected.formUnion(paths + ["\(entry.name.folder)/\(entry.name.with("json"))"])
            expected.formUnion(["\(entry.name.day.year)/", "\(entry.name.folder)/"])
        }
        let newest = try archive().catalog.newestImage()?.entry
        if let newest, let image = newest.files.first(where: \.isImage) {
            let path = "\(newest.name.folder)/"
            expected.insert("latest -> \(path)\(newest.name.with(image.type.suffix))")
            expected.insert("latest.json -> \(path)\(newest.name.with("json"))")
        }
        #expect(tree == expected.sorted(), sourceLocation: location)
        #expect(
            brokeOff || listing("\(root)/\(Tree.ownFolder)/unfinished").isEmpty, sourceLocation: location)
    }

    /// What NASA was asked since it last forgot, in order. A busy machine can take a breath for a silence and ask again.
    var questions: [String] {
        nasa.requests.filter { $0.attempt == 1 && $0.path.hasPrefix(FakeNASA.base) }.map(\.target)
    }

    var fileRequests: [String] {
        nasa.requests.map(\.path).filter { $0.hasPrefix("/content/") || $0.hasPrefix("/dynamicimage/") }
    }
}
