import Apod
import Archive
import Catalog
import Configuration
import Files
import Glibc
import Syncing
import TestMirror
import TestSupport
import Testing

@Suite("What file managers are told not to show")
struct HiddenFileTests {
    private let today = TestMirror.today
    private static let month = "2026/11"

    private func testMirror(_ change: (inout Settings) -> Void = { _ in }) throws -> TestMirror {
        try TestMirror(
            [
                Entry(TestMirror.today, title: "Orion Rising"), Entry(day("2026-11-19"), .text, title: "Only Words"),
                Entry(day("2026-11-18"), .youTube(id: "dQw4w9WgXcQ"), title: "A Flight"),
                Entry(day("2026-10-31"), .placeholder, title: "Not Yet There"),
            ], change)
    }

    private func put(_ lines: String, _ testMirror: TestMirror) throws {
        try testMirror.put(Array(lines.utf8), at: "\(Self.month)/.hidden")
    }

    private func reread(_ testMirror: TestMirror) async throws {
        try await testMirror.close()
        try await testMirror.mirror { _ = try await $0.mending.run() }
    }

    @Test("is the JSON of days with a picture, a video or a page; a day of which nothing else is here stays in sight")
    func kinds() async throws {
        let testMirror = try testMirror()
        try await testMirror.sync()
        #expect(testMirror.hidden(Self.month) == ["2026-11-18 A Flight.json", "2026-11-20 Orion Rising.json"])
        #expect(Facts("\(testMirror.root)/\(Self.month)/.hidden")?.permissions == 0o644)
        #expect(Facts("\(testMirror.root)/2026/10/.hidden") == nil)
        try await testMirror.audit()
    }

    @Test("is no longer the JSON of a day that lost its files to retention")
    func pruned() async throws {
        let testMirror = try testMirror { $0.keep = Span("1d") }
        try await testMirror.sync()
        try await testMirror.close()
        try await testMirror.mirror { _ = try await $0.retention.apply() }
        #expect(testMirror.hidden(Self.month) == ["2026-11-20 Orion Rising.json"])
        try await testMirror.audit()
    }

    @Test("keeps somebody's own lines, in their order, whatever bytes they are; a day's JSON is named once")
    func ownLines() async throws {
        let testMirror = try testMirror()
        _ = try testMirror.archive()
        let theirs = Array("2026-11-20 Orion Rising.json\r\n\nalbum.json\r\n".utf8)
        try testMirror.put(Array("notes.txt\n".utf8) + [0xff, 0x0a] + theirs, at: "\(Self.month)/.hidden")
        try await testMirror.sync()
        let own = "\nalbum.json\r\n2026-11-18 A Flight.json\n2026-11-20 Orion Rising.json\n"
        let lines = Array("notes.txt\n".utf8) + [0xff, 0x0a] + Array(own.utf8)
        #expect(try testMirror.bytes("\(Self.month)/.hidden") == lines)
    }

    @Test("is nothing any more with `hide-json = no`, but what somebody wrote; and everything with `yes` again")
    func setting() async throws {
        let testMirror = try testMirror()
        try await testMirror.sync()
        try put("notes.txt\n\(testMirror.hidden(Self.month).joined(separator: "\n"))\n", testMirror)
        testMirror.settings.hideJSON = .no
        try await reread(testMirror)
        #expect(testMirror.hidden(Self.month) == ["notes.txt"])
        try put("", testMirror)
        try await testMirror.sync(.days([day("2026-11-18")]))
        testMirror.settings.hideJSON = .yes
        try await reread(testMirror)
        #expect(testMirror.hidden(Self.month).count == 2)
        testMirror.settings.hideJSON = .no
        try await reread(testMirror)
        #expect(Facts("\(testMirror.root)/\(Self.month)/.hidden") == nil)
    }

    @Test("is in nobody's way, whatever has its name, where it is not wanted")
    func occupied() async throws {
        let testMirror = try testMirror()
        try await testMirror.sync()
        let name = "\(Self.month)/.hidden"
        #expect(unlink("\(testMirror.root)/\(name)") == 0 && mkdir("\(testMirror.root)/\(name)", 0o755) == 0)
        let (root, catalog) = (try Folder.open(testMirror.root), try testMirror.archive().catalog)
        for hidesJSON in [true, false] {
            let occupied = try Tree.obstacles(in: root, by: catalog, hidesJSON: hidesJSON).occupied
            #expect(occupied == (hidesJSON ? [name] : []))
        }
    }

