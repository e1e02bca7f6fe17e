package import Apod
package import Files
import Glibc
package import Store

/// An archive in a folder of its own, filled by hand.
package final class ArchiveFixture {
    package let folder: TemporaryFolder
    package let root: String
    package let state: String?
    private var open: Archive?

    package init(state: String? = nil, root: String? = nil) throws {
        folder = try TemporaryFolder()
        self.root = root ?? folder.appending("APOD")
        self.state = state
    }

    package func archive() throws -> Archive {
        if let open { return open }
        let archive = try Archive(root: root, state: state, read: Self.read)
        open = archive
        return archive
    }

    /// As when the program ends.
    package func close() async throws {
        open = nil
        try await unlocked(root)
    }

    package var openCatalog: Catalog { get throws { try archive().catalog } }

    /// Where something in the mirror is.
    package subscript(path: String) -> String { "\(root)/\(path)" }

    package var catalog: String { "\(state ?? "\(root)/.apod-mirror")/catalog.sqlite" }

    package func removeCatalog() {
        for suffix in ["", "-wal", "-shm"] { unlink(catalog + suffix) }
    }

    /// As when the program ends, and the catalog is lost.
    package func forget() async throws {
        try await close()
        removeCatalog()
    }

    /// With the digests of their records, which a new catalog does not know.
    package func storedDays() throws -> [Item] {
        let archive = try archive()
        return try archive.catalog.storedDays().map { item in
            var item = item
            if let stored = item.stored, stored.content == nil {
                item.stored?.content = try archive.content(of: stored)
            }
            return item
        }
    }

    @discardableResult
    package func prune(
        _ days: [Day], at moment: Int = 0, unless isWanted: @escaping Pruning.Wanting = { _ in false }
    ) async throws -> Pruning.Deleted {
        try await archive().prune(days.map(Key.day), at: moment, unless: isWanted)
    }

    package var tree: [String] { mirrorListing(root) }

    /// A day whose files are so many bytes, all alike.
    @discardableResult
    package func add(
        _ day: Day, _ title: String = "A Title", _ text: String = "Some text.",
        _ files: [(StoredFile.Role, MediaType)] = [(.picture, .jpeg)], downgraded: Bool = false,
        state: Item.State = .mirrored, bytes: Int = 1000
    ) async throws -> Document {
        let arrival = try arrival(day, title, text, files, downgraded: downgraded, state: state, bytes: bytes)
        try await archive().add(arrival.day())
        return arrival.document
    }

    /// The same, still to be added.
    package func arrival(
        _ day: Day, _ title: String = "A Title", _ text: String = "Some text.",
        _ files: [(StoredFile.Role, MediaType)] = [(.picture, .jpeg)], downgraded: Bool = false,
        state: Item.State = .mirrored, bytes: Int = 1000
    ) throws -> StagedArrival {
        let picture = Self.picture(day, title, text, files)
        var stored: [StoredFile] = []
        var staged: [String: Staged] = [:]
        for (role, type) in files {
            let content = [UInt8](repeating: UInt8((day.number + role.number - 1) & 255), count: bytes)
            let file = StoredFile(
                role: role, type: type, address: Self.address(day, type), bytes: bytes,
                sha256: Digest(of: content), width: type.kind == .image ? 4 : nil,
                height: type.kind == .image ? 3 : nil)
            stored.append(file)
            staged[file.ending] = try Staged(
                content, in: archive().tree.unfinished, as: "\(day)\(file.ending)", modified: day.noon)
        }
        let name = try archive().catalog.item(of: .day(day))?.stored?.name ?? FileName(day: day, title: title)
        var mirror = MirrorPart(fetched: 1_700_000_000 + day.number)
        mirror.isDowngraded = downgraded
        let document = try Document(picture, as: name, files: stored, mirror)
        return StagedArrival(
            document: document, picture: picture, staged: staged, item: Item(.day(day), state))
    }

    package struct StagedArrival: Sendable {
        package let document: Document
        package let picture: Picture
        package let staged: [String: Staged]
        package let item: Item

        package func day(damaged: Set<String> = []) -> StagedDay {
            StagedDay(document, picture, staged: staged, item: item, damaged: damaged)
        }
    }

    private static func address(_ day: Day, _ type: MediaType) -> WebAddress {
        WebAddress("https://example.org/\(day).\(type.suffix)")!
    }

    private static func picture(
        _ day: Day, _ title: String, _ text: String, _ files: [(StoredFile.Role, MediaType)]
    ) -> Picture {
        let record = JSON.object([
            ("date", .string("\(day)")), ("title", .string(title)), ("text", .string(text)),
            ("media", .string(files.map { "\(address(day, $0.1))" }.joined(separator: " "))),
        ])
        return read(try! JSONText(record.compact), FileName(day: day, title: title))!
    }

    package static let read: RecordReader = { record, name in
        if name.list != nil { return ListArchive.picture(record, as: name) }
        guard let date = record["date"]?.string, let day = Day(date), let title = record["title"]?.string,
            let text = record["text"]?.string
        else { return nil }
        let addresses = (record["media"]?.string ?? "").split(separator: " ").compactMap { WebAddress($0) }
        return Picture(
            key: .day(day), title: title, explanation: text, media: Source(addresses).map(Media.image) ?? .none,
            record: record)
    }
}
