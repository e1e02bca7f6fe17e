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
    /// As md5sum says of `2026-11-20%20Orion%20Rising.jpg`, and of that with `./` before it.
    private static let thumbnails = [
        "2026/11/.sh_thumbnails/normal/a6f48fa6a4468415bf2364c213451093.png",
        "2026/11/.sh_thumbnails/large/2b6b0a5dd90a9a50c95d331a4a0e647b.png",
    ]
    static let all = [small, large] + thumbnails
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
        try fixture.lookAndSettle(to: ["2026-11-20: a/0, a/1, a/2, a/3"])
        for name in ["0", "1", "2", "3"] {
            #expect(fixture.target("a/\(name)") == "../../\(FavoritesFixture.orionFile)")
        }
    }

    @Test(
        "A link to what is made of a picture of a video leads to the video by its day, and to the poster by the poster's thumbnail"
    )
    func video() async throws {
        try await fixture.come(november(21), [(.video, .mp4), (.poster, .jpeg)])
        try Self.put("gallery/2026/2026-11-21-1280.jpg", in: fixture.root)
        try fixture.link("day", to: "../gallery/2026/2026-11-21-1280.jpg")
        for (name, suffix) in [("poster", "jpg"), ("video", "mp4")] {
            let md5 = SharedThumbnail.digests(of: "2026-11-21 First Horizon.\(suffix)".utf8)[0]
            try Self.put("2026/11/.sh_thumbnails/large/\(md5).png", in: fixture.root)
            try fixture.link(name, to: "../2026/11/.sh_thumbnails/large/\(md5).png")
        }
        try fixture.lookAndSettle()
        let stem = "../2026/11/2026-11-21 First Horizon"
        #expect(
            ["day", "poster", "video"].map { fixture.target($0) } == ["mp4", "jpg", "mp4"].map { "\(stem).\($0)" })
    }

    @Test(
        "A link to what is made of a picture of another name, place or day is none, and is left alone",
        arguments: [
            "../gallery/2026/2026-11-20-480.jpg", "../gallery/2025/2026-11-20-480.webp",
            "../notgallery/2026/2026-11-20-480.webp", "../gallery/2026/2026-02-30-480.webp",
            "../2026/12/.sh_thumbnails/large/a6f48fa6a4468415bf2364c213451093.png",
            "../2026/11/.sh_thumbnails/large/00000000000000000000000000000000.png",
        ])
    func others(target: String) async throws {
        try fixture.link("x", to: target)
        try fixture.lookAndSettle()
        #expect(try fixture.unrecognised == ["x"])
        #expect(fixture.target("x") == target)
    }
}
