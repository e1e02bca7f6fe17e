import Apod
import Catalog
import Files
import Glibc
import Testing
import Watching

@testable import Favorites

/// What was seen beside what is remembered; no folder is looked at.
@Suite("What was seen in the favorites folder")
struct FolderDiffTests {
    private static let (orion, clouds) = (Day("2026-11-20")!, Day("2026-09-13")!)
    private static let place = Place(Name("a")!, in: .top)
    private static let link = Meaning.day(orion, file: "o.jpg", isLink: true)
    private static let copy = Meaning.day(orion, file: "o.jpg")
    private static let other = Meaning.day(clouds, file: "c.jpg", isLink: true)
    private static let strange = Meaning.unrecognised("strange")

    private static func seen(_ finding: Sighting.Finding, at place: Place = place, _ target: String? = nil) -> Sighting
    {
        Sighting(place: place, target: target.map { LinkTarget(Array($0.utf8)) }, finding: finding)
    }

    private static func away(_ code: Int32) -> Sighting.Finding { .unknown(StorageError("read", "a", code: code)) }

    private static let cases: [(Sighting.Finding, Meaning?, isHinted: Bool, String)] = [
        (.nothing, nil, false, ""), (.nothing, link, false, "missing 2026-11-20"), (.nothing, strange, false, "gone"),
        (.meaning(link), nil, false, "see link 2026-11-20, new 2026-11-20"),
        (.meaning(link), link, true, "stayed, work"),
        // To another file of the same day, or what was a copy before.
        (.meaning(link), copy, false, "stayed, see link 2026-11-20"),
        (.meaning(other), link, false, "see link 2026-09-13, new 2026-09-13, missing 2026-11-20"),
        (.meaning(strange), link, false, "see strange, missing 2026-11-20"),
        (.meaning(strange), nil, false, "see strange"), (.meaning(strange), strange, true, ""),
        // A copy stays one until somebody changes it, or when it may still be one.
        (.file(mayBeCopy: true), copy, false, "stayed"), (.file(mayBeCopy: true), copy, true, "stayed"),
        (.file(mayBeCopy: false), copy, false, "stayed"),
        (.file(mayBeCopy: false), copy, true, "see not one of the mirror's pictures, missing 2026-11-20"),
        // What was a link is changed.
        (.file(mayBeCopy: true), link, false, "stayed, work"),
        (.file(mayBeCopy: false), link, false, "see not one of the mirror's pictures, missing 2026-11-20"),
        (.file(mayBeCopy: true), nil, false, "see still to be compared with the mirror's pictures"),
        (.file(mayBeCopy: true), LinkResolver.foreign, false, "work"),
        (.file(mayBeCopy: true), LinkResolver.foreign, true, "see still to be compared with the mirror's pictures"),
        (.file(mayBeCopy: false), LinkResolver.foreign, false, ""),
        (.file(mayBeCopy: false), nil, false, "see not one of"),
        // What cannot be looked at stays what it is.
        (away(EIO), link, false, ""), (away(EIO), nil, false, "see its disk does not answer"),
        (away(EMFILE), link, false, "shortage"), (away(EACCES), nil, false, ""), (.album, nil, false, ""),
    ]

    private func words(_ diff: FolderDiff) -> [String] {
        func words(_ meaning: Meaning) -> String {
            switch meaning {
            case .day(let day, _, let isLink): "see \(isLink ? "link" : "copy") \(day)"
            case .unrecognised(let why): "see \(why)"
            }
        }
        let seen = diff.change.seen.map { words($0.meaning) }
        let work = diff.work != .none && seen.isEmpty ? ["work"] : []
        return (diff.stayed > 0 ? ["stayed"] : []) + seen + diff.newLinks.keys.sorted().map { "new \($0)" }
            + diff.missing.map { "missing \($0.link.day)" } + diff.change.gone.map { _ in "gone" } + work
            + (diff.shortage == nil ? [] : ["shortage"])
    }

