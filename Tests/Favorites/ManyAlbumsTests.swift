import Archive
import Catalog
import Glibc
import TestSupport
import Testing

@Suite("Very many albums", .serialized, .timeLimit(.minutes(10)))
struct ManyAlbumsTests {
    private let wall: Wall

    init() async throws { wall = try await Wall() }

    @Test("that only begin alike are told apart", arguments: ["a b", "a.b", "a0", "aa", "b"])
    func alike(other: String) async throws {
        try wall.album("a")
        try wall.album(other)
        try wall.link("a/x", to: "2026-11-20")
        try wall.link("\(other)/x", to: "2026-09-13")
        try wall.lookAndSettle()
        try await wall.shell("rm -r a")
        try wall.lookAndSettle(to: ["2026-09-13: \(other)/x"])
    }

    /// As somebody does who copies it and takes the copy for it: the links are all there.
    @Test("that are others with the same links lose what is taken from them, like any")
    func copiedAlbum() async throws {
        try await wall.shell("mkdir a; ln -s 2026-11-20 a/x; ln -s 2026-09-13 a/y")
        try wall.lookAndSettle()
        try await wall.shell("cp -a a b; rm -r a; mv b a")
        try wall.lookAndSettle(to: ["2026-09-13: a/y", "2026-11-20: a/x"])
        try wall.remove("a/x")
        try wall.lookAndSettle(to: ["2026-09-13: a/y"])
    }

    @Test("lose no favorite, whether they are watched or not, come or go")
    func comeAndGo() async throws {
        try await wall.shell("mkdir -p a/b; ln -s 2026-11-20 a/b/x; ln -s 2026-09-13 y")
        try wall.lookAndSettle()
        for script in ["mkdir {1..3000} a/{1..100}", "rmdir {1..3000}", "rmdir a/{1..100}"] {
            try await wall.shell(script)
            try wall.lookAndSettle(to: ["2026-09-13: y", "2026-11-20: a/b/x"])
            try await wall.restart()
            try wall.lookAndSettle(to: ["2026-09-13: y", "2026-11-20: a/b/x"])
        }
        #expect(try wall.history.allSatisfy { !$0.hasPrefix("went") })
    }
}
