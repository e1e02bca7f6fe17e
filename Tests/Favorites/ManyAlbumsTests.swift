import Archive
import Catalog
import Glibc
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(10)))
struct ManyAlbumsTests {
    private let fixture: FavoritesFixture

    init() async throws { fixture = try await FavoritesFixture() }

    @Test("Very many albums that only begin alike are told apart", arguments: ["a b", "a.b", "a0", "aa", "b"])
    func alike(other: String) async throws {
        try fixture.album("a")
        try fixture.album(other)
        try fixture.link("a/x", to: "2026-11-20")
        try fixture.link("\(other)/x", to: "2026-09-13")
        try fixture.lookAndSettle()
        try await fixture.shell("rm -r a")
        try fixture.lookAndSettle(to: ["2026-09-13: \(other)/x"])
    }

    /// As somebody does who copies it and takes the copy for it: the links are all there.
    @Test("Very many albums that are others with the same links lose what is taken from them, like any")
    func copiedAlbum() async throws {
        try await fixture.shell("mkdir a; ln -s 2026-11-20 a/x; ln -s 2026-09-13 a/y")
        try fixture.lookAndSettle()
        try await fixture.shell("cp -a a b; rm -r a; mv b a")
        try fixture.lookAndSettle(to: ["2026-09-13: a/y", "2026-11-20: a/x"])
        try fixture.remove("a/x")
        try fixture.lookAndSettle(to: ["2026-09-13: a/y"])
    }

    @Test("Very many albums lose no favorite, whether they are watched or not, come or go")
    func comeAndGo() async throws {
        try await fixture.shell("mkdir -p a/b; ln -s 2026-11-20 a/b/x; ln -s 2026-09-13 y")
        try fixture.lookAndSettle()
        for script in ["mkdir {1..3000} a/{1..100}", "rmdir {1..3000}", "rmdir a/{1..100}"] {
            try await fixture.shell(script)
            try fixture.lookAndSettle(to: ["2026-09-13: y", "2026-11-20: a/b/x"])
            try await fixture.restart()
            try fixture.lookAndSettle(to: ["2026-09-13: y", "2026-11-20: a/b/x"])
        }
        #expect(try fixture.history.allSatisfy { !$0.hasPrefix("went") })
    }
}
