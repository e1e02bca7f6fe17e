import Apod
import Files
import Store
import Testing

@testable import Favorites

struct LinkTargetTests {
    private static let day = Day("2026-11-20")!
    private static let first = LinkTarget.Tail.copy(of: "2026-11-20", number: 1, list: nil)

    private static let tails: [(String, LinkTarget.Tail)] = [
        ("2026-11-20", .date(day)), ("2026-11-20.jpg", .name(day)), ("2026-11-20 O.jpg", .name(day)),
        ("2026-11-20x", .other), ("2026-11-2", .other), ("2026-11-31", .other), ("", .other), ("/", .other),
        ("2026/11/2026-11-20 O.jpg", .file(.day(day))), ("/m/2026/11/2026-11-20", .file(.day(day))),
        ("x2026/11/2026-11-20 O", .other), ("2026/10/2026-11-20 O", .other), ("11/2026-11-20 O", .other),
        // What the kernel passes over.
        ("..//2026/./11//2026-11-20 O.jpg", .file(.day(day))), ("./2026/./11/2026-11-20 O", .file(.day(day))),
        ("2026/11/2026-11-20 O.jpg/", .other), ("2026/11/2026-11-20 O/.", .other), ("2026-11-20/", .other),
        ("2026/11./2026-11-20 O", .other), ("2026/.../11/2026-11-20 O", .other), (".//2026-11-20", .other),
        ("2026-11-20-480.webp", first), ("../gallery/2026/2026-11-20-1280.jpg", first),
        ("2026-11-20-2-480.webp", .copy(of: "2026-11-20", number: 2, list: nil)), ("2026-11-20-1-480.webp", .other),
        ("../gallery/2025/2026-11-20-480.webp", .other), ("x/2026-11-20-480.webp", .other),
        ("2026-11-20-481.webp", .other), ("../.apod-mirror/latest/2026-11-20-\(sha256).jpg", first),
        ("../latest/2026-11-20-\(sha256).jpg", .other), ("../.apod-mirror/latest/2026-11-20-\(sha256)0.jpg", .other),
    ]
    private static let mittens = LinkTarget.Tail.file(Key("lists/cats/Mittens")!)
    private static let old = LinkTarget.Tail.file(Key("lists/cats/1994/1994-05-25 Old")!)
    private static let items: [(String, LinkTarget.Tail)] = [
        ("../lists/cats/Mittens.jpg", mittens), ("/nas/APOD/lists/cats//./Mittens.json", mittens),
        ("../lists/cats/Mittens", mittens), ("../lists/cats/1994/1994-05-25 Old.png", old), ("Mittens.jpg", .other),
        ("../lists/cats/1994-05-25 Old.png", .other), ("../lists/cats/1995/1994-05-25 Old.png", .other),
        ("../lists/cats/Mittens.jpg/", .other), ("../lists/cats/.sh_thumbnails/large/x.png", .other),
        ("../gallery/lists/cats/\(copy)", .copy(of: mark, number: 1, list: ListName("cats"))), (copy, .other),
        ("../notgallery/lists/cats/\(copy)", .file(Key("lists/cats/\(mark)-1280")!)),
    ]
    private static let mark = Key("lists/cats/Mittens")!.mark
    private static let copy = "\(mark)-1280.jpg"
    private static let sha256 = String(repeating: "0a", count: 32)

    @Test(
        "The text of a link's target tells a day's file in any mirror, a date, a name or a smaller copy",
        arguments: tails + items)
    func tail(text: String, expected: LinkTarget.Tail) {
        #expect(LinkTarget(text.bytes).tail == expected)
    }

    @Test(
        "The text of a link's target is as the mirror writes it from an album, and from no other",
        arguments: [
            ("../2026/11/2026-11-20 O.jpg", 0), ("../../../2026/11/2026-11-20 O.jpg", 2),
            ("..//2026/11/2026-11-20 O", nil), ("x/../2026/11/2026-11-20 O", nil), ("/m/2026/11/2026-11-20 O", nil),
            ("2026/11/2026-11-20 O", nil), ("2026-11-20", nil),
            ("../../lists/cats/Mittens.jpg", 1), ("../lists/cats/1994/1994-05-25 Old.png", 0),
            ("/m/lists/cats/Mittens.jpg", nil),
        ] as [(String, Int?)])
    func own(text: String, depth: Int?) {
        let target = LinkTarget(text.bytes)
        #expect((0...3).filter { target.isOwn(in: $0) } == (depth.map { [$0] } ?? []))
        if let depth { #expect(LinkTarget.own(target.text, of: target.key!, in: depth) == text) }
    }
}