    @Test("is a change, or none, by what was there before", arguments: cases)
    func compare(finding: Sighting.Finding, known: Meaning?, isHinted: Bool, expected: String) {
        var diff = FolderDiff()
        diff.compare(Self.seen(finding), known, isHinted: isHinted)
        let (words, wanted) = (words(diff), expected.isEmpty ? [] : expected.split(separator: ", ").map(String.init))
        #expect(words.count == wanted.count, "\(words)")
        for (word, wanted) in zip(words, wanted) { #expect(word.hasPrefix(wanted), "\(words)") }
    }

    @Test(
        "is to be put in order, unless it is as the mirror makes it",
        arguments: [
            ("../2026/11/2026-11-20 O.jpg", true), ("/APOD/2026/11/2026-11-20 O.jpg", false), ("2026-11-20", false),
        ])
    func own(target: String, isOwn: Bool) {
        var diff = FolderDiff()
        diff.compare(Self.seen(.meaning(Self.link), target), Self.link, isHinted: false)
        #expect((diff.work == .none) == isOwn)
    }

    @Test("is listed as far as there is room; what is known needs none", arguments: [0, 1, 2])
    func room(count: Int) {
        var diff = FolderDiff(room: count)
        for number in 0..<2 {
            diff.compare(
                Self.seen(.meaning(Self.strange), at: Place(Name("\(number)")!, in: .top)), nil, isHinted: false)
        }
        diff.compare(Self.seen(.meaning(Self.link)), Self.strange, isHinted: false)
        diff.compare(Self.seen(.meaning(Self.link), at: Place(Name("l")!, in: .top)), nil, isHinted: false)
        #expect(diff.change.seen.count == count + 2 && diff.isCrowded == (count < 2))
    }

    /// So many links are gone while so many stay.
    private func diff(gone: Int, stayed: Int, isFolderSame: Bool = true, renamed: Int = 0) -> FolderDiff {
        var diff = FolderDiff()
        for number in 0..<stayed + gone + renamed {
            let place = Place(Name("\(number)")!, in: .top)
            let meaning = Meaning.day(Self.clouds.advanced(by: number), file: "f", isLink: true)
            let finding: Sighting.Finding = number < stayed ? .meaning(meaning) : .nothing
            diff.compare(Self.seen(finding, at: place), meaning, isHinted: false, isFolderSame: isFolderSame)
            if number < stayed + gone { continue }
            let other = Place(Name("new \(number)")!, in: .top)
            diff.compare(Self.seen(.meaning(meaning), at: other), nil, isHinted: false)
        }
        return diff
    }

    private static let sets: [(gone: Int, stayed: Int, nobodyLooked: Bool, isFolderSame: Bool, vanished: Int)] = [
        (1, 0, true, true, 1), (1, 0, false, true, 0), (1, 1, true, true, 0), (2, 1, true, true, 2),
        (2, 2, true, true, 0), (1, 5, false, false, 1), (1, 5, true, false, 1), (0, 0, true, true, 0),
    ]

    @Test("is set aside where most went while nobody looked, and what went with its folder", arguments: sets)
    func setAside(gone: Int, stayed: Int, nobodyLooked: Bool, isFolderSame: Bool, vanished: Int) {
        var diff = diff(gone: gone, stayed: stayed, isFolderSame: isFolderSame)
        let isMassive = diff.setAside(nobodyLooked: nobodyLooked, isTopSame: true)
        #expect(diff.change.vanished.count == vanished && diff.missing.count == gone - vanished)
        #expect(isMassive == (nobodyLooked && gone > stayed))
    }

    /// An album that was renamed twice: its links were noted under both former names.
    @Test("days that have a link are not gone, by however many names they went before", arguments: [1, 2, 30])
    func renamedTwice(count: Int) {
        var diff = FolderDiff()
        for number in 0..<count {
            let day = Self.clouds.advanced(by: number)
            let meaning = Meaning.day(day, file: "f", isLink: true)
            for album in ["A", "Summer"] {
                let place = Place(Name("\(number)")!, in: Album(Array(album.utf8))!)
                diff.compare(Self.seen(.nothing, at: place), meaning, isHinted: false)
            }
            let place = Place(Name("\(number)")!, in: Album(Array("Best".utf8))!)
            diff.compare(Self.seen(.meaning(meaning), at: place), nil, isHinted: false)
        }
        let isMassive = diff.setAside(nobodyLooked: true, isTopSame: true)
        #expect(!isMassive && diff.change.vanished.isEmpty && diff.missing.count == 2 * count)
    }

    @Test("renames are no loss, unless the folder is another one", arguments: [true, false])
    func renames(isTopSame: Bool) {
        var diff = diff(gone: 0, stayed: 0, renamed: 3)
        let isMassive = diff.setAside(nobodyLooked: true, isTopSame: isTopSame)
        #expect(isMassive == !isTopSame)
        #expect(diff.change.vanished.count == (isTopSame ? 0 : 3))
    }

    @Test("counts for nothing where the folder was not the one that was opened")
    func nothingMissing() {
        var diff = FolderDiff()
        diff.compare(Self.seen(.meaning(Self.other)), Self.link, isHinted: false)
        diff.compare(Self.seen(.nothing, at: Place(Name("b")!, in: .top)), Self.strange, isHinted: false)
        diff.compare(Self.seen(.meaning(Self.link), at: Place(Name("c")!, in: .top)), nil, isHinted: false)
        diff.note(.top, "1")
        diff.missNothing()
        #expect(diff.missing.isEmpty && diff.change.gone.isEmpty && diff.change.fingerprints.isEmpty)
        #expect(diff.change.seen.map(\.place.description) == ["c"])
    }
}
