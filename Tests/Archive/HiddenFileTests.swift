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
        try await shelf.add(november(20), "Orion Rising")
        try await shelf.add(november(19), "Only Words", "Text.", [])
        try await shelf.add(november(18), "A Flight", "Up.", [(.page, .html), (.poster, .jpeg)])
        try await shelf.add(day("2026-10-31"), "Not Yet There", "Soon.", [], state: .placeholder)
    }

    /// The lines of the month's file; none where there is none.
    private func hidden(_ shelf: Shelf) -> [String] {
        ((try? fileText(shelf[Self.name])) ?? "").split(separator: "\n").map(String.init)
    }

    private func occupied(_ shelf: Shelf) throws -> [String] {
        let archive = try shelf.archive()
        return Tree.occupied(in: archive.tree.root, by: archive.catalog)
    }

    @Test("is the JSON of days with a picture, a video or a page here; any other stays in sight")
    func kinds() async throws {
        let shelf = try await filled()
        #expect(hidden(shelf) == ["2026-11-18 A Flight.json", "2026-11-20 Orion Rising.json"])
        #expect(Facts(shelf[Self.name])?.permissions == 0o644)
        #expect(Facts(shelf["2026/10/.hidden"]) == nil)
        try await shelf.prune([november(18)])
        #expect(hidden(shelf) == ["2026-11-20 Orion Rising.json"])
    }

    @Test("keeps somebody's own lines, in their order, whatever bytes they are; a day's JSON is named once")
    func ownLines() async throws {
        let shelf = try Shelf()
        try await shelf.add(november(1), "Only Words", "Text.", [])
        let theirs = Array("2026-11-20 Orion Rising.json\r\n\nalbum.json\r\n".utf8)
        try save(Array("notes.txt\n".utf8) + [0xff, 0x0a] + theirs, to: shelf[Self.name])
        try await fill(shelf)
        let own = "\nalbum.json\r\n2026-11-18 A Flight.json\n2026-11-20 Orion Rising.json\n"
        let lines = Array("notes.txt\n".utf8) + [0xff, 0x0a] + Array(own.utf8)
        #expect(try contents(shelf[Self.name]) == lines)
    }

    @Test(
        "stays as it is where it is a link, a folder, a pipe or very long; the days come all the same",
        arguments: 0..<4)
    func inTheWay(kind: Int) async throws {
        let shelf = try Shelf()
        try await shelf.add(november(1), "Only Words", "Text.", [])
        let mine = shelf["\(Self.month)/mine.txt"]
        try save("mine\n", to: mine)
        let path = shelf[Self.name]
        let make =
            [
                { symlink("mine.txt", $0) }, { mkdir($0, 0o755) }, { mkfifo($0, 0o644) },
                { mknod($0, S_IFREG | 0o644, 0) + truncate($0, 2 << 20) },
            ] as [(String) -> Int32]
        #expect(make[kind](path) == 0)
        let former = Facts(path)?.inode
        try await fill(shelf)
        #expect(try Facts(path)?.inode == former && fileText(mine) == "mine\n")
        try await shelf.expectNoProblems()
        #expect(shelf.tree.count { $0.hasPrefix("\(Self.month)/2026-11-20") } == 2)
    }

    private static let inRoot = ["favorites.json", "feed.xml", "gallery", "latest", "latest.json"]

    /// The lines of the root's file, made anew.
    private func hiddenInRoot(_ shelf: Shelf) throws -> [String] {
        try shelf.archive().pointLatest()
        return try fileText(shelf[".hidden"]).split(separator: "\n").map(String.init)
    }

    @Test("is in the root what is there for programs; years, favorites, index.html and latest.jpg stay in sight")
    func root() async throws {
        let shelf = try await filled()
        try shelf.archive().tidy()
        #expect(try fileText(shelf[".hidden"]) == "\(Self.inRoot.joined(separator: "\n"))\n")
        unlink(shelf[".hidden"])
        #expect(try hiddenInRoot(shelf) == Self.inRoot)
        let before = Facts(shelf[".hidden"])?.inode
        #expect(try hiddenInRoot(shelf) == Self.inRoot && Facts(shelf[".hidden"])?.inode == before)
    }

    @Test(
        "is in the root nothing that is somebody's own, and keeps somebody's own lines",
        arguments: ["latest", "latest.json", "feed.xml", "gallery"])
    func ownInRoot(name: String) async throws {
        let shelf = try Shelf()
        _ = try shelf.archive()
        #expect(symlink("elsewhere", shelf[name]) == 0)
        try save("latest\r\nlatest.jpg\ngallery\nnotes.txt", to: shelf[".hidden"])
        try await fill(shelf)
        #expect(try hiddenInRoot(shelf) == ["latest.jpg", "notes.txt"] + Self.inRoot.filter { $0 != name })
    }

    @Test("stays in the root where it is somebody's, and is named")
    func inTheWayOfRoot() async throws {
        let shelf = try await filled()
        #expect(mkdir(shelf[".hidden"], 0o755) == 0)
        try shelf.archive().tidy()
        #expect(Facts(shelf[".hidden"])?.kind == S_IFDIR)
        #expect(try occupied(shelf) == [".hidden"])
    }
}
