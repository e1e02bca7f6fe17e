import Apod
import Archive
import Catalog
import Files
import Glibc
import TestSupport
import Testing

@testable import Favorites

/// Nothing but what it is about is held up by what cannot be done.
@Suite("In the favorites, the rest goes on")
struct HeldUpTests {
    private let ordered = "../\(Wall.orionFile)"

    @Test("where a copy may not be read", .enabled(if: geteuid() == 0))
    func unreadable() async throws {
        let wall = try await Wall()
        try await wall.shell(
            """
            for i in {1..9}; do cp "$ORION" "copy $i"; chown root "copy $i"; ln -s "$ORION" "link $i"; done
            chown -R nobody "$ROOT"; chown root copy*; chmod 0 copy*
            """)
        try Person.asAnother { try wall.lookAndSettle() }
        for number in 1...9 { #expect(wall.target("link \(number)") == ordered) }
        #expect(try wall.unrecognised.count == 9)
    }

    @Test("where an album may not be written in; that is told, with what to do", .enabled(if: geteuid() == 0))
    func unwritable() async throws {
        let wall = try await Wall()
        func told() throws -> [UnwritableAlbum] { try wall.catalog.unwritableAlbums() }
        try await wall.shell(
            """
            mkdir "it's" fine; ln -s "$ORION" "it's/a"; cp "$CLOUDS" "it's/b.jpg"; ln -s "$ORION" fine/c
            chown -R nobody "$ROOT"; chown root "it's"
            """)
        try Person.asAnother { try wall.lookAndSettle() }
        #expect(wall.target("fine/c") == "../\(ordered)")
        #expect(try told() == [UnwritableAlbum("it's", things: 2, numbers: [EACCES])])
        try await wall.shell("rm \"it's/b.jpg\"")
        try Person.asAnother { try wall.lookAndSettle(at: "it's/b.jpg") }
        #expect(try told() == [UnwritableAlbum("it's", things: 1, numbers: [EACCES])])
        try await wall.shell("chmod a+rwx \"it's\"")
        try Person.asAnother { try wall.lookAndSettle() }
        #expect(wall.target("it's/a") == "../\(ordered)")
        #expect(try told().isEmpty)
    }

    @Test(
        "where a folder's sticky bit keeps others' things; that is told, with what to do", .enabled(if: geteuid() == 0))
    func sticky() async throws {
        let wall = try await Wall()
        try await wall.shell(
            "mkdir all; ln -s \"$ORION\" all/a; chown -R nobody \"$ROOT\"; chown -h root all all/a; chmod 1777 all")
        try Person.asAnother { try wall.lookAndSettle() }
        let told = try wall.catalog.unwritableAlbums()
        #expect(told.count == 1 && told[0].path == "all" && told[0].things == 1 && !told[0].numbers.contains(EACCES))
        try await wall.shell("chmod -t all")
        try Person.asAnother { try wall.lookAndSettle() }
        #expect(wall.target("all/a") == "../\(ordered)")
        #expect(try wall.catalog.unwritableAlbums().isEmpty)
    }

    @Test(
        "where nobody may change a folder, or only add to it; that is told, with what to do, and nothing is left there",
        .enabled(if: ImmutableFolder.canBeMade), arguments: [false, true])
    func immutable(isForAdding: Bool) async throws {
        let wall = try await Wall()
        try await wall.shell("mkdir fixed; ln -s \"$ORION\" fixed/a; ln -s \"$CLOUDS\" fixed/b")
        let fixed = try ImmutableFolder("\(wall.folder)/fixed", isForAdding: isForAdding)
        try wall.lookAndSettle()
        #expect(try Folder.open("\(wall.folder)/fixed").names().sorted() == ["a", "b"])
        #expect(try wall.catalog.unwritableAlbums() == [UnwritableAlbum("fixed", things: 2, numbers: [EPERM])])
        withExtendedLifetime(fixed) {}
    }

    @Test(
        "where an album may not be written in; as soon as it may, a copy there becomes a link",
        .enabled(if: geteuid() == 0))
    func writableAgain() async throws {
        let wall = try await Wall()
        try await wall.shell("mkdir a; cp \"$CLOUDS\" a/b.jpg; chown -R nobody \"$ROOT\"; chown root a")
        func settle() throws { try Person.asAnother { try wall.lookAndSettle() } }
        try settle()
        #expect(try wall.catalog.unwritableAlbums() == [UnwritableAlbum("a", things: 1, numbers: [EACCES])])
        #expect(try wall.favorites == ["2026-09-13: a/b.jpg"])
        try await wall.shell("chmod a+rwx a")
        try settle()
        #expect(wall.target("a/b.jpg") == "../../\(Wall.cloudsFile)")
        #expect(try wall.catalog.unwritableAlbums().isEmpty)
    }

    @Test("beside things that only their owner may replace", .enabled(if: geteuid() == 0))
    func besideOthers() async throws {
        let wall = try await Wall()
        try await wall.shell(
            """
            for i in {1..9}; do ln -s "$ORION" "theirs $i"; ln -s "$ORION" "link $i"; done
            chown -R nobody "$ROOT"; chown root .; chown -h root theirs*; chown -h nobody link*; chmod 1777 .
            """)
        try Person.asAnother { try wall.lookAndSettle() }
        for number in 1...9 {
            #expect(wall.target("link \(number)") == ordered)
            #expect(wall.target("theirs \(number)") == "\(wall.root)/\(Wall.orionFile)")
        }
        #expect(try wall.catalog.unwritableAlbums().map { [$0.path, "\($0.things)"] } == [["", "9"]])
    }

    @Test("where the list of favorites cannot be written, which it is as soon as it can be")
    func list() async throws {
        let wall = try await Wall()
        let list = "\(wall.root)/favorites.json"
        mkdir(list, 0o755)
        try wall.link("x", to: ordered)
        try wall.look()
        #expect(throws: StorageError.self) { try wall.settle() }
        #expect(try wall.favorites == ["2026-11-20: x"])
        rmdir(list)
        try wall.settle()
        #expect(String(decoding: try contents(list), as: UTF8.self).contains("2026-11-20"))
    }
}

@Suite("What a kill left of a replacement")
struct LeftoverTests {
    /// What there is at the start, and what is in the folder then.
    private static let cases: [(script: String, names: [String])] = [
        // Before the exchange.
        ("ln -s \"$ORION\" x; ln -s '../\(Wall.orionFile)' .apod-mirror-1f-x", ["x"]),
        ("ln -s '../\(Wall.orionFile)' .apod-mirror-1f", []),
        // After it, of a link and of a copy; the second one has been removed meanwhile.
        ("ln -s '../\(Wall.orionFile)' x; ln -s \"$ORION\" .apod-mirror-1f-x", ["x"]),
        ("cp \"$ORION\" .apod-mirror-1f-x", []),
        // The picture itself is damaged.
        ("cp \"$ORION\" .apod-mirror-1f-x; printf X | dd of=\"$ORION\" conv=notrunc status=none", ["x"]),
        // What somebody else put there in that moment gets its name back.
        ("ln -s '../\(Wall.orionFile)' x; echo mine >.apod-mirror-1f-x", ["2 x", "x"]),
        ("ln -s '../\(Wall.orionFile)' x; ln -s \"$CLOUDS\" .apod-mirror-1f-x", ["2 x", "x"]),
        ("echo mine >.apod-mirror-1f-x-y", ["x-y"]),
        ("ln -s /etc/passwd .apod-mirror-1f-x", ["x"]),
        // Nobody knows what that was called.
        ("echo mine >.apod-mirror-1f", [".apod-mirror-1f"]),
        ("mkdir .apod-mirror-1f-x", [".apod-mirror-1f-x"]),
    ]

    @Test("goes at the start, but nothing that may be the only one of its kind", arguments: cases)
    func cleared(script: String, names: [String]) async throws {
        let wall = try await Wall()
        try await wall.shell("mkdir album; cd album; \(script.replacing("'../", with: "'../../"))")
        try await wall.shell(script)
        try wall.lookAndSettle()
        for album in ["", "/album"] {
            let there = try Folder.open(wall.folder + album).names().filter { $0 != "album" }.sorted()
            #expect(there == names)
        }
        #expect(try !wall.unrecognised.contains { $0.contains(".apod-mirror-") })
    }

    @Test("is found at once by what it is called")
    func names() throws {
        #expect(Replacement.name(behind: Name(".apod-mirror-1f-a-b")!) == Name("a-b"))
        #expect(Replacement.name(behind: Name(".apod-mirror-1f")!) == nil)
        #expect(Replacement.name(behind: Name(".apod-mirror-1f-")!) == nil)
    }
}
