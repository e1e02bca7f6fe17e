import Archive
import Files
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Favorites

/// Something happens just between looking and acting.
@Suite("Between look and act")
struct PauseTests {
    @Test("what is new is on the disk before it is in the catalog, each folder once; nothing new, none")
    func order() async throws {
        let wall = try await Wall()
        try wall.album("a")
        let synced = Mutex<[Set<Album>]>([])
        let catalog = try wall.catalog
        try wall.open { moment in
            guard case .synced(let albums) = moment else { return }
            synced.withLock { $0.append(albums) }
            #expect((try? catalog.favorites().isEmpty) == true)
        }
        for name in ["x", "a/y", "a/z"] { try wall.link(name, to: "2026-11-20") }
        try wall.look()
        #expect(synced.withLock(\.self) == [[.top, Album(Array("a".utf8))!]])
        try wall.look()
        try wall.look(at: "x", "a/y")
        #expect(synced.withLock(\.count) == 1)
    }

    @Test("what is gone is gone on the disk before the catalog forgets it, also with its folder", arguments: ["x", "a"])
    func removal(name: String) async throws {
        let wall = try await Wall()
        try wall.album("a")
        for name in ["x", "a/y"] { try wall.link(name, to: "2026-11-20") }
        try wall.lookAndSettle()
        let synced = Mutex<[Set<Album>]>([])
        let (catalog, before) = (try wall.catalog, try wall.favorites)
        try wall.open { moment in
            guard case .synced(let albums) = moment else { return }
            synced.withLock { $0.append(albums) }
            #expect((try? catalog.favorites().first?.links.count) == 2)
        }
        try await wall.shell("rm -r \(name)")
        try wall.lookAndSettle()
        #expect(synced.withLock(\.self) == [[name == "x" ? .top : Album(Array("a".utf8))!]])
        #expect(try wall.favorites != before)
    }
}
