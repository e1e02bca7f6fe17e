import Apod
import Archive
import Catalog
import Glibc
import TestSupport
import Testing

@testable import Favorites

@Suite("A link to what is made of a picture")
struct GeneratedLinkTests {
    private static let small = "gallery/2026/2026-11-20-480.webp"
    private static let large = "gallery/2026/2026-11-20-1280.jpg"
    /// As md5sum says of `2026-11-20%20Orion%20Rising.jpg`, and of that with `./` before it.
    private static let thumbnails = [
        "2026/11/.sh_thumbnails/normal/a6f48fa6a4468415bf2364c213451093.png",
        "2026/11/.sh_thumbnails/large/2b6b0a5dd90a9a50c95d331a4a0e647b.png",
    ]
    static let all = [small, large] + thumbnails

    /// A mirror that has these.
    private func wall(adopts: Bool = true) async throws -> Wall {
        let wall = try await Wall(adopts: adopts)
        for path in Self.all { try Self.put(path, in: wall.root) }
        return wall
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
        "counts as one to the picture", arguments: all,
        ["../PATH", "ROOT/PATH", "../favorites/../PATH", "/mnt/nas/apod/PATH", "/mnt/nas/apod//SPACED"])
    func counts(path: String, target: String) async throws {
        let wall = try await wall()
        let target = target.replacing("ROOT", with: wall.root).replacing("PATH", with: path)
        try wall.link("mine", to: target.replacing("SPACED", with: path.replacing("/", with: "/.//")))
        try wall.look(at: "mine")
        #expect(try wall.favorites == ["2026-11-20: mine"])
        try wall.settle()
        #expect(wall.target("mine") == "../\(Wall.orionFile)")
        #expect(try wall.favorites == ["2026-11-20: mine"])
    }

