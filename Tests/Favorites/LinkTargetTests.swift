import Apod
import Catalog
import Files
import Testing

@testable import Favorites

@Suite("The text of a link's target")
struct LinkTargetTests {
    private static let day = Day("2026-11-20")!

    private static let tails: [(String, LinkTarget.Tail)] = [
        ("2026-11-20", .date(day)), ("2026-11-20.jpg", .name(day)), ("2026-11-20 O.jpg", .name(day)),
        ("2026-11-20x", .other), ("2026-11-2", .other), ("2026-11-31", .other), ("2026/11/20", .other), ("", .other),
        ("/", .other), ("2026/11/2026-11-20 O.jpg", .file(day)), ("/2026/11/2026-11-20 O.jpg", .file(day)),
        ("../2026/11/2026-11-20", .file(day)), ("/m/2026/11/2026-11-20 O.jpg", .file(day)),
        ("x2026/11/2026-11-20 O.jpg", .other), ("2026/10/2026-11-20 O.jpg", .other), ("11/2026-11-20 O.jpg", .other),
        // What the kernel passes over.
        ("..//2026/./11//2026-11-20 O.jpg", .file(day)), ("./2026/11/2026-11-20 O.jpg", .file(day)),
        ("2026/11/2026-11-20 O.jpg/", .other),
        ("2026-11-20-480.webp", .copy(day)), ("../gallery/2026/2026-11-20-1280.jpg", .copy(day)),
        ("../gallery/2025/2026-11-20-480.webp", .other), ("x/2026-11-20-480.webp", .other),
        ("2026-11-20-481.webp", .other),
    ]

    @Test("tells a day's file in any mirror, a date, a name or a smaller copy", arguments: tails)
    func tail(text: String, expected: LinkTarget.Tail) {
        #expect(LinkTarget(Array(text.utf8)).tail == expected)
    }

    @Test("may name a day where it ends in a date, or as the mirror's files and copies do", arguments: tails)
    func mayNameDay(text: String, tail: LinkTarget.Tail) {
        #expect(LinkTarget(Array(text.utf8)).mayNameDay == (tail != .other))
        #expect(LinkTarget(Array("x/\(text)/2026-11-20".utf8)).mayNameDay)
        #expect(!LinkTarget(Array("x/\(text)/2026-11-20x".utf8)).mayNameDay)
    }

