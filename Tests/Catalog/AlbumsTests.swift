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
        let links = albums.flatMap { album in
            (0..<count).map { Link(Place(Name("\($0)")!, in: album), to: day, file: "2026-11-20 Orion Rising.jpg") }
        }
        try shelf.archive().catalog.favor(links, at: 0)
        try await shelf.close()
        let catalog = try shelf.archive().catalog
        _ = try catalog.fact(.since)
        let before = try bytesRead()
        let found = try catalog.albums()
        #expect(try bytesRead() - before < 200_000)
        #expect(found == (count > 0 ? Set(albums) : []))
    }
}