    @Test("is set up once in the months of a mirror that an older program made")
    func upgrade() async throws {
        let testMirror = try testMirror()
        try await testMirror.sync()
        let path = "\(testMirror.root)/\(Self.month)/.hidden"
        unlink(path)
        #expect(try testMirror.archive().catalog.fact(.hidesJSON) == nil)
        try await reread(testMirror)
        #expect(testMirror.hidden(Self.month).count == 2)
    }

    @Test("comes back in any month where somebody has deleted it; one that is there is not read again")
    func deleted() async throws {
        let testMirror = try testMirror()
        testMirror.nasa.add(Entry(day("2026-09-30"), title: "Long Ago"))
        testMirror.since = day("2026-09-01")
        try await testMirror.sync()
        try await reread(testMirror)
        let path = "\(testMirror.root)/2026/09/.hidden"
        #expect(unlink(path) == 0)
        try put("notes.txt\n", testMirror)
        try await reread(testMirror)
        #expect(testMirror.hidden("2026/09") == ["2026-09-30 Long Ago.json"])
        #expect(testMirror.hidden(Self.month) == ["notes.txt"])
        testMirror.settings.hideJSON = .no
        try await reread(testMirror)
        #expect(Facts(path) == nil)
        try await reread(testMirror)
        #expect(Facts(path) == nil)
    }

    @Test("is set up later in a month in which nothing could be changed", .enabled(if: ImmutableFolder.canBeMade))
    func refused() async throws {
        let testMirror = try testMirror()
        try await testMirror.sync()
        let path = "\(testMirror.root)/\(Self.month)/.hidden"
        unlink(path)
        var month: ImmutableFolder? = try ImmutableFolder("\(testMirror.root)/\(Self.month)")
        try await reread(testMirror)
        #expect(Facts(path) == nil)
        _ = month.take()
        try await reread(testMirror)
        #expect(testMirror.hidden(Self.month).count == 2)
    }

    @Test("is taken back later in a month that was away when it was not wanted any more")
    func away() async throws {
        let testMirror = try testMirror()
        try await testMirror.sync()
        try await reread(testMirror)
        let (month, aside) = ("\(testMirror.root)/\(Self.month)", testMirror.folder.appending("aside"))
        #expect(rename(month, aside) == 0)
        testMirror.settings.hideJSON = .no
        try await reread(testMirror)
        #expect(rename(aside, month) == 0)
        try await reread(testMirror)
        #expect(Facts("\(month)/.hidden") == nil)
    }

    @Test(
        "stays as it is where it is a link, a folder, a pipe or very long, and is named; the days come all the same",
        arguments: 0..<4)
    func inTheWay(kind: Int) async throws {
        let testMirror = try testMirror()
        _ = try testMirror.archive()
        try testMirror.put(Array("mine\n".utf8), at: "\(Self.month)/mine.txt")
        let path = "\(testMirror.root)/\(Self.month)/.hidden"
        let make =
            [
                { symlink("mine.txt", $0) }, { mkdir($0, 0o755) }, { mkfifo($0, 0o644) },
                { mknod($0, S_IFREG | 0o644, 0) + truncate($0, 2 << 20) },
            ] as [(String) -> Int32]
        #expect(make[kind](path) == 0)
        let former = Facts(path)?.inode
        try await testMirror.sync()
        #expect(Facts(path)?.inode == former)
        #expect(try testMirror.bytes("\(Self.month)/mine.txt") == Array("mine\n".utf8))
        #expect(try await testMirror.problems().isEmpty && testMirror.files(today).count == 2)
        let archive = try testMirror.archive()
        func occupied(hidesJSON: Bool) throws -> [String] {
            try Tree.obstacles(in: archive.tree.root, by: archive.catalog, hidesJSON: hidesJSON).occupied
        }
        #expect(try occupied(hidesJSON: true) == ["2026/11/.hidden"] && occupied(hidesJSON: false) == [])
    }
}
