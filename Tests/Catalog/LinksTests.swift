import Apod
import Archive
import Catalog
import Files
import TestSupport
import Testing

@Suite("What the catalog knows of links that lead elsewhere")
struct LinksTests {
    private static let absolute = Array("/media/2026/11/2026-11-20 party.jpg".utf8)
    private static let relative = Array("../../2026/11/2026-11-20 party.jpg".utf8)

    private static let bare = Array("2026-11-20".utf8)

    private static func place(_ path: String) -> Place { Place(path: Array(path.utf8))! }

    private static let cases: [([UInt8], String?, Catalog.Elsewhere?)] = [
        (absolute, "a/x", .saysTheSame), (absolute, "b/other", .saysTheSame), (absolute, nil, .saysTheSame),
        (relative, "a/y", .saysTheSame), (relative, "b/c/y", .saysTheSame), (relative, "a/x", .saysTheSame),
        (relative, "a/strange", .saysTheSame), (relative, "b/x", nil),
        (relative, nil, nil), (absolute + [1], "a/x", nil), (Array(absolute.dropLast()), "a/x", nil),
        (relative + [1], "a/old", .isNotNoted), (relative + [1], "b/old", nil), (relative + [1], "a/strange", nil),
        (relative + [1], "a/day", nil), (absolute, "a/old", .saysTheSame),
        (bare, "a/z", .saysTheSame), (bare, "b/z", nil), (bare, "a/x", nil), (bare, nil, nil),
    ]

    @Test("is what they say, of a relative one by its name, and of which one that is not known", arguments: cases)
    func elsewhere(target: [UInt8], path: String?, expected: Catalog.Elsewhere?) throws {
        let catalog = try Shelf().archive().catalog
        var change = FolderChange()
        let links: [(String, [UInt8]?)] = [
            ("x", Self.absolute), ("y", Self.relative), ("z", Self.bare), ("old", []), ("strange", nil),
        ]
        change.seen = links.map { (Self.place("a/\($0)"), .unrecognised("why", target: $1)) }
        change.seen.append((Self.place("a/day"), .day(Day.first)))
        try catalog.record(change, at: 0)
        #expect(try catalog.elsewhere(target, at: path.map(Self.place)) == expected)
        for (place, meaning) in change.seen {
            #expect(try catalog.meaning(of: place) == meaning)
            #expect(try catalog.meanings(in: place.album)[place.name] == meaning)
        }
        // What is gone or leads to a day now is not known any more.
        var later = FolderChange()
        later.seen = [(Self.place("a/x"), .day(Day.first))]
        later.gone = ["a/y", "a/z", "a/old"].map(Self.place)
        try catalog.record(later, at: 1)
        #expect(try catalog.elsewhere(target, at: path.map(Self.place)) == nil)
    }
}