    @Test(
        "is as the mirror writes it from an album, and from no other",
        arguments: [
            ("../2026/11/2026-11-20 O.jpg", 0), ("../../2026/11/2026-11-20 O.jpg", 1),
            ("../../../2026/11/2026-11-20 O.jpg", 2), ("..//2026/11/2026-11-20 O.jpg", nil),
            ("./2026/11/2026-11-20 O.jpg", nil), ("x/../2026/11/2026-11-20 O.jpg", nil),
            ("/m/2026/11/2026-11-20 O.jpg", nil), ("2026/11/2026-11-20 O.jpg", nil), ("2026-11-20", nil),
        ] as [(String, Int?)])
    func own(text: String, depth: Int?) {
        let target = LinkTarget(Array(text.utf8))
        #expect((0...3).filter { target.isOwn(in: $0) } == (depth.map { [$0] } ?? []))
        if let depth { #expect(LinkTarget.own("2026-11-20 O.jpg", of: Self.day, in: depth) == text) }
    }

    @Test(
        "names a wish beside all albums, by a climb or from the root",
        arguments: [
            ("../2026-11-20", "a", true), ("../../2026-11-20", "a/b", true), ("../2026-11-20", "a/b", false),
            ("/m/favorites/2026-11-20", "a", true), ("/n/favorites/2026-11-20", "a", false),
            ("../2026-11-20 O.jpg", "a", false), ("2026-11-20", "a", false), ("..//2026-11-20", "a", true),
        ])
    func wish(text: String, album: String, isWish: Bool) {
        let album = Album(Array(album.utf8))!
        #expect(LinkTarget(Array(text.utf8)).wish(from: album, in: "/m") == (isWish ? Self.day : nil))
    }

    private static let orion = "2026/11/2026-11-20 O.jpg"

    @Test(
        "speaks of this mirror, or of something beside it, or of what only its machine knows",
        arguments: [
            ("2026-11-20", "", .here), ("2026-11-20 O.jpg", "a", .here), ("2026-11-20-480.webp", "a", .here),
            (orion, "a", .here), ("./\(orion)", "a", .here), ("../\(orion)", "", .here), ("../../\(orion)", "a", .here),
            ("../gallery/2026/2026-11-20-480.webp", "", .here), ("../../2026-11-20", "a/b", .here),
            ("../2026/11/.sh_thumbnails/large/a6f48fa6a4468415bf2364c213451093.png", "", .here),
            ("/m/apod/\(orion)", "", .here), ("/m//apod/./\(orion)", "a", .here), ("/former/\(orion)", "a", .here),
            ("/m/apod/gallery/2026/2026-11-20-480.webp", "", .here), ("/m/apod/favorites/2026-11-20", "a", .here),
            // From where it was before, perhaps.
            ("../\(orion)", "a", .unknown), ("../../\(orion)", "", .unknown),
            ("../../gallery/2026/2026-11-20-480.webp", "", .unknown), ("../2026-11-20", "a/b", .unknown),
            ("/\(orion)", "", .unknown), ("/m/apod/x/\(orion)", "", .unknown), ("/m/apodx/\(orion)", "", .unknown),
            ("/m/\(orion)", "", .unknown), ("/nas/gallery/2026/2026-11-20-480.webp", "", .unknown),
            ("/nas/2026/11/.sh_thumbnails/large/a6f48fa6a4468415bf2364c213451093.png", "", .unknown),
            ("../../photos/\(orion)", "", .beside), ("photos/\(orion)", "", .beside), ("../x/\(orion)", "a", .beside),
            ("../photos/2026-11-20", "", .beside),
        ] as [(String, String, LinkTarget.Claim)])
    func claim(text: String, album: String, expected: LinkTarget.Claim) throws {
        let place = Place(Name("x")!, in: Album(Array(album.utf8))!)
        let claim = try LinkTarget(Array(text.utf8)).claim(at: place, in: "/m/apod") { $0 == Array("/former".utf8) }
        #expect(claim == expected)
    }

    @Test(
        "is remembered by where it leads; a mere name by its place",
        arguments: [
            ("/m//x/./\(orion)", "a/b", "/m/x/\(orion)"), ("../../\(orion)", "a", "../\(orion)"),
            ("../../\(orion)", "", "../../\(orion)"), ("../\(orion)", "a/b", "a/\(orion)"), (orion, "a", "a/\(orion)"),
            (".././b/../\(orion)", "a", orion), ("2026-11-20", "a", "a/x\0" + "2026-11-20"),
            ("2026-11-20", "", "x\0" + "2026-11-20"),
        ])
    func memory(text: String, album: String, expected: String) {
        let place = Place(Name("x")!, in: Album(Array(album.utf8))!)
        #expect(String(decoding: LinkTarget(Array(text.utf8)).memory(at: place), as: UTF8.self) == expected)
    }

    @Test(
        "may mean a picture that is called so, or where it is a date or a smaller copy",
        arguments: [
            (orion, true), ("/x/2026/11/2026-11-20 O.png", true), ("/x/2026/11/2026-11-20", true),
            ("/x/gallery/2026/2026-11-20-480.webp", true), ("/x/2026/11/2026-11-20 party.jpg", false),
            ("/x/2026/11/2026-11-20 O", true), ("/x/2026/11/2026-11-20 o.jpg", false),
        ])
    func mayMean(text: String, isSo: Bool) throws {
        let name = try #require(FileName(stem: "2026-11-20 O"))
        #expect(LinkTarget(Array(text.utf8)).mayMean(name) == isSo)
    }

    @Test(
        "that is only a date tells why it stands for no day",
        arguments: [
            ("2026-13-01", true), ("2026-1-1", true), ("1990-01-01", true), ("2026-11-20", false), ("x", false),
        ])
    func date(text: String, isTold: Bool) {
        #expect((LinkTarget(Array(text.utf8)).whyNoDay != nil) == isTold)
    }
}
