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
    @Test("what is new is on the disk before it is in the catalog, each folder once; where nothing is new, none")
    func order() async throws {
        let wall = try await Wall()
        for album in ["a", "a/b"] { try wall.album(album) }
        let synced = try wall.noteSyncs { try $0.favorites().isEmpty }
        for name in ["x", "a/y", "a/b/z", "a/b/u"] { try wall.link(name, to: "2026-11-20") }
        try wall.look()
        #expect(synced.names.sorted() == ["", "favorites", "favorites/a", "favorites/a/b"])
        try wall.look()
        try wall.look(at: "x", "a/b/z")
        #expect(synced.names.count == 4)
    }

    @Test("a new album is on the disk with the folder that it is in; a known one alone")
    func newAlbum() async throws {
        let wall = try await Wall()
        try wall.album("a")
        try wall.lookAndSettle()
        let synced = try wall.noteSyncs()
        for (name, folders) in [
            ("a/x", ["", "favorites", "favorites/a"]), ("a/y", ["favorites/a"]), ("x", ["favorites"]),
        ] {
            try wall.link(name, to: "2026-11-20")
            try wall.look(at: name)
            #expect(synced.take().sorted() == folders)
        }
        // Another of the same name, and perhaps of the same number.
        try await wall.shell("rm -r a; mkdir a; ln -s 2026-11-20 a/y")
        try wall.look(at: "a/y")
        #expect(synced.take() == [])
        try await wall.shell("ln -s 2026-11-20 a/z")
        try wall.look(at: "a/z")
        #expect(synced.take().sorted() == ["favorites", "favorites/a"])
    }

    @Test("what is gone is gone on the disk before it is forgotten, also with its folder", arguments: ["x", "a"])
    func removal(name: String) async throws {
        let wall = try await Wall()
        try wall.album("a")
        for name in ["x", "a/y"] { try wall.link(name, to: "2026-11-20") }
        try wall.lookAndSettle()
        let synced = try wall.noteSyncs { try $0.favorites().first?.links.count == 2 }
        try await wall.shell("rm -r \(name)")
        try wall.lookAndSettle()
        #expect(synced.names == ["", "favorites"])
        #expect(try wall.catalog.favorites().first?.links.count == 1)
    }

    @Test("what was put in order is on the disk, each folder once")
    func adoption() async throws {
        let wall = try await Wall()
        try wall.look()
        for name in ["x", "y"] { try wall.link(name, to: "\(wall.root)/\(Wall.orionFile)") }
        try wall.look(at: "x", "y")
        let folder = wall.folder
        let synced = try wall.noteSyncs { _ in
            ["x", "y"].allSatisfy { target(of: "\(folder)/\($0)") == "../\(Wall.orionFile)" }
        }
        try wall.look(at: "x", "y")
        try wall.settle()
        #expect(synced.names == ["", "favorites"])
    }
}

/// The folders that were brought to the disk, below the root.
final class Syncs: Sendable {
    private let list = Mutex<[String]>([])

    var names: [String] { list.withLock(\.self) }

    func add(_ name: String) { list.withLock { $0.append(name) } }

    func take() -> [String] {
        list.withLock { list in
            defer { list = [] }
            return list
        }
    }
}

extension Wall {
    /// As when the service starts; at each, something holds.
    func noteSyncs(while holds: @escaping @Sendable (Catalog) throws -> Bool = { _ in true }) throws -> Syncs {
        let syncs = Syncs()
        let (catalog, root) = (try catalog, root)
        try open { moment in
            guard case .synced(let path) = moment else { return }
            syncs.add(String(path.dropFirst(root.utf8.count).drop { $0 == "/" }))
            #expect((try? holds(catalog)) == true)
        }
        return syncs
    }
}
