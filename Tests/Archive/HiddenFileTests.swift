import Apod
import Archive
import Catalog
import Files
import Glibc
import TestSupport
import Testing

struct HiddenFileTests {
    private static let month = "2026/11"
    private static let name = "\(month)/.hidden"

    /// Days of each kind.
    private func filled() async throws -> ArchiveFixture {
        let fixture = try ArchiveFixture()
        try await fill(fixture)
        return fixture
    }

    private func fill(_ fixture: ArchiveFixture) async throws {
        try await fixture.add(november(20), "Orion Rising")
        try await fixture.add(november(19), "Only Words", "Text.", [])
        try await fixture.add(november(18), "A Flight", "Up.", [(.page, .html), (.poster, .jpeg)])
        try await fixture.add(day("2026-10-31"), "Not Yet There", "Soon.", [], state: .placeholder)
    }

    /// The lines of the month's file; none where there is none.
    private func hidden(_ fixture: ArchiveFixture) -> [String] {
        ((try? fileText(fixture[Self.name])) ?? "").split(separator: "\n").map(String.init)
    }

    private func occupied(_ fixture: ArchiveFixture) throws -> [String] {
        let archive = try fixture.archive()
        return Tree.occupied(in: archive.tree.root, by: archive.catalog)
    }

    @Test(
        "What file managers are told not to show is the JSON of days with a picture, a video or a page here; any other stays in sight"
    )
    func kinds() async throws {
        let fixture = try await filled()
        #expect(hidden(fixture) == ["2026-11-18 A Flight.json", "2026-11-20 Orion Rising.json"])
        #expect(Facts(fixture[Self.name])?.permissions == 0o644)
        #expect(Facts(fixture["2026/10/.hidden"]) == nil)
        try await fixture.prune([november(18)])
        #expect(hidden(fixture) == ["2026-11-20 Orion Rising.json"])
    }

    @Test(
        "What file managers are told not to show keeps somebody's own lines, in their order, whatever bytes they are; a day's JSON is named once"
    )
    func ownLines() async throws {
        let fixture = try ArchiveFixture()
        try await fixture.add(november(1), "Only Words", "Text.", [])
        let theirs = Array("2026-11-20 Orion Rising.json\r\n\nalbum.json\r\n".utf8)
        try save(Array("notes.txt\n".utf8) + [0xff, 0x0a] + theirs, to: fixture[Self.name])
        try await fill(fixture)
        let own = "\nalbum.json\r\n2026-11-18 A Flight.json\n2026-11-20 Orion Rising.json\n"
        let lines = Array("notes.txt\n".utf8) + [0xff, 0x0a] + Array(own.utf8)
        #expect(try contents(fixture[Self.name]) == lines)
    }

    @Test(
        "What file managers are told not to show stays as it is where it is a link, a folder, a pipe or very long; the days come all the same",
        arguments: 0..<4)
    func inTheWay(kind: Int) async throws {
        let fixture = try ArchiveFixture()
        try await fixture.add(november(1), "Only Words", "Text.", [])
        let mine = fixture["\(Self.month)/mine.txt"]
        try save("mine\n", to: mine)
        let path = fixture[Self.name]
        let make =
            [
                { symlink("mine.txt", $0) }, { mkdir($0, 0o755) }, { mkfifo($0, 0o644) },
                { mknod($0, S_IFREG | 0o644, 0) + truncate($0, 2 << 20) },
            ] as [(String) -> Int32]
        #expect(make[kind](path) == 0)
        let former = Facts(path)?.inode
        try await fill(fixture)
        #expect(try Facts(path)?.inode == former && fileText(mine) == "mine\n")
        try await fixture.expectNoProblems()
        #expect(fixture.tree.count { $0.hasPrefix("\(Self.month)/2026-11-20") } == 2)
    }

    private static let inRoot = ["favorites.json", "feed.xml", "gallery", "latest", "latest.json"]

    /// The lines of the root's file, made anew.
    private func hiddenInRoot(_ fixture: ArchiveFixture) throws -> [String] {
        try fixture.archive().pointLatest()
        return try fileText(fixture[".hidden"]).split(separator: "\n").map(String.init)
    }

    @Test(
        "What file managers are told not to show is in the root what is there for programs; years, favorites, index.html and latest.jpg stay in sight"
    )
    func root() async throws {
        let fixture = try await filled()
        try fixture.archive().tidy()
        #expect(try fileText(fixture[".hidden"]) == "\(Self.inRoot.joined(separator: "\n"))\n")
        unlink(fixture[".hidden"])
        #expect(try hiddenInRoot(fixture) == Self.inRoot)
        let before = Facts(fixture[".hidden"])?.inode
        #expect(try hiddenInRoot(fixture) == Self.inRoot && Facts(fixture[".hidden"])?.inode == before)
    }

    @Test(
        "What file managers are told not to show is in the root nothing that is somebody's own, and keeps somebody's own lines",
        arguments: ["latest", "latest.json", "feed.xml", "gallery"])
    func ownInRoot(name: String) async throws {
        let fixture = try ArchiveFixture()
        _ = try fixture.archive()
        #expect(symlink("elsewhere", fixture[name]) == 0)
        try save("latest\r\nlatest.jpg\ngallery\nnotes.txt", to: fixture[".hidden"])
        try await fill(fixture)
        #expect(try hiddenInRoot(fixture) == ["latest.jpg", "notes.txt"] + Self.inRoot.filter { $0 != name })
    }

    @Test("What file managers are told not to show stays in the root where it is somebody's, and is named")
    func inTheWayOfRoot() async throws {
        let fixture = try await filled()
        #expect(mkdir(fixture[".hidden"], 0o755) == 0)
        try fixture.archive().tidy()
        #expect(Facts(fixture[".hidden"])?.kind == S_IFDIR)
        #expect(try occupied(fixture) == [".hidden"])
    }
}