    @Test("counts through another path and from an album, also by its name alone and by a file that stands for a link")
    func ways() async throws {
        let wall = try await wall()
        let aside = wall.shelf.folder.appending("elsewhere")
        symlink(wall.root, aside)
        try wall.album("a")
        for (index, path) in Self.all.enumerated() { try wall.link("a/\(index)", to: "\(aside)/\(path)") }
        try wall.link("a/name", to: "2026-11-20-480.webp")
        let entry = "[Desktop Entry]\nType=Link\nURL=file://\(wall.root)/\(Self.small)\n"
        try save(Array(entry.utf8), to: "\(wall.folder)/a/file.desktop")
        try wall.lookAndSettle()
        #expect(try wall.favorites == ["2026-11-20: a/0, a/1, a/2, a/3, a/file.desktop, a/name"])
        for name in ["0", "1", "2", "3", "name"] { #expect(wall.target("a/\(name)") == "../../\(Wall.orionFile)") }
    }

    @Test("counts also when that is not there any more, and where links stay as they were made", arguments: all)
    func dangling(path: String) async throws {
        let wall = try await wall(adopts: false)
        try wall.link("mine", to: "../\(path)")
        try wall.lookAndSettle()
        unlink("\(wall.root)/\(path)")
        try wall.lookAndSettle()
        #expect(try wall.favorites == ["2026-11-20: mine"])
        #expect(wall.target("mine") == "../\(path)")
    }

    @Test("in the favorites folder counts as one to what that is of", arguments: [true, false])
    func beside(adopts: Bool) async throws {
        let wall = try await wall(adopts: adopts)
        try wall.album("a")
        try wall.album("a/favorites")
        let links = [("", "top %.jpg"), ("a/", "inner.jpg"), ("a/favorites/", "both.jpg")]
        for (album, name) in links { try wall.link(album + name, to: "\(wall.root)/\(Wall.orionFile)") }
        try wall.lookAndSettle()
        for (album, name) in links {
            for (size, md5) in zip(["normal", "large"], SharedThumbnail.digests(of: name.utf8)) {
                let thumbnail = ".sh_thumbnails/\(size)/\(md5).png"
                try Self.put("favorites/\(album)\(thumbnail)", in: wall.root)
                try wall.link("\(album)\(size)", to: thumbnail)
                try wall.link("\(size) of \(name)", to: "\(wall.folder)/\(album)\(thumbnail)")
            }
        }
        // Of nothing that is there, and in a folder that looks alike.
        let other = ".sh_thumbnails/large/00000000000000000000000000000000.png"
        let alike = "favorites/.sh_thumbnails/large/\(SharedThumbnail.digests(of: "top %.jpg".utf8)[1]).png"
        try Self.put("favorites/\(other)", in: wall.root)
        try Self.put(alike, in: wall.shelf.folder.path)
        try wall.link("other", to: other)
        try wall.link("alike", to: wall.shelf.folder.appending(alike))
        // And of something that is no day.
        let foreign = ".sh_thumbnails/large/\(SharedThumbnail.digests(of: "note".utf8)[0]).png"
        try Self.put("favorites/note", in: wall.root)
        try Self.put("favorites/\(foreign)", in: wall.root)
        try wall.lookAndSettle()
        try wall.link("of note", to: foreign)
        try wall.lookAndSettle()
        #expect(try wall.unrecognised.sorted() == ["alike", "note", "of note", "other"])
        let why = try wall.catalog.unrecognised(atMost: 10).first { $0.place.description == "of note" }?.why
        #expect(why == "a link out of the mirror")
        #expect(try wall.favorites.count == 1)
        let targets = ["normal", "large of inner.jpg", "a/large"].map { wall.target($0) }
        #expect(adopts == (targets == ["../\(Wall.orionFile)", "../\(Wall.orionFile)", "../../\(Wall.orionFile)"]))
    }

    @Test("to a copy for screens tells its day")
    func day() {
        for path in [Self.small, Self.large] { #expect(LinkTarget(Array(path.utf8)).day == Wall.orion) }
    }

    @Test("for a day that is not here is a request")
    func request() async throws {
        let wall = try await wall()
        try wall.link("wish", to: "/mnt/nas/gallery/2019/2019-04-10-480.webp")
        try wall.lookAndSettle()
        #expect(try wall.catalog.dueFavorites(at: Day("2019-04-10")!.noon).map(\.description) == ["2019-04-10"])
        try await wall.come(Day("2019-04-10")!, [(.picture, .jpeg)])
        #expect(wall.target("wish") == "../2019/04/2019-04-10 First Horizon.jpg")
    }

    @Test("of a video leads to the video by its day, and to the poster by the poster's thumbnail")
    func video() async throws {
        let wall = try await wall()
        try await wall.come(Day("2026-11-21")!, [(.video, .mp4), (.poster, .jpeg)])
        try wall.link("day", to: "/mnt/nas/gallery/2026/2026-11-21-1280.jpg")
        for (name, suffix) in [("poster", "jpg"), ("video", "mp4")] {
            let md5 = SharedThumbnail.digests(of: "2026-11-21 First Horizon.\(suffix)".utf8)[0]
            try wall.link(name, to: "../2026/11/.sh_thumbnails/large/\(md5).png")
        }
        try wall.lookAndSettle()
        let stem = "../2026/11/2026-11-21 First Horizon"
        #expect(["day", "poster", "video"].map { wall.target($0) } == ["mp4", "jpg", "mp4"].map { "\(stem).\($0)" })
    }

    @Test(
        "of another name, place or day is none, and is left alone",
        arguments: [
            "../gallery/2026/2026-11-20-480.jpg", "../gallery/2026/2026-11-20-481.webp", "../gallery/gallery.js",
            "../gallery/2025/2026-11-20-480.webp", "../notgallery/2026/2026-11-20-480.webp", "2026-11-20-",
            "../2026/11/.sh_thumbnails/huge/a6f48fa6a4468415bf2364c213451093.png",
            "../2026/12/.sh_thumbnails/large/a6f48fa6a4468415bf2364c213451093.png",
            "../2026/11/sh_thumbnails/large/a6f48fa6a4468415bf2364c213451093.png",
            "../2026/11/.sh_thumbnails/large/00000000000000000000000000000000.png",
            "../2026/13/.sh_thumbnails/large/a6f48fa6a4468415bf2364c213451093.png",
            "../.sh_thumbnails/large/a6f48fa6a4468415bf2364c213451093.png", "../gallery/2026/2026-02-30-480.webp",
        ])
    func others(target: String) async throws {
        let wall = try await wall()
        try wall.link("x", to: target)
        try wall.lookAndSettle()
        #expect(try wall.unrecognised == ["x"])
        #expect(wall.target("x") == target)
    }

    @Test("in another folder that is laid out like a mirror leads out of this one", arguments: all)
    func lookalike(path: String) async throws {
        let wall = try await wall()
        try Self.put(path, in: wall.shelf.folder.path)
        try wall.link("x", to: wall.shelf.folder.appending(path))
        try wall.lookAndSettle()
        #expect(try wall.unrecognised == ["x"])
    }
}
