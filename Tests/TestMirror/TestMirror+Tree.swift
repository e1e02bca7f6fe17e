package import Apod
import Configuration
import Glibc
package import Store
import TestSupport

/// What there is to see in the tree.
extension TestMirror {
    /// Without the mirror's own folder, and without what only file managers read.
    package var tree: [String] { mirrorListing(root) }

    /// The names of a day's files.
    package func files(_ day: Day) -> [String] {
        tree.compactMap { $0.hasPrefix("\(day.folder)/\(day)") ? String($0.dropFirst(8)) : nil }
    }

    package var log: FavoritesLog { get throws { try archive().favorites } }
    package var catalog: Catalog { get throws { try archive().catalog } }

    package func bytes(_ path: String) throws -> [UInt8] { try contents("\(root)/\(path)") }

    /// As when somebody deletes it.
    package func loseCatalog() async throws {
        try await close()
        for suffix in ["", "-wal", "-shm"] { unlink("\(root)/\(Tree.ownFolder)/catalog.sqlite\(suffix)") }
    }

    /// As somebody does who has the file from elsewhere.
    package func put(_ bytes: [UInt8], at path: String) throws {
        let parts = path.split(separator: "/").dropLast()
        for count in parts.indices { mkdir("\(root)/\(parts[...count].joined(separator: "/"))", 0o755) }
        try save(bytes, to: "\(root)/\(path)")
    }

    /// The file of a day with this suffix.
    package func bytes(_ day: Day, _ suffix: String) throws -> [UInt8] {
        guard let name = files(day).first(where: { $0.hasSuffix(".\(suffix)") }) else {
            throw TreeError(description: "\(day) has no \(suffix)")
        }
        return try bytes("\(day.folder)/\(name)")
    }

    package func json(_ day: Day) throws -> JSONText { try JSONText(bytes(day, "json")) }

    package func status(_ day: Day) throws -> Item? { try catalog.item(of: day) }

    /// What `verify` would find.
    package func problems() async throws -> [String] {
        try await Verification(root: root, catalog: archive().catalog).problems().map { "\($0)" }
    }

    /// Catalog and tree agree to the last file; nothing is damaged, and nothing unfinished lies about, unless downloads
    /// broke off that may be gone on with.
    package func audit(brokeOff: Bool = false, line: Int = #line) async throws {
        let problems = try await problems()
        guard problems.isEmpty else { throw TreeError(description: "line \(line): \(problems)") }
        let entries = try catalog.storedDays().compactMap(\.stored)
        var expected: Set<String> = []
        for entry in entries {
            let paths = entry.files.map(entry.name.path)
            expected.formUnion(paths + ["\(entry.name.folder)/\(entry.name.with("json"))"])
            expected.formUnion(["\(entry.name.day.year)/", "\(entry.name.folder)/"])
        }
        let newest = try catalog.newestImage()?.stored
        if let newest, let image = newest.files.image {
            let path = "\(newest.name.folder)/"
            expected.insert("latest -> \(path)\(newest.name.with(image.type.suffix))")
            expected.insert("latest.json -> \(path)\(newest.name.with("json"))")
        }
        if let copy = target(of: "\(root)/latest.jpg"), copy.hasPrefix(LatestCopy.folder) {
            expected.insert("latest.jpg -> \(copy)")
        } else if let jpeg = try catalog.newestImage(type: .jpeg)?.stored {
            expected.insert("latest.jpg -> \(jpeg.name.folder)/\(jpeg.name.with("jpg"))")
        }
        let tree = tree
        guard tree == expected.sorted() else {
            let (more, fewer) = (Set(tree).subtracting(expected).sorted(), expected.subtracting(tree).sorted())
            throw TreeError(description: "line \(line): there are \(more) more, and \(fewer) are missing")
        }
        let unfinished = listing("\(root)/\(Tree.ownFolder)/unfinished")
        guard brokeOff || unfinished.isEmpty else {
            throw TreeError(description: "line \(line): unfinished are \(unfinished)")
        }
    }

    /// What NASA was asked since it last forgot, in order. A busy machine can take a breath for a silence and ask again.
    package var questions: [String] {
        nasa.requests.filter { $0.attempt == 1 && $0.path.hasPrefix(FakeNASA.base) }.map(\.target)
    }

    /// Without those that only ask whether there is another.
    package var fileRequests: [String] {
        nasa.requests.filter { $0.headers["if-none-match"] == nil }.map(\.path).filter {
            $0.hasPrefix("/content/") || $0.hasPrefix("/dynamicimage/")
        }
    }
}

/// The tree is not as it should be.
struct TreeError: Error, CustomStringConvertible { let description: String }
