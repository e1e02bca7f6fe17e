import Apod
import Files
import FoundationEssentials
import Gallery
import Glibc
import Store
import TestSupport
import Testing

/// A mirror of a few days, and its gallery.
final class GalleryFixture {
    let fixture: ArchiveFixture

    init() throws { fixture = try ArchiveFixture() }

    /// So many days, the last of them this one.
    convenience init(days: Int, to last: Day = november(20)) async throws {
        try self.init()
        for number in 0..<days {
            try await fixture.add(last.advanced(by: -number), "Night \(number)", "Text \(number).")
        }
    }

    var root: String { fixture.root }
    var archive: Archive { get throws { try fixture.archive() } }
    var gallery: Gallery { get throws { try Gallery(archive) { text, _ in LinkedText(text) } } }

    func sidecars(_ areWanted: Bool = true) throws -> Sidecars { try Sidecars(archive, areWanted: areWanted) }

    func write(_ days: Set<Day>? = nil, lists: [ListName] = [], wanted: ClosedRange<Day>? = nil) throws {
        try gallery.write(days, lists: lists, wanted: wanted)
    }

    /// As the thumbnails do when they are made.
    func note(copiesOf day: Day, _ number: Int = 1, refusal: String? = nil, color: Int? = nil) throws {
        let catalog = try archive.catalog
        let image = try #require(try catalog.item(of: day)?.stored?.files.image(number))
        try catalog.record(
            .init(
                PictureKey(day, number), source: image.sha256, version: 1, refusal: refusal,
                screenBytes: refusal == nil ? 1 : nil, color: color))
    }

    func record(_ day: Day, _ change: (inout Item) -> Void) async throws {
        var item = try archive.catalog.item(of: day) ?? Item(.day(day), .failed)
        change(&item)
        try await archive.record(item)
    }

    /// A day with a document that `change` has changed.
    func add(
        _ day: Day, _ title: String = "A Title", _ text: String = "Some text.",
        _ files: [(StoredFile.Role, MediaType)] = [(.picture, .jpeg)], fetched: Int = 1,
        _ change: (inout Picture, inout [StoredFile]) -> Void
    ) async throws {
        let made = try fixture.arrival(day, title, text, files)
        var (picture, files) = (made.picture, made.document.files)
        change(&picture, &files)
        let document = try Document(picture, as: made.document.name, files: files, MirrorPart(fetched: fetched))
        try await archive.add(StagedDay(document, picture, staged: made.staged, item: made.item))
    }

    func text(_ name: String) throws -> String { try fileText(fixture[name]) }

    /// Where something in the mirror is.
    subscript(path: String) -> String { fixture[path] }

    /// The gallery's files and folders, below the root.
    var made: [String] {
        listing(root).filter { $0.hasPrefix("gallery") || $0 == "index.html" || $0 == "feed.xml" }
    }

    /// The same, and the sidecars.
    var drawn: [String] { made.filter { !$0.hasSuffix("/") } + sidecarNames }

    /// The paths of all that could be a sidecar.
    var sidecarNames: [String] { listing(root).filter { $0.hasSuffix(".xmp") && !$0.hasPrefix(".apod") } }

    /// The files that work has written: what has been written once more is another file.
    func written(by work: () async throws -> Void) async throws -> [String] {
        let before = Dictionary(uniqueKeysWithValues: drawn.map { ($0, Facts(self[$0])?.inode) })
        try await work()
        return drawn.filter { before[$0] != Facts(self[$0])?.inode }
    }

    /// What a data file calls the page's function with.
    func values(_ name: String) throws -> [JSONText] {
        let call = try text("gallery/data/\(name).js").drop { $0 != "(" }.dropFirst().dropLast(3)
        return try #require(try JSONText("[\(call)]".bytes).elements)
    }

    /// What the file of its year says of a day, but for what all days have: `image jpg bytes 1000`.
    func told(_ date: String) throws -> String? {
        let line = try values("\(date.prefix(4))")[1].elements?.first { $0["date"]?.string == date }
        return line?.orderedMembers?.filter { !["date", "title", "stem", "width", "height"].contains($0.name) }
            .map { "\($0.name) \($0.value.text.replacing("\"", with: ""))" }.joined(separator: " ")
    }

    /// What the file with its year's texts says of a day.
    func words(_ date: String, in volume: String? = nil) throws -> JSONText? {
        try values("\(volume ?? String(date.prefix(4)))-text")[1][date]
    }
}
