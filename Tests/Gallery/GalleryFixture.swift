import Apod
import Archive
import Catalog
import TestSupport
import Testing

@testable import Gallery

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
    var gallery: Gallery { get throws { Gallery(try archive) { text, _ in LinkedText(text) } } }

    func write(_ extent: Gallery.Extent = .all, wanted: ClosedRange<Day>? = nil) throws {
        try gallery.write(extent, wanted: wanted)
    }

    /// As the thumbnails do when they are made.
    func note(copiesOf day: Day, _ number: Int = 1, refusal: String? = nil, color: Int? = nil) throws {
        let catalog = try archive.catalog
        let image = try #require(try catalog.status(of: day)?.stored?.files.image(number))
        try catalog.record(
            .init(
                DayPicture(day, number), source: image.sha256, version: 1, refusal: refusal,
                screenBytes: refusal == nil ? 1 : nil,
                color: color))
    }

    /// A day whose page is at this address, as it stands in HTML.
    func add(_ day: Day, permalink: String, title: String = "A Title") async throws {
        try await add(day, title) { $0.permalink = WebAddress(permalink.replacing("&amp;", with: "&")) }
    }

    /// A day with a record that `change` has changed.
    func add(
        _ day: Day, _ title: String = "A Title", _ text: String = "Some text.", _ change: (inout Picture) -> Void
    ) async throws {
        let made = try fixture.arrival(day, title, text)
        var picture = made.metadata.picture
        change(&picture)
        let metadata = Metadata(
            name: made.metadata.name, picture: picture, files: made.metadata.filesHere, downgraded: false, fetched: 1)
        try await archive.add(StagedDay(metadata, staged: made.staged, status: made.status))
    }

    func text(_ name: String) throws -> String { try fileText(fixture[name]) }

    /// Where something in the mirror is.
    subscript(path: String) -> String { fixture[path] }

    /// The gallery's files and folders, below the root.
    var made: [String] {
        listing(root).filter { $0.hasPrefix("gallery") || $0 == "index.html" || $0 == "feed.xml" }
    }

    /// What has been written once more is another file.
    var inodes: [String: UInt] {
        let files = made.filter { !$0.hasSuffix("/") }
        return Dictionary(uniqueKeysWithValues: files.map { ($0, Facts(self[$0])?.inode ?? 0) })
    }

    /// The files that work has written.
    func written(by work: () async throws -> Void) async throws -> [String] {
        let before = inodes
        try await work()
        return inodes.filter { before[$0.key] != $0.value }.keys.sorted()
    }

    /// What the file of its year says of a day.
    func line(_ date: String) throws -> JSONText? { try line(date, in: "\(date.prefix(4)).js", after: "") }

    /// What the file with its year's texts says of a day.
    func words(_ date: String) throws -> JSONText? {
        try line(date, in: "\(date.prefix(4))-text.js", after: "\"\(date)\":")
    }

    /// The lines of a year's search data, by months.
    func months(_ year: Int) throws -> [(month: String, digest: String, data: [UInt8])] {
        let lines = try text("gallery/data/\(year)-search.js").split(separator: "\n")
        return try lines.filter { $0.hasPrefix("[") }.map { line in
            let parts = try #require(try JSONText(Array(line.utf8.dropLast())).elements?.compactMap(\.string))
            try #require(parts.count == 3)
            return (parts[0], parts[1], try #require(bytes(ofBase64: parts[2])))
        }
    }

    /// What a year's search data says, read as the page does: the months joined, and the end of a stream.
    func searched(_ year: Int) throws -> [String] {
        let text = try #require(inflated(try months(year).flatMap(\.data) + [3, 0]))
        return String(decoding: text, as: UTF8.self).split(separator: "\n").map { String($0) }
    }

    private func line(_ date: String, in name: String, after key: String) throws -> JSONText? {
        let lines = try text("gallery/data/\(name)").split(separator: "\n")
        let line = lines.first { $0.utf8.starts(with: key.utf8) && $0.utf8.count > 20 && $0.contains("\"\(date)\"") }
        return try line.map { try JSONText(Array($0.utf8.dropFirst(key.utf8.count).dropLast())) }
    }
}
