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
        func told() throws -> String? { try wall.catalog.remark(.unwritable) }
        try await wall.shell(
            """
            mkdir "it's" fine; ln -s "$ORION" "it's/a"; cp "$CLOUDS" "it's/b.jpg"; ln -s "$ORION" fine/c
            chown -R nobody "$ROOT"; chown root "it's"
            """)
        try Person.asAnother { try wall.lookAndSettle() }
        #expect(wall.target("fine/c") == "../\(ordered)")
        let quoted = "'\(wall.folder)/it'\\''s'"
        let first = try told()
        #expect(
            first == """
                \(wall.folder)/it's: 2 links or copies stay as they are, as the service may not write there; \
                `sudo chmod g+rwxs \(quoted)` lets it
                """, "\(first ?? "")")
        try await wall.shell("rm \"it's/b.jpg\"")
        try Person.asAnother { try wall.lookAndSettle(at: "it's/b.jpg") }
        #expect(try told()?.contains("it's: 1 link or copy stays as it is, as") == true)
        try await wall.shell("chmod a+rwx \"it's\"")
        try Person.asAnother { try wall.lookAndSettle() }
        #expect(wall.target("it's/a") == "../\(ordered)")
        #expect(try told() == nil)
    }

    @Test(
        "where an album may not be written in: only another group is changed, and only who must takes sudo for it",
        .enabled(if: geteuid() == 0 && getpwuid(65_534) != nil),
        arguments: [
            (owner: 0, group: 65_534, advice: "`sudo chmod g+rwxs F` lets it"),
            (0, 1, "`sudo chgrp nogroup F && sudo chmod g+rwxs F` lets it"),
            (4321, 1, "`sudo chgrp nogroup F && sudo chmod g+rwxs F` lets it"),
            (65_534, 65_534, "as nobody, `chmod g+rwxs F` lets it"),
            (65_534, 1, "as nobody, `chgrp nogroup F && chmod g+rwxs F` lets it"),
        ] as [(uid_t, gid_t, String)])
    func opening(owner: uid_t, group: gid_t, advice: String) throws {
        let temporary = try TemporaryFolder()
        let folder = temporary.path
        #expect(chown(folder, owner, group) == 0)
        func told(by user: uid_t, _ permissions: mode_t) throws -> String {
            #expect(chmod(folder, permissions) == 0)
            return Reconciler.commands(opening: folder, try Folder.open(folder).facts(), for: user, 65_534)
                .replacing(Text.quoted(folder), with: "F")
        }
        #expect(try told(by: 2, 0o755) == advice)
        #expect(try told(by: owner, 0o755) == advice)
        if owner == 4321 { return }
        let isPerson = owner == 65_534
        let own = isPerson ? "as nobody, `chmod u+rwx F` lets it" : "`sudo chmod u+rwx F` lets it"
        #expect(try told(by: owner, 0o555) == own)
    }

    @Test(
        "where a folder's sticky bit keeps others' things; that is told, with what to do", .enabled(if: geteuid() == 0))
    func sticky() async throws {
        let wall = try await Wall()
        try await wall.shell(
            "mkdir all; ln -s \"$ORION\" all/a; chown -R nobody \"$ROOT\"; chown -h root all all/a; chmod 1777 all")
        try Person.asAnother { try wall.lookAndSettle() }
        let told = try #require(try wall.catalog.remark(.unwritable))
        #expect(told.contains("all: 1 link or copy stays as it is, as the folder's sticky bit keeps "))
        #expect(!told.contains("chgrp"))
        let advice = try #require(told.split(separator: "`").dropFirst().first)
        try await wall.shell(advice.replacing("sudo ", with: "").description)
        try Person.asAnother { try wall.lookAndSettle() }
        #expect(wall.target("all/a") == "../\(ordered)")
        #expect(try wall.catalog.remark(.unwritable) == nil)
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
        let told = try #require(try wall.catalog.remark(.unwritable))
        #expect(told.contains("fixed: 2 links or copies stay as they are, as nobody may change anything there: "))
        #expect(told.contains("`sudo chattr -ia '\(wall.folder)/fixed'`") && !told.contains("chgrp"))
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
        #expect(try wall.catalog.remark(.unwritable)?.contains("a: 1 link or copy stays") == true)
        #expect(try wall.favorites == ["2026-09-13: a/b.jpg"])
        try await wall.shell("chmod a+rwx a")
        try settle()
        #expect(wall.target("a/b.jpg") == "../../\(Wall.cloudsFile)")
        #expect(try wall.catalog.remark(.unwritable) == nil)
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
        #expect(try wall.catalog.remark(.unwritable)?.contains("favorites: 9 links or copies stay") == true)
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
