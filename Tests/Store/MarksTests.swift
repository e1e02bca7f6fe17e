import Apod
import Files
import Glibc
import TestSupport
import Testing

@testable import Store

/// What file managers are told not to show, and PhotoPrism not to index.
struct MarksTests {
    private static let name = "2026/11/.hidden"
    private static let inRoot = ["changes.xml", "favorites.json", "feed.xml", "gallery", "latest", "latest.json"]
    private let fixture: ArchiveFixture

    init() throws { fixture = try ArchiveFixture() }

    /// Days of each kind.
    private func fill() async throws {
        try await fixture.add(november(20), "Orion Rising")
        try await fixture.add(november(19), "Only Words", "Text.", [])
        try await fixture.add(november(18), "A Flight", "Up.", [(.page, .html), (.poster, .jpeg)])
        try await fixture.add(day("2026-10-31"), "Not Yet There", "Soon.", [], state: .placeholder)
    }

    private func lines(_ name: String) -> [String] {
        ((try? fileText(fixture[name])) ?? "").split(separator: "\n").map(String.init)
    }

    @Test("Hidden is the JSON of days with a picture, a video or a page here; any other stays in sight")
    func kinds() async throws {
        try await fill()
        #expect(lines(Self.name) == ["2026-11-18 A Flight.json", "2026-11-20 Orion Rising.json"])
        #expect(Facts(fixture[Self.name])?.permissions == 0o644 && !exists(fixture["2026/10/.hidden"]))
        try await fixture.prune([november(18)])
        #expect(lines(Self.name) == ["2026-11-20 Orion Rising.json"])
        try fixture.archive().tidy()
        #expect(lines(".hidden") == Self.inRoot)
        for name in [".hidden", ".ppignore"] {
            let (text, before) = (lines(name), Facts(fixture[name])?.inode)
            try fixture.archive().pointLatest()
            #expect(Facts(fixture[name])?.inode == before)
            unlink(fixture[name])
            try fixture.archive().pointLatest()
            #expect(lines(name) == text)
        }
        try save("*.gif\n", to: fixture[".ppignore"])
        try fixture.archive().pointLatest()
        #expect(lines(".ppignore") == ["*.gif"])
    }

    @Test("Somebody's own lines stay, in their order, whatever bytes they are; a day's JSON is named once")
    func ownLines() async throws {
        try await fixture.add(november(1), "Only Words", "Text.", [])
        let mine = "notes.txt\n".bytes + [0xff, 0x0a]
        try save(mine + "2026-11-20 Orion Rising.json\r\n\nalbum.json\r\n".bytes, to: fixture[Self.name])
        try await fill()
        let rest = "\nalbum.json\r\n2026-11-18 A Flight.json\n2026-11-20 Orion Rising.json\n"
        #expect(try contents(fixture[Self.name]) == mine + rest.bytes)
    }

    @Test(
        "A link, a folder, a pipe or a very long file in the place of `.hidden` stays", arguments: 0..<4,
        ["2026/11/", ""])
    func inTheWay(kind: Int, folder: String) async throws {
        try await fixture.add(november(1), "Only Words", "Text.", [])
        let (mine, path) = (fixture[folder + "mine.txt"], fixture[folder + ".hidden"])
        try save("mine\n", to: mine)
        unlink(path)
        let make: [(String) -> Int32] = [
            { symlink("mine.txt", $0) }, { mkdir($0, 0o755) }, { mkfifo($0, 0o644) },
            { mknod($0, S_IFREG | 0o644, 0) + truncate($0, 2 << 20) },
        ]
        #expect(make[kind](path) == 0)
        let former = Facts(path)?.inode
        try await fill()
        let archive = try fixture.archive()
        archive.pointLatest()
        #expect(try Facts(path)?.inode == former && fileText(mine) == "mine\n")
        #expect(fixture.tree.count { $0.hasPrefix("2026/11/2026-11-20") } == 2)
        #expect(Tree.occupied(in: archive.tree.root, by: archive.catalog) == (folder == "" ? [".hidden"] : []))
    }

    @Test("What somebody writes while a file is made for its name stays", arguments: [false, true])
    func meanwhile(isThere: Bool) throws {
        let tree = try fixture.archive().tree
        func hidden() throws -> HiddenFile { try #require(try HiddenFile(in: tree.root) { $0 == "old" }) }
        func make(_ name: String) throws -> Bool {
            let staged = try Staged("<!-- \(GeneratedFile.signature) -->".bytes, in: tree.unfinished, as: "new")
            if name == "theirs" { try save("theirs", to: fixture[name]) }
            return try GeneratedFile.put(staged, as: name, in: tree.root) { $0.starts(with: "<!--".bytes) }
        }
        if isThere { try save("<!-- old", to: fixture["theirs"]) }
        #expect(try make("own") && make("own") && !make("theirs"))
        #expect(lines("theirs") == ["theirs"] && listing(fixture[".apod-mirror/unfinished"]).isEmpty)
        for names in [["new"], []] where isThere || !names.isEmpty {
            if isThere { try save("old\n", to: fixture[".hidden"]) }
            let before = try hidden()
            try save("mine\n", to: fixture[".hidden"])
            #expect(try !before.write(names, through: tree.unfinished, as: "new") && lines(".hidden") == ["mine"])
        }
        #expect(try hidden().write(["new"], through: tree.unfinished, as: "new"))
        #expect(lines(".hidden") == ["mine", "new"])
    }

    @Test(
        "In the root, nothing is hidden that is somebody's own",
        arguments: ["latest", "latest.json", "feed.xml", "gallery"])
    func ownInRoot(name: String) async throws {
        _ = try fixture.archive()
        #expect(symlink("elsewhere", fixture[name]) == 0)
        try save("latest\r\nlatest.jpg\ngallery\nnotes.txt", to: fixture[".hidden"])
        try await fill()
        try fixture.archive().pointLatest()
        #expect(lines(".hidden") == ["latest.jpg", "notes.txt"] + Self.inRoot.filter { $0 != name })
    }
}
