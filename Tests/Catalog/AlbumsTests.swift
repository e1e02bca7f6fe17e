import Apod
import Files
import Glibc
import TestSupport
import Testing

@testable import Archive
@testable import Catalog

@Suite("The albums of which anything is remembered")
struct AlbumsTests {
    private let day = Day("2026-11-20")!

    private func album(_ names: String...) -> Album { names.reduce(.top) { $0.inner(Name($1)!) } }

    @Test("are forgotten when nothing in them is remembered any more, nor in those inside them")
    func forgotten() throws {
        let catalog = try Shelf().archive().catalog
        var change = FolderChange()
        change.seen = [(Place(Name("x")!, in: album("a", "b")), .day(day))]
        for album in [.top, album("a"), album("a", "b"), album("a!"), album("a", "b", "c"), album("a0")] {
            change.fingerprints[album] = "1"
        }
        try catalog.record(change, at: 0)
        try catalog.forgetEmptyAlbums()
        #expect(try Set(catalog.albums().keys) == [.top, album("a"), album("a", "b")])
    }

    /// Bytes that this thread has read, from wherever they came (proc_pid_io(5)).
    private func bytesRead() throws -> Int {
        let text = String(decoding: try contents("/proc/thread-self/io"), as: UTF8.self)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("rchar: ") })
        return try #require(Int(line.dropFirst(7)))
    }

    @Test("are found without reading their links, however many these are", arguments: [0, 1, 20_000])
    func found(count: Int) async throws {
        let shelf = try Shelf()
        let albums = [.top, album("a"), album("a", "b"), album("a!"), album("z")]
        var change = FolderChange()
        for album in albums {
            for number in 0..<count {
                let meaning = Meaning.day(day, file: "2026-11-20 Orion Rising.jpg")
                change.seen.append((Place(Name("\(number)")!, in: album), meaning))
            }
        }
        change.fingerprints = [album("a"): "1", album("empty"): "2"]
        try shelf.archive().catalog.record(change, at: 0)
        try await shelf.close()
        let catalog = try shelf.archive().catalog
        _ = try catalog.fact(.since)
        let before = try bytesRead()
        let found = try catalog.albums()
        #expect(try bytesRead() - before < 200_000)
        var expected: [Album: String?] = [album("a"): "1", album("empty"): "2"]
        if count > 0 { for album in albums where album != self.album("a") { expected[album] = .some(nil) } }
        #expect(found == expected)
    }
}
