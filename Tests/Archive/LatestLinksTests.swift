import Apod
import Archive
import Catalog
import Files
import Glibc
import TestSupport
import Testing

@Suite("The links to the newest picture")
struct LatestLinksTests {
    private let first = day("2026-11-20")
    private let second = day("2026-11-21")

    private func links(_ shelf: Shelf) -> [String] { shelf.tree.filter { $0.hasPrefix("latest") } }

    private func occupied(_ shelf: Shelf) throws -> [String] {
        let archive = try shelf.archive()
        return try Tree.obstacles(in: archive.tree.root, by: archive.catalog).occupied
    }

    /// As when the program starts again.
    private func reopen(_ shelf: Shelf) async throws {
        try await shelf.close()
        try shelf.archive().tidy(now: 0)
    }

    @Test("have its suffix, and lose one that it no longer has")
    func suffix() async throws {
        let shelf = try Shelf()
        try await shelf.add(first, "Orion")
        let path = "2026/11/2026-11-20 Orion"
        #expect(links(shelf) == ["latest -> \(path).jpg", "latest.jpg -> \(path).jpg", "latest.json -> \(path).json"])
        try await shelf.add(second, "Moon", "", [(.picture, .png)])
        let newer = "2026/11/2026-11-21 Moon"
        #expect(
            links(shelf) == ["latest -> \(newer).png", "latest.json -> \(newer).json", "latest.png -> \(newer).png"])
    }

    @Test("lead to the newest day that has a picture, or a poster")
    func poster() async throws {
        let shelf = try Shelf()
        try await shelf.add(first, "Night Clouds", "", [(.video, .mp4), (.poster, .jpeg)])
        try await shelf.add(second, "Only Words", "Text.", [])
        #expect(target(of: "\(shelf.root)/latest") == "2026/11/2026-11-20 Night Clouds.jpg")
        #expect(target(of: "\(shelf.root)/latest.json") == "2026/11/2026-11-20 Night Clouds.json")
    }

    @Test("lead to the newest day of which both the picture and the JSON are there", arguments: ["jpg", "json"])
    func incomplete(suffix: String) async throws {
        let shelf = try Shelf()
        try await shelf.add(first, "Orion")
        try await shelf.add(second, "Moon")
        #expect(unlink("\(shelf.root)/2026/11/2026-11-21 Moon.\(suffix)") == 0)
        try shelf.archive().pointLatest()
        let path = "2026/11/2026-11-20 Orion"
        #expect(links(shelf) == ["latest -> \(path).jpg", "latest.jpg -> \(path).jpg", "latest.json -> \(path).json"])
    }

    @Test("come back when somebody has taken them away")
    func lost() async throws {
        let shelf = try Shelf()
        try await shelf.add(first, "Orion")
        let before = links(shelf)
        unlink("\(shelf.root)/latest")
        try await reopen(shelf)
        #expect(links(shelf) == before)
    }

    @Test("leave alone what somebody has put in their place, name it, and come back when it is gone")
    func occupied() async throws {
        let shelf = try Shelf()
        _ = try shelf.archive()
        let theirs = "\(shelf.root)/latest.jpg"
        try save(Array("mine".utf8), to: theirs)
        #expect(symlink("/somewhere/else.jpg", "\(shelf.root)/latest") == 0)
        try await shelf.add(first, "Orion")
        #expect(try contents(theirs) == Array("mine".utf8))
        #expect(target(of: "\(shelf.root)/latest") == "/somewhere/else.jpg")
        #expect(target(of: "\(shelf.root)/latest.json") != nil)
        #expect(try occupied(shelf) == ["latest", "latest.jpg"])
        unlink(theirs)
        unlink("\(shelf.root)/latest")
        try await reopen(shelf)
        #expect(try links(shelf).count == 3 && occupied(shelf).isEmpty)
    }

    @Test(
        "are told from somebody's links by where they lead",
        arguments: [
            "2026/11/notes.txt", "2026/11/2026-10-31 Old.jpg", "./2026/11/2026-11-20 Orion.jpg", "favorites/mine",
            "2026/11/2026-11-20 Or?ion.jpg", "../2026/11/2026-11-20 Orion.jpg",
        ])
    func others(target theirs: String) async throws {
        let shelf = try Shelf()
        try await shelf.add(first.advanced(by: -1), "Earlier", "", [])
        try save([], to: "\(shelf.root)/2026/11/notes.txt")
        #expect(symlink(theirs, "\(shelf.root)/latest") == 0)
        #expect(symlink(theirs, "\(shelf.root)/latest.png") == 0)
        try await shelf.add(first, "Orion")
        #expect(target(of: "\(shelf.root)/latest") == theirs)
        #expect(target(of: "\(shelf.root)/latest.png") == theirs)
        // In nobody's way.
        #expect(try occupied(shelf) == ["latest"])
    }

    @Test("go on behind a title whose last letter joins the dot; its JSON is hidden, and a new catalog knows the day")
    func joined() async throws {
        let shelf = try Shelf()
        func hidden() throws -> Int { try contents("\(shelf.root)/2026/11/.hidden").count { $0 == 0x0a } }
        try await shelf.add(first, "Sky\u{d4e}")
        #expect(try hidden() == 1)
        try await shelf.add(second, "Moon\u{d4e}")
        let stem = "2026/11/2026-11-21 Moon\u{d4e}"
        #expect(target(of: "\(shelf.root)/latest").map { Array($0.utf8) } == Array("\(stem).jpg".utf8))
        #expect(try occupied(shelf).isEmpty && hidden() == 2)
        try await shelf.close()
        shelf.removeCatalog()
        #expect(try shelf.storedDays().count == 2)
    }

    @Test("go with the last picture, and somebody's stay")
    func nothing() async throws {
        let shelf = try Shelf()
        try await shelf.add(first, "Orion")
        try save(Array("mine".utf8), to: "\(shelf.root)/latest.gif")
        unlink("\(shelf.root)/2026/11/2026-11-20 Orion.jpg")
        try await reopen(shelf)
        #expect(links(shelf) == ["latest.gif"])
    }
}
