import Archive
import Catalog
import Glibc
import TestSupport
import Testing

/// More folders than are remembered.
@Suite("Very many albums", .serialized, .timeLimit(.minutes(1)))
struct ManyAlbumsTests {
    private func marks(_ wall: Wall) throws -> [String] {
        try wall.catalog.albums().map { "\(String(decoding: $0.key.path, as: UTF8.self))\($0.value == nil ? "?" : "")" }
            .sorted()
    }

    @Test("are remembered while something in them, or in one inside them, is")
    func remembered() async throws {
        let wall = try await Wall()
        try await wall.shell("mkdir -p a/b/c e/f .hidden; ln -s 2026-11-20 a/b/x; : >e/stranger; mkdir empty a/empty")
        try wall.lookAndSettle()
        try wall.catalog.forgetEmptyAlbums()
        #expect(try marks(wall) == ["", "a", "a/b", "e"])
        try await wall.shell("rm a/b/x e/stranger; ln -s 2026-11-20 empty/x; ln -s 2026-09-13 a/b/c/x")
        try wall.lookAndSettle()
        try wall.look()
        #expect(try marks(wall) == ["", "a", "a/b", "a/b/c", "empty"])
        #expect(try wall.days == ["2026-09-13", "2026-11-20"])
        try await wall.shell("rm -r a empty e; ln -s 2026-11-20 x")
        try wall.lookAndSettle()
        try wall.look()
        #expect(try marks(wall) == [""])
        #expect(try wall.days == ["2026-11-20"])
    }

    @Test("that only begin alike are told apart", arguments: ["a b", "a.b", "a0", "aa", "b"])
    func alike(other: String) async throws {
        let wall = try await Wall()
        try wall.album("a")
        try wall.album(other)
        try wall.link("a/x", to: "2026-11-20")
        try wall.link("\(other)/x", to: "2026-09-13")
        try wall.lookAndSettle()
        try wall.remove("a/x")
        try wall.lookAndSettle()
        try wall.look()
        #expect(try marks(wall) == ["", other])
        #expect(try wall.favorites == ["2026-09-13: \(other)/x"])
    }

    /// As a disk that is not mounted: another folder with the name.
    @Test("keep the favorite that came to an empty one, when another folder is in its place", arguments: ["a", "a/b"])
    func replaced(album: String) async throws {
        let wall = try await Wall()
        try await wall.shell("mkdir -p '\(album)'; ln -s 2026-09-13 other")
        try wall.lookAndSettle()
        try wall.link("\(album)/x", to: "2026-11-20")
        try wall.lookAndSettle(at: "\(album)/x")
        #expect(try marks(wall) == ["", "a", "a/b"].filter { $0.count <= album.count })
        try await wall.shell("mv a ../aside; mkdir -p '\(album)'")
        try wall.lookAndSettle()
        #expect(try wall.favorites == ["2026-09-13: other", "2026-11-20: (\(album)/x)"])
    }

    /// As somebody does who copies it and takes the copy for it: the links are all there.
    @Test("that are others with the same links lose what is taken from them, like any")
    func copiedAlbum() async throws {
        let wall = try await Wall()
        try await wall.shell("mkdir a; ln -s 2026-11-20 a/x; ln -s 2026-09-13 a/y")
        try wall.lookAndSettle()
        try await wall.shell("cp -a a b; rm -r a; mv b a")
        try wall.lookAndSettle()
        #expect(try wall.favorites == ["2026-09-13: a/y", "2026-11-20: a/x"])
        try wall.remove("a/x")
        try wall.lookAndSettle()
        #expect(try wall.favorites == ["2026-09-13: a/y"])
    }

    @Test("keep the favorite that a copy in an empty one became, when another folder is in its place")
    func copied() async throws {
        let wall = try await Wall(adopts: false)
        try await wall.shell("mkdir a; ln -s 2026-09-13 other")
        try wall.lookAndSettle()
        try await wall.shell("cp \"$ORION\" a/x")
        try wall.lookAndSettle(at: "a/x")
        #expect(try marks(wall) == ["", "a"])
        try await wall.shell("mv a ../aside; mkdir a")
        try wall.lookAndSettle()
        #expect(try wall.favorites == ["2026-09-13: other", "2026-11-20: (a/x)"])
    }

    @Test("lose no favorite, whether they are watched or not, come or go")
    func comeAndGo() async throws {
        let wall = try await Wall()
        try await wall.shell("mkdir -p a/b; ln -s 2026-11-20 a/b/x; ln -s 2026-09-13 y")
        try wall.lookAndSettle()
        for script in ["mkdir {1..3000} a/{1..100}", "rmdir {1..3000}", "rmdir a/{1..100}"] {
            try await wall.shell(script)
            try wall.lookAndSettle()
            #expect(try wall.favorites == ["2026-09-13: y", "2026-11-20: a/b/x"])
            try await wall.restart()
            try wall.lookAndSettle()
            #expect(try wall.favorites == ["2026-09-13: y", "2026-11-20: a/b/x"])
        }
        #expect(try wall.history.allSatisfy { $0.hasPrefix("added") })
    }
}
