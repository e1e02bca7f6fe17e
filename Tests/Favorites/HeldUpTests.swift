import Apod
import Files
import Glibc
import Store
import TestSupport
import Testing

@testable import Favorites

/// Nothing but what it is about is held up by what cannot be done.
struct HeldUpTests {
    private let fixture: FavoritesFixture

    init() async throws { fixture = try await FavoritesFixture() }

    private let ordered = FavoritesFixture.orionLink

    @Test(
        "An album that may not be written in and a copy that may not be read hold up nothing else",
        .root)
    func unwritable() async throws {
        func told() throws -> [String: Int] { try fixture.catalog.unwritable() }
        try await fixture.shell(
            """
            mkdir "It's_mine" fine; ln -s "$ORION" "It's_mine/a"; cp "$CLOUDS" "It's_mine/b.jpg"; ln -s "$ORION" fine/c; cp "$ORION" bad
            chown -R nobody "$ROOT"; chown root "It's_mine" bad; chmod 0 bad
            """)
        try Person.asAnother { try fixture.lookAndSettle() }
        #expect(fixture.target("fine/c") == "../\(ordered)")
        #expect(try told() == ["It's_mine": Int(EACCES)] && fixture.unrecognised == ["bad"])
        #expect(try fixture.favorites == ["2026-09-13: It's_mine/b.jpg", "2026-11-20: It's_mine/a, fine/c"])
        try await fixture.shell("chmod a+rwx \"It's_mine\"")
        try Person.asAnother { try fixture.lookAndSettle() }
        #expect(
            fixture.target("It's_mine/a") == "../\(ordered)"
                && fixture.target("It's_mine/b.jpg") == "../\(FavoritesFixture.cloudsLink)")
        #expect(try told().isEmpty)
    }

    @Test("No link ends while a look at the whole folder has not come to its end")
    func behind() async throws {
        let isStopped = Awaited(false)
        try fixture.open { isStopped.value }
        try fixture.link("x", to: ordered)
        try fixture.album("b")
        try fixture.lookAndSettle(to: ["2026-11-20: x"])
        rename(fixture["x"], fixture["b/x"])
        try fixture.look(at: "x")
        isStopped.update { $0 = true }
        #expect(throws: (any Error).self) { try fixture.keeper.look(.everywhere) }
        _ = try? fixture.keeper.settle()
        isStopped.update { $0 = false }
        try fixture.lookAndSettle(to: ["2026-11-20: b/x"])
        #expect(try fixture.history == ["came 2026-11-20", "moved 2026-11-20"])
    }

    @Test("What comes during a look is recorded with it, and after an error, all of it is looked at again")
    func meanwhile() throws {
        try fixture.link("x", to: ordered)
        try fixture.link("y", to: FavoritesFixture.cloudsLink)
        let history = "\(fixture.root)/.apod-mirror/history"
        var told: [Set<Place>] = [["y"]]
        #expect(throws: Problem.self) {
            try fixture.keeper.look(.places(["x"])) {
                mkdir(history, 0o755)
                return told.popLast() ?? []
            }
        }
        rmdir(history)
        try fixture.keeper.lookAgain()
        #expect(try fixture.favorites == ["2026-09-13: y", "2026-11-20: x"])
    }

    @Test("A link that leads elsewhere by the end of a look is a favorite of that alone")
    func relinked() throws {
        try fixture.link("x", to: ordered)
        var told: [Set<Place>] = [["x"]]
        try fixture.keeper.look(.places(["x"])) {
            guard let next = told.popLast() else { return [] }
            unlink(fixture["x"])
            symlink(FavoritesFixture.cloudsLink, fixture["x"])
            return next
        }
        try fixture.rest()
        #expect(try fixture.favorites == ["2026-09-13: x"])
    }

    @Test("A link for which the disk has no room is put in order when it has", .disks)
    func full() async throws {
        let disk = try Disk("tmpfs")
        let fixture = try await FavoritesFixture(root: "\(disk.path)/APOD")
        try fixture.link("y", to: FavoritesFixture.cloudsLink)
        try fixture.lookAndSettle()
        try await fixture.shell(
            "ln -s \"$ORION\" x; mount -o remount,nr_inodes=$(($(df --output=iused . | tail -n 1))) \"$ROOT/..\"")
        #expect(throws: Problem.self) { try fixture.lookAndSettle() }
        try disk.change("nr_inodes=1000")
        try fixture.settle()
        #expect(fixture.target("x") == ordered)
    }

    @Test("A look at a folder counts for nothing where another one has taken its place meanwhile")
    func exchanged() throws {
        try fixture.link("x", to: ordered)
        let (folder, away) = (fixture.folder, "\(fixture.root)/away")
        // Done once: the first one is not empty.
        try fixture.open {
            rename(folder, away)
            mkdir(folder, 0o755)
            return false
        }
        try fixture.keeper.look(.everywhere)
        #expect(try Facts(away) != nil && fixture.days == [])
    }

    @Test(
        "Something else that is called favorites.json stays, and the list comes when it is gone",
        arguments: ["mkdir", "ln -s /etc/passwd", "mkfifo", "echo mine >", "echo '[{\"date\": \"2026-11-20\"}]' >"])
    func list(make: String) async throws {
        let list = "\(fixture.root)/favorites.json"
        try await fixture.shell("\(make) '\(list)'")
        let before = try #require(Facts(list)).inode
        try fixture.link("x", to: ordered)
        try fixture.lookAndSettle(to: ["2026-11-20: x"])
        try await fixture.forgetEverything()
        try fixture.lookAndSettle(to: ["2026-11-20: x"])
        #expect(Facts(list)?.inode == before)
        try await fixture.shell("rm -d '\(list)'")
        try fixture.settle()
        #expect(try fileText(list).contains("2026-11-20"))
    }
}

