import Apod
import Glibc
import TestSupport
import Testing

@Suite("The gallery, without a service,", .serialized)
struct GalleryTests {
    @Test("is written by sync, has no favorite less, names what is in its way, and goes when it is not wanted")
    func sync() async throws {
        let home = try Household(days: 3, gallery: "yes")
        #expect(try await home.sync().status == 0)
        func text(_ name: String) -> String {
            String(decoding: (try? contents("\(home.root)/\(name)")) ?? [], as: UTF8.self)
        }
        #expect(text("index.html").contains("#2019") && text("gallery/data/2019.js").contains("\"2019-04-30\""))
        #expect(text("gallery/data/2019-text.js").contains("\"page\":\"http"))
        #expect(try await home.run("favorites", "add", "2019-04-29").status == 0)
        #expect(text("gallery/data/favorites.js").contains("2019-04-29"))
        #expect(try await home.shell("echo mine >'\(home.root)/feed.xml'").status == 0)
        #expect(try await home.sync().status == 0)
        #expect(text("feed.xml") == "mine\n")
        let status = try await home.run("status", "--json").json()
        #expect(status["occupied"]?.elements?.map(\.string) == ["feed.xml"])
        #expect(try await home.sync(["--gallery", "no"]).status == 0)
        #expect(text("feed.xml") == "mine\n" && access("\(home.root)/gallery", F_OK) != 0)
        #expect(access("\(home.root)/index.html", F_OK) != 0)
    }
}
