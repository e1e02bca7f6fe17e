import TestSupport
import Testing

/// Programs do to the folder what they do, and the service hears of it from the system.
@Suite(.serialized)
struct FavoritesTests {
    @Test("A service follows links that are made, replaced, renamed, put into albums and taken away")
    func links() async throws {
        let watch = try await ServiceSandbox.watching()
        let (old, new) = (try watch.picture(1), try watch.picture(0))
        try await watch.shell("ln -s \"$NEW\" a")
        try await watch.listSays("2019-04-30: a")
        // A link is remembered first, then led to the picture.
        try await watch.eventually { target(of: watch.path("a")) == "../\(new)" }
        try await watch.shell("ln -sf \"$OLD\" a")
        try await watch.listSays("2019-04-29: a")
        try await watch.shell("mv a b; mkdir -p one/two; mv b one/two/c; mv one three")
        try await watch.listSays("2019-04-29: three/two/c")
        try await watch.eventually { target(of: watch.path("three/two/c")) == "../../../\(old)" }
        try await watch.shell("rm -r three")
        try await watch.listSays()
        #expect(try watch.watches == 2)
    }
}
