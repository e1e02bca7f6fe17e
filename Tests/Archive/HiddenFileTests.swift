import Apod
import Archive
import Catalog
import Files
import Glibc
import TestSupport
import Testing

@Suite("What file managers are told not to show")
struct HiddenFileTests {
    private static let month = "2026/11"
    private static let name = "\(month)/.hidden"

    /// Days of each kind.
    private func filled() async throws -> Shelf {
        let shelf = try Shelf()
        try await fill(shelf)
        return shelf
    }

    private func fill(_ shelf: Shelf) async throws {
        try await shelf.add(day("2026-11-20"), "Orion Rising")
        try await shelf.add(day("2026-11-19"), "Only Words", "Text.", [])
        try await shelf.add(day("2026-11-18"), "A Flight", "Up.", [(.page, .html), (.poster, .jpeg)])
        try await shelf.add(day("2026-10-31"), "Not Yet There", "Soon.", [], state: .placeholder)
    }

    /// The lines of a month's file; none where there is none.
    private func hidden(_ shelf: Shelf, _ month: String = month) -> [String] {
        let text = String(decoding: (try? contents("\(shelf.root)/\(month)/.hidden")) ?? [], as: UTF8.self)
        return text.split(separator: "\n").map(String.init)
    }

    private func put(_ lines: String, _ shelf: Shelf) throws {
        try save(Array(lines.utf8), to: "\(shelf.root)/\(Self.name)")
    }

    /// As when the program starts.
    private func update(_ shelf: Shelf) async throws {
        try await shelf.close()
        try await shelf.archive().hideJSON()
    }

    private func occupied(_ shelf: Shelf) throws -> [String] {
        let archive = try shelf.archive()
        return try Tree.obstacles(in: archive.tree.root, by: archive.catalog).occupied
    }

    @Test("is the JSON of days with a picture, a video or a page; a day of which nothing else is here stays in sight")
    func kinds() async throws {
        let shelf = try await filled()
        #expect(hidden(shelf) == ["2026-11-18 A Flight.json", "2026-11-20 Orion Rising.json"])
        #expect(Facts("\(shelf.root)/\(Self.name)")?.permissions == 0o644)
        #expect(Facts("\(shelf.root)/2026/10/.hidden") == nil)
    }

    @Test("is no longer the JSON of a day that lost its files")
    func pruned() async throws {
        let shelf = try await filled()
        _ = try await shelf.archive().prune([day("2026-11-18")], at: 0)
        #expect(hidden(shelf) == ["2026-11-20 Orion Rising.json"])
    }

    @Test("keeps somebody's own lines, in their order, whatever bytes they are; a day's JSON is named once")
    func ownLines() async throws {
        let shelf = try Shelf()
        try await shelf.add(day("2026-11-01"), "Only Words", "Text.", [])
        let theirs = Array("2026-11-20 Orion Rising.json\r\n\nalbum.json\r\n".utf8)
        try save(Array("notes.txt\n".utf8) + [0xff, 0x0a] + theirs, to: "\(shelf.root)/\(Self.name)")
        try await fill(shelf)
        let own = "\nalbum.json\r\n2026-11-18 A Flight.json\n2026-11-20 Orion Rising.json\n"
        let lines = Array("notes.txt\n".utf8) + [0xff, 0x0a] + Array(own.utf8)
        #expect(try contents("\(shelf.root)/\(Self.name)") == lines)
    }

    @Test("comes back in any month where somebody has deleted it; one that is there is not read again")
    func deleted() async throws {
        let shelf = try await filled()
        try await shelf.add(day("2026-09-30"), "Long Ago")
        try await update(shelf)
        let path = "\(shelf.root)/2026/09/.hidden"
        #expect(unlink(path) == 0)
        try put("notes.txt\n", shelf)
        try await update(shelf)
        #expect(hidden(shelf, "2026/09") == ["2026-09-30 Long Ago.json"] && hidden(shelf) == ["notes.txt"])
    }

    @Test("is set up later in a month in which nothing could be changed", .enabled(if: ImmutableFolder.canBeMade))
    func refused() async throws {
        let shelf = try await filled()
        let path = "\(shelf.root)/\(Self.name)"
        unlink(path)
        var month: ImmutableFolder? = try ImmutableFolder("\(shelf.root)/\(Self.month)")
        try await update(shelf)
        #expect(Facts(path) == nil)
        _ = month.take()
        try await update(shelf)
        #expect(hidden(shelf).count == 2)
    }

    @Test(
        "stays as it is where it is a link, a folder, a pipe or very long, and is named; the days come all the same",
        arguments: 0..<4)
    func inTheWay(kind: Int) async throws {
        let shelf = try Shelf()
        try await shelf.add(day("2026-11-01"), "Only Words", "Text.", [])
        let mine = "\(shelf.root)/\(Self.month)/mine.txt"
        try save(Array("mine\n".utf8), to: mine)
        let path = "\(shelf.root)/\(Self.name)"
        let make =
            [
                { symlink("mine.txt", $0) }, { mkdir($0, 0o755) }, { mkfifo($0, 0o644) },
                { mknod($0, S_IFREG | 0o644, 0) + truncate($0, 2 << 20) },
            ] as [(String) -> Int32]
        #expect(make[kind](path) == 0)
        let former = Facts(path)?.inode
        try await fill(shelf)
        #expect(try Facts(path)?.inode == former && contents(mine) == Array("mine\n".utf8))
        #expect(try await shelf.problems().isEmpty)
        #expect(shelf.tree.count { $0.hasPrefix("\(Self.month)/2026-11-20") } == 2)
        #expect(try occupied(shelf) == [Self.name])
    }
}
