import Apod
import Files
import Glibc
import Store
import TestSupport
import Testing

@testable import Decoders
@testable import Thumbnails

/// A mirror that is filled with specimens, and the program that decodes.
final class ThumbnailsFixture {
    static let worker = Places.built("apod-thumbnailer")
    static let newest = november(20)

    let mirror: ArchiveFixture

    init(root: String? = nil) throws { mirror = try ArchiveFixture(root: root) }

    var root: String { mirror.root }

    /// Days in a row back from the newest, one for each specimen.
    @discardableResult
    func put(_ names: String...) async throws -> [Day] { try await put(names) }

    @discardableResult
    func put(_ names: [String]) async throws -> [Day] {
        var days: [Day] = []
        for name in names {
            days.append(Self.newest.advanced(by: -days.count))
            try await put(name, on: days.last!)
        }
        return days
    }

    /// `beside`: files that nobody decodes. `further`: the second picture, and so on.
    func put(
        _ name: String, on day: Day, role: StoredFile.Role = .picture,
        beside others: [(StoredFile.Role, MediaType)] = [], further: [String] = []
    ) async throws {
        let archive = try mirror.archive()
        func specimen(_ name: String, _ role: StoredFile.Role) throws -> (StoredFile, Staged) {
            let bytes = try contents(Specimens.path(name))
            let type = MediaType(firstBytes: bytes) ?? .jpeg
            let file = StoredFile(
                role: role, type: type, address: WebAddress("https://example.org/\(day).\(type.suffix)")!,
                bytes: bytes.count, sha256: Digest(of: bytes))
            let staged = try Staged(
                bytes, in: archive.tree.unfinished, as: "\(day) specimen\(file.ending)", modified: day.noon)
            return (file, staged)
        }
        let (file, content) = try specimen(name, role)
        let made = try mirror.arrival(day, "A Title", "Text.", [(role, file.type)] + others, bytes: 10)
        var (files, staged) = ([file] + made.document.files.dropFirst(), made.staged)
        staged[file.ending] = content
        for (index, name) in further.enumerated() {
            let (file, content) = try specimen(name, .also(index + 2))
            files.append(file)
            staged[file.ending] = content
        }
        let document = try Document(made.picture, as: made.document.name, files: files, MirrorPart(fetched: 1))
        try archive.tree.unfinished.remove("\(day)\(file.ending)")
        try await archive.add(
            StagedDay(document, made.picture, staged: staged, item: Item(.day(day), .mirrored)))
    }

    /// For what thumbnails are made.
    var uses = ThumbnailUses.screens

    func thumbnails(worker: String? = ThumbnailsFixture.worker, limits: WorkerLimits = WorkerLimits()) throws
        -> Thumbnails
    {
        Thumbnails(try mirror.archive(), for: uses, worker: worker, limits: limits)
    }

    var missing: [Day] { get throws { try thumbnails().missing().map(\.day) } }
    var catalog: Catalog { get throws { try mirror.openCatalog } }

    func tidy() throws { try thumbnails().tidy() }

    /// All that are missing, in the order in which they came.
    func make(worker: String? = ThumbnailsFixture.worker, limits: WorkerLimits = WorkerLimits()) async throws
        -> [Thumbnail]
    {
        let thumbnails = try thumbnails(worker: worker, limits: limits)
        return await thumbnails.thumbnails(for: try thumbnails.missing()).all()
    }

    /// Expects that so many are missing, and that each of them can be made.
    func makeAll(_ count: Int = 1, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let made = try await make().map(\.isMade)
        #expect(made == Array(repeating: true, count: count), sourceLocation: sourceLocation)
    }

    /// Of the files in `gallery/` that are not hidden, with the folders.
    var gallery: [String] {
        get async throws {
            try await lines("find gallery -type f ! -name '.*' 2>/dev/null | sort")
        }
    }

    func paths(_ day: Day) -> [String] { ["1280.jpg", "480.webp"].map { "gallery/\(day.year)/\(day)-\($0)" } }

    /// Width and height of a thumbnail.
    func size(_ day: Day, _ kind: String) async throws -> [Int] { try await look(at: day, kind).size }

    /// As another program sees it: the size, and the colours at some places, in parts of width and height: white, or the
    /// strongest of red, green and blue.
    func look(
        at day: Day, _ kind: String, _ places: (Double, Double)...
    ) async throws -> (size: [Int], colours: String) {
        try await look(at: "gallery/\(day.year)/\(day)-\(kind)", places)
    }

    func look(at path: String, _ places: [(Double, Double)]) async throws -> (size: [Int], colours: String) {
        let words = try await seen(path, places)
        return (words.prefix(2).compactMap { Int($0) }, words.dropFirst(2).first ?? "")
    }

    /// Width, height, colours, and what else a picture tells.
    func seen(_ path: String, _ places: [(Double, Double)]) async throws -> [String] {
        let script = """
            import sys
            from PIL import Image
            image = Image.open(sys.argv[1]); image.load()
            told = getattr(image, "text", {}); image = image.convert("RGBA")
            image = Image.alpha_composite(Image.new("RGBA", image.size, "white"), image).convert("RGB")
            print(image.width, image.height, end=" ")
            for place in sys.argv[2:]:
                x, y = map(float, place.split(","))
                colour = image.getpixel((int(image.width * x), int(image.height * y)))
                print("w" if min(colour) > 200 else "rgb"[colour.index(max(colour))], end="")
            print("", *(told[key] for key in ["Thumb::URI", "Thumb::MTime", "Software"] if key in told))
            """
        let told = try await Program.run(
            "/usr/bin/python3", ["-c", script, self[path]] + places.map { "\($0.0),\($0.1)" })
        return told.output.split(whereSeparator: \.isWhitespace).map(String.init)
    }
}

extension AsyncSequence where Failure == Never {
    func all() async -> [Element] {
        var all: [Element] = []
        for await element in self { all.append(element) }
        return all
    }
}

/// The first pictures of some days.
extension Thumbnails {
    func thumbnails(for days: [Day], named: Bool = false) -> AsyncStream<Thumbnail> {
        thumbnails(for: days.map { PictureKey($0) }, named: named)
    }
}

extension Catalog {
    func thumbnail(of day: Day) throws -> ThumbnailState? { try thumbnail(of: PictureKey(day)) }
}

extension Thumbnail {
    var isMade: Bool { if case .made(_, let bytes) = outcome { bytes > 0 } else { false } }
    var refusal: String? { if case .refused(let why) = outcome { why } else { nil } }
    var failure: String? { if case .failed(let why) = outcome { why } else { nil } }
}

/// A program in a folder.
func script(_ text: String, in folder: TemporaryFolder) throws -> String {
    let path = folder.appending("worker")
    try save(text, to: path)
    chmod(path, 0o755)
    return path
}