@Suite(.root)
struct DueTests {
    private let fixture: FavoritesFixture

    init() async throws { fixture = try await FavoritesFixture() }

    /// What another person cannot open, and where the link is.
    private static let places = [("2026/11", "x"), ("favorites/a", "a/x")]

    private func link(_ name: String) throws {
        try fixture.link(name, to: name == "x" ? FavoritesFixture.orionLink : "../\(FavoritesFixture.orionLink)")
    }

    private func close(_ place: String) async throws {
        try await fixture.shell(
            "chown -R nobody \"$ROOT\"; chown root \"$ROOT/\(place)\"; chmod 0 \"$ROOT/\(place)\"")
    }

    @Test(
        "What could not be looked at is told and looked at again until it was seen, and holds up nothing else",
        arguments: places)
    func again(closed: String, name: String) async throws {
        try fixture.album("a")
        try link(name)
        try await close(closed)
        try Person.asAnother {
            try fixture.look()
            #expect(throws: Problem.self) { try fixture.keeper.lookAgain() }
            // As after a command, which is not told as done.
            #expect(throws: Problem.self) { try fixture.keeper.carryOut { [Place(stringLiteral: name)] } }
        }
        try fixture.link("y", to: FavoritesFixture.cloudsLink)
        try Person.asAnother {
            try fixture.lookAndSettle(at: "y")
            #expect(try fixture.favorites == ["2026-09-13: y"])
        }
        chmod("\(fixture.root)/\(closed)", 0o755)
        try Person.asAnother {
            try fixture.keeper.lookAgain()
            #expect(try fixture.favorites == ["2026-09-13: y", "2026-11-20: \(name)"])
            try fixture.keeper.lookAgain()
        }
    }

    @Test("What cannot be looked at ends nothing that is known", arguments: places)
    func known(closed: String, name: String) async throws {
        try fixture.album("a")
        try link(name)
        try fixture.lookAndSettle(to: ["2026-11-20: \(name)"])
        try fixture.remove(name)
        try fixture.look(at: name)
        try link(name)
        try await close(closed)
        try Person.asAnother { try fixture.settle() }
        #expect(try fixture.favorites == ["2026-11-20: \(name)"])
    }
}

struct LeftoverTests {
    private let fixture: FavoritesFixture

    init() async throws { fixture = try await FavoritesFixture() }

    /// What there is at the start, and what is in the folder then.
    private static let cases: [(script: String, names: [String])] = [
        // Before the exchange.
        ("ln -s \"$ORION\" x; ln -s '../\(FavoritesFixture.orionFile)' .apod-mirror-1f-x", ["x"]),
        ("cp \"$ORION\" x; ln -s '../\(FavoritesFixture.orionFile)' .apod-mirror-1f-x", ["x"]),
        // After it, of a link and of a copy; the second one has been removed meanwhile.
        ("ln -s '../\(FavoritesFixture.orionFile)' x; ln -s \"$ORION\" .apod-mirror-1f-x", ["x"]),
        ("cp \"$ORION\" .apod-mirror-1f-x", []),
        // The picture itself is damaged.
        ("cp \"$ORION\" .apod-mirror-1f-x; printf X | dd of=\"$ORION\" conv=notrunc status=none", ["x"]),
        // What somebody else put there in that moment gets its name back.
        ("ln -s '../\(FavoritesFixture.orionFile)' x; echo mine >.apod-mirror-1f-x", ["2 x", "x"]),
        ("echo mine >.apod-mirror-1f-x-y", ["x-y"]),
        // Nobody knows what that was called.
        ("echo mine >.apod-mirror-1f", [".apod-mirror-1f"]),
        ("mkdir .apod-mirror-1f-x", [".apod-mirror-1f-x"]),
    ]

    @Test(
        "What a kill left of a replacement goes at the start, but not what may be the only one of its kind",
        arguments: cases)
    func cleared(script: String, names: [String]) async throws {
        try await fixture.shell("mkdir album; cd album; \(script.replacing("'../", with: "'../../"))")
        try await fixture.shell(script)
        try fixture.lookAndSettle()
        for album in ["", "/album"] {
            let there = try Folder.open(fixture.folder + album).names().filter { $0 != "album" }.sorted()
            #expect(there == names)
        }
        #expect(try !fixture.unrecognised.contains { $0.contains(".apod-mirror-") })
    }
}
