import Apod
import Archive
import Catalog
import Files
import Glibc
import TestMirror
import TestSupport
import Testing

@Suite("The links to the newest picture")
struct LatestLinksTests {
    private let today = TestMirror.today

    private func links(_ testMirror: TestMirror) -> [String] { testMirror.tree.filter { $0.hasPrefix("latest") } }

    private func occupied(_ testMirror: TestMirror) throws -> [String] {
        let archive = try testMirror.archive()
        return try Tree.obstacles(in: archive.tree.root, by: archive.catalog, hidesJSON: true).occupied
    }

    @Test("have its suffix, and lose one that it no longer has")
    func suffix() async throws {
        let testMirror = try TestMirror([Entry(today, title: "Orion")])
        try await testMirror.sync()
        let path = "2026/11/2026-11-20 Orion"
        #expect(
            links(testMirror) == ["latest -> \(path).jpg", "latest.jpg -> \(path).jpg", "latest.json -> \(path).json"])
        testMirror.clock.pass(days: 1)
        testMirror.nasa.add(Entry(testMirror.today, .picture(.png), title: "Moon"))
        try await testMirror.sync()
        let newer = "2026/11/2026-11-21 Moon"
        #expect(
            links(testMirror) == [
                "latest -> \(newer).png", "latest.json -> \(newer).json", "latest.png -> \(newer).png",
            ])
    }

    @Test("leave alone what somebody has put in their place, name it, and come back when it is gone")
    func occupied() async throws {
        let testMirror = try TestMirror(days: 1)
        _ = try testMirror.archive()
        let theirs = "\(testMirror.root)/latest.jpg"
        try testMirror.put(Array("mine".utf8), at: "latest.jpg")
        #expect(symlink("/somewhere/else.jpg", "\(testMirror.root)/latest") == 0)
        try await testMirror.sync()
        #expect(try contents(theirs) == Array("mine".utf8))
        #expect(target(of: "\(testMirror.root)/latest") == "/somewhere/else.jpg")
        #expect(target(of: "\(testMirror.root)/latest.json") != nil)
        #expect(try occupied(testMirror) == ["latest", "latest.jpg"])
        unlink(theirs)
        unlink("\(testMirror.root)/latest")
        try await testMirror.close()
        try await testMirror.audit()
        #expect(try occupied(testMirror).isEmpty)
    }

    @Test(
        "are told from somebody's links by where they lead",
        arguments: [
            "2026/11/notes.txt", "2026/11/2026-10-31 Old.jpg", "./2026/11/2026-11-20 Orion.jpg", "favorites/mine",
            "2026/11/2026-11-20 Or?ion.jpg", "../2026/11/2026-11-20 Orion.jpg",
        ])
    func others(target theirs: String) async throws {
        let testMirror = try TestMirror([Entry(today, title: "Orion")])
        _ = try testMirror.archive()
        try testMirror.put([], at: "2026/11/notes.txt")
        #expect(symlink(theirs, "\(testMirror.root)/latest") == 0)
        #expect(symlink(theirs, "\(testMirror.root)/latest.png") == 0)
        try await testMirror.sync()
        #expect(target(of: "\(testMirror.root)/latest") == theirs)
        #expect(target(of: "\(testMirror.root)/latest.png") == theirs)
        // In nobody's way.
        #expect(try occupied(testMirror) == ["latest"])
    }

    @Test("go on behind a title whose last letter joins the dot; its JSON is hidden, and a new catalog knows the day")
    func joined() async throws {
        let testMirror = try TestMirror([Entry(today, title: "Sky\u{d4e}")])
        try await testMirror.sync()
        #expect(testMirror.hidden("2026/11").count == 1)
        testMirror.clock.pass(days: 1)
        testMirror.nasa.add(Entry(testMirror.today, title: "Moon\u{d4e}"))
        try await testMirror.sync()
        let stem = "2026/11/2026-11-21 Moon\u{d4e}"
        #expect(target(of: "\(testMirror.root)/latest").map { Array($0.utf8) } == Array("\(stem).jpg".utf8))
        #expect(try occupied(testMirror).isEmpty && testMirror.hidden("2026/11").count == 2)
        try await testMirror.close()
        let own = "\(testMirror.root)/\(Tree.ownFolder)"
        for file in listing(own) where file.hasPrefix("catalog") { unlink("\(own)/\(file)") }
        #expect(try testMirror.archive().catalog.storedDays().count == 2)
    }

    @Test("go with the last picture, and somebody's stay")
    func nothing() async throws {
        let testMirror = try TestMirror([Entry(today, title: "Orion")])
        try await testMirror.sync()
        try testMirror.put(Array("mine".utf8), at: "latest.gif")
        unlink("\(testMirror.root)/2026/11/2026-11-20 Orion.jpg")
        try await testMirror.close()
        _ = try testMirror.archive()
        #expect(links(testMirror) == ["latest.gif"])
    }
}
