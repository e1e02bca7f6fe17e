import Apod
import Archive
import Catalog
import Glibc
import TestSupport
import Testing

@testable import Favorites

struct GeneratedLinkTests {
    private let fixture: FavoritesFixture
    private static let small = "gallery/2026/2026-11-20-480.webp"
    private static let large = "gallery/2026/2026-11-20-1280.jpg"
    static let all = [small, large]
    private static let latest = ".apod-mirror/latest/2026-11-20-\(String(repeating: "0a", count: 32)).jpg"

    /// A mirror that has these.
    init() async throws {
        fixture = try await FavoritesFixture()
        for path in Self.all { try Self.put(path, in: fixture.root) }
    }

    private static func put(_ path: String, in folder: String) throws {
        var parent = folder
        for part in path.split(separator: "/").dropLast() {
            parent += "/\(part)"
            mkdir(parent, 0o755)
        }
        try save([1], to: "\(folder)/\(path)")
    }

    @Test(
        "A link to what is made of a picture counts as one to the picture", arguments: all,
        ["../PATH", "ROOT/PATH", "../favorites/../PATH", "ROOT//SPACED"])
    func counts(path: String, target: String) async throws {
        let target = target.replacing("ROOT", with: fixture.root).replacing("PATH", with: path)
        try fixture.link("mine", to: target.replacing("SPACED", with: path.replacing("/", with: "/.//")))
        try fixture.look(at: "mine")
        #expect(try fixture.favorites == ["2026-11-20: mine"])
        try fixture.settle()
        #expect(fixture.target("mine") == FavoritesFixture.orionLink)
        #expect(try fixture.favorites == ["2026-11-20: mine"])
    }

    @Test(
        "A link to what is made of a picture counts where it leads to latest.jpg, which leads to a copy that is a JPEG")
    func latest() throws {
        try Self.put(Self.latest, in: fixture.root)
        unlink("\(fixture.root)/latest.jpg")
        symlink(Self.latest, "\(fixture.root)/latest.jpg")
        try fixture.link("mine", to: "../latest.jpg")
        try fixture.lookAndSettle(to: ["2026-11-20: mine"])
        #expect(fixture.target("mine") == FavoritesFixture.orionLink)
    }

    @Test("A link to what is made of a picture counts from an album")
    func inAlbum() async throws {
        try fixture.album("a")
        for (index, path) in Self.all.enumerated() { try fixture.link("a/\(index)", to: "\(fixture.root)/\(path)") }
        try fixture.lookAndSettle(to: ["2026-11-20: a/0, a/1"])
        for name in ["0", "1"] {
            #expect(fixture.target("a/\(name)") == "../../\(FavoritesFixture.orionFile)")
        }
    }

    @Test(
        "A link to what is made of a picture of another name, place or day is none, and is left alone",
        arguments: [
            "../gallery/2026/2026-11-20-480.jpg", "../gallery/2025/2026-11-20-480.webp",
            "../notgallery/2026/2026-11-20-480.webp", "../gallery/2026/2026-02-30-480.webp",
            "../2026/11/.sh_thumbnails/large/2b6b0a5dd90a9a50c95d331a4a0e647b.png",
        ])
    func others(target: String) async throws {
        try fixture.link("x", to: target)
        try fixture.lookAndSettle()
        #expect(try fixture.unrecognised == ["x"])
        #expect(fixture.target("x") == target)
    }
}
