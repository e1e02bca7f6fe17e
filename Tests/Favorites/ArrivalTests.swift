import Glibc
import TestSupport
import Testing

@testable import Favorites

struct ArrivalTests {
    private let fixture: FavoritesFixture

    init() async throws { fixture = try await FavoritesFixture() }

    private let orion = FavoritesFixture.orionLink

    /// Bytes, time and permissions of the picture in the tree.
    private func original() throws -> (bytes: [UInt8], modified: Int, permissions: UInt32) {
        let path = fixture.orionPath
        let facts = try #require(Facts(path))
        #expect(facts.nanoseconds == 0)
        return (try contents(path), facts.modified, facts.permissions)
    }

    /// As the watcher does, which hears of the link that was made of it too.
    private func settle() throws {
        for _ in 1...2 { try fixture.lookAndSettle() }
    }

    @Test(
        "A copy becomes a link, and a picture that was moved goes back as a file of its own, whosever it is",
        arguments: [
            "cp \"$ORION\" a.jpg; chmod 0744 a.jpg", "cp \"$ORION\" a.jpg.part; mv a.jpg.part a.jpg",
            "truncate -s 1000 a.jpg; dd if=\"$ORION\" of=a.jpg conv=notrunc status=none", "ln \"$ORION\" a.jpg",
            "mv \"$ORION\" a.jpg", "mv \"$ORION\" a.jpg; ln a.jpg $OUT/mine.jpg",
        ] + (geteuid() == 0 ? ["mv \"$ORION\" a.jpg; chown nobody a.jpg"] : []))
    func arrival(script: String) async throws {
        let before = try original()
        try await fixture.shell(script)
        let theirs = Facts(fixture["a.jpg"])?.inode
        try settle()
        #expect(try fixture.favorites == ["2026-11-20: a.jpg"] && fixture.unrecognised == [])
        #expect(fixture.target("a.jpg") == orion)
        #expect(try original() == before && listing("\(fixture.root)/.apod-mirror/unfinished") == [])
        // Whose a file is can change it later.
        #expect(!script.contains("; chown") && !script.contains("mine") || Facts(fixture.orionPath)?.inode != theirs)
    }

    @Test("A month that is moved out of the tree is an album of links, and its files go back")
    func movedMonth() async throws {
        let before = try original()
        try await fixture.shell("mv $ROOT/2026/11 .")
        try settle()
        #expect(try original() == before)
        let (picture, json) = ("11/2026-11-20 Orion Rising.jpg", "11/2026-11-20 Orion Rising.json")
        #expect(try fixture.favorites == ["2026-11-20: \(picture), \(json)"])
        #expect(fixture.target(picture) == "../\(orion)")
        #expect(fixture.target(json) == "../../2026/\(json)")
        #expect(access("\(fixture.root)/2026/\(json)", R_OK) == 0)
    }
}
