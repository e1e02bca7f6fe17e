import Apod
import Archive
import Catalog
import Files
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Favorites

/// Something happens just between looking and acting.
struct PauseTests {
    private let fixture: FavoritesFixture

    init() async throws { fixture = try await FavoritesFixture() }

    @Test(
        "Between look and act what is new is on the disk before it is in the history, each folder once; where nothing is new, none"
    )
    func order() async throws {
        for album in ["a", "a/b"] { try fixture.album(album) }
        let synced = try fixture.noteSyncs { $0.favorites.isEmpty }
        for name in ["x", "a/y", "a/b/z", "a/b/u"] { try fixture.link(name, to: "2026-11-20") }
        try fixture.look()
        #expect(synced.names.sorted() == ["", "favorites", "favorites/a", "favorites/a/b"])
        try fixture.look()
        try fixture.look(at: "x", "a/b/z")
        #expect(synced.names.count == 4)
    }

    @Test("Between look and act a new album is on the disk with the folder that it is in; a known one alone")
    func newAlbum() async throws {
        try fixture.album("a")
        try fixture.lookAndSettle()
        let synced = try fixture.noteSyncs()
        for (name, folders) in [
            ("a/x", ["", "favorites", "favorites/a"]), ("a/y", ["favorites/a"]), ("x", ["favorites"]),
        ] {
            try fixture.link(name, to: "2026-11-20")
            try fixture.look(at: name)
            #expect(synced.take().sorted() == folders)
        }
        // Another of the same name, and perhaps of the same number.
        try await fixture.shell("rm -r a; mkdir a; ln -s 2026-11-20 a/y")
        try fixture.look(at: "a/y")
        #expect(synced.take() == [])
        try await fixture.shell("ln -s 2026-11-20 a/z")
        try fixture.look(at: "a/z")
        #expect(synced.take().sorted() == ["favorites", "favorites/a"])
    }

    @Test(
        "Between look and act what is gone is gone on the disk before it is forgotten, also with its folder",
        arguments: ["x", "a"])
    func removal(name: String) async throws {
        try fixture.album("a")
        for name in ["x", "a/y"] { try fixture.link(name, to: "2026-11-20") }
        try fixture.lookAndSettle()
        let synced = try fixture.noteSyncs { $0.favorites.first?.links.count == 2 }
        try await fixture.shell("rm -r \(name)")
        try fixture.lookAndSettle()
        #expect(synced.names.last == "favorites")
        #expect(try fixture.log.favorites.first?.links.count == 1)
    }

    @Test("Between look and act the picture under a second name counts at once, and is not read")
    func secondName() async throws {
        try fixture.open { moment in if case .compared = moment { Issue.record("compared") } }
        try await fixture.shell("ln \"$ORION\" a.jpg")
        try fixture.look(at: "a.jpg")
        #expect(try fixture.favorites == ["2026-11-20: a.jpg"])
        _ = try fixture.reconciler.settle()
        #expect(fixture.target("a.jpg") == FavoritesFixture.orionLink)
    }

    @Test("Between look and act what was put in order is on the disk, each folder once")
    func adoption() async throws {
        try fixture.look()
        for name in ["x", "y"] { try fixture.link(name, to: fixture.orionPath) }
        try fixture.look(at: "x", "y")
        let folder = fixture.folder
        let synced = try fixture.noteSyncs { _ in
            ["x", "y"].allSatisfy { target(of: "\(folder)/\($0)") == FavoritesFixture.orionLink }
        }
        try fixture.look(at: "x", "y")
        try fixture.settle()
        #expect(synced.names == ["", "favorites"])
    }
}

extension PauseTests {
    @Test("Between look and act a copy that somebody writes to while the picture is made of it again is no picture")
    func changingCopy() async throws {
        try await fixture.shell("cp \"$ORION\" a.jpg; ln a.jpg $OUT/b.jpg; rm \"$ORION\"")
        let path = fixture["a.jpg"]
        let file = try #require(try Folder.open(fixture.folder).file("a.jpg"))
        let original = try #require(
            try fixture.catalog.files(ofSize: 1000).first { $0.subject.day == FavoritesFixture.orion })
        try save([UInt8](repeating: 1, count: 1000), to: path)
        let back = RestoreOriginal(archive: try fixture.mirror.archive(), original: original)
        #expect(throws: StorageError.self) { try back.run(file) }
        #expect(!exists(fixture.orionPath))
    }

    @Test("Between look and act a stop is noticed while a copy is compared")
    func stopped() async throws {
        try await fixture.shell("cp \"$ORION\" a.jpg")
        try fixture.look()
        let file = try #require(try Folder.open(fixture.folder).file("a.jpg"))
        let resolver = fixture.reconciler.resolver
        let error = await #expect(throws: StorageError.self) {
            try await cancelled { try resolver.original(of: file, named: Name("a.jpg")!) }
        }
        #expect(error?.code == ECANCELED)
    }

    private static let swaps = [
        "ln -sfn \"$CLOUDS\" x", "rm x; head -c 100 /dev/zero >x", "rm x; mkdir x", "rm x", "mv x y",
        "rm x; cp \"$CLOUDS\" x",
    ]

    @Test(
        "Between look and act what is there by then stays, byte for byte", arguments: swaps,
        ["ln -s \"$ORION\" x", "cp \"$ORION\" x"])
    func swapped(swap: String, before: String) async throws {
        try await fixture.shell(before)
        try fixture.look()
        let state = "find . -mindepth 1 -printf '%P %y %l %s %T@\\n' | LC_ALL=C sort"
        let script =
            "cd '\(fixture.folder)'; CLOUDS='\(fixture.root)/\(FavoritesFixture.cloudsFile)'; OUT='\(fixture.outside)'; \(swap)"
        let swaps = Atomic(0)
        try fixture.open { moment in
            guard case .replacing = moment, swaps.add(1, ordering: .relaxed).newValue == 1 else { return }
            #expect(system("\(script); \(state) >$OUT/before") == 0)
        }
        try fixture.look()
        for _ in 0..<3 where swaps.load(ordering: .relaxed) == 0 { _ = try fixture.reconciler.settle() }
        #expect(swaps.load(ordering: .relaxed) == 1)
        try await fixture.shell("\(state) >$OUT/after; diff $OUT/before $OUT/after")
    }

    @Test(
        "Between look and act an album that is moved out of the mirror meanwhile is nobody else's, with all that is in it",
        arguments: ["ln -s", "cp"], [false, true])
    func movedOut(before: String, isDone: Bool) async throws {
        try await fixture.shell("mkdir album; \(before) \"$ORION\" album/x; \(before) \"$CLOUDS\" album/y")
        try fixture.look()
        let (album, aside) = (fixture["album"], fixture.mirror.folder.appending("aside"))
        let moments = Atomic(0)
        try fixture.open { moment in
            guard case .replacing = moment else { return }
            // The first time or the second: then one of them is the mirror's already.
            let count = moments.add(1, ordering: .relaxed).newValue
            if count == (isDone ? 2 : 1) { #expect(rename(album, aside) == 0) }
        }
        try fixture.look()
        for _ in 0..<3 { _ = try fixture.reconciler.settle() }
        #expect(moments.load(ordering: .relaxed) >= (isDone ? 2 : 1))
        #expect(try Folder.open(aside).names().sorted() == ["x", "y"])
        let own = ["x", "y"].filter { target(of: "\(aside)/\($0)")?.hasPrefix("../../2026") == true }
        #expect(own.count == (isDone ? 1 : 0), "\(own)")
    }

    /// In the same moment, with a target as long, and perhaps the same number.
    @Test("Between look and act a link that leads elsewhere by then is not taken for the one that was looked at")
    func retargeted() async throws {
        try fixture.link("x", to: "2026-11-20")
        try fixture.look()
        let path = fixture["x"]
        try fixture.open { moment in
            guard case .replacing = moment, target(of: path) == "2026-11-20" else { return }
            unlink(path)
            symlink("2019-11-20", path)
        }
        try fixture.look()
        _ = try fixture.reconciler.settle()
        #expect(fixture.target("x") == "2019-11-20")
    }

    @Test("Between look and act no descriptor is free just then: what was seen is looked at again")
    func shortage() async {
        await #expect(processExitsWith: .success) {
            let fixture = try await FavoritesFixture()
            try fixture.link("a", to: "2026-11-20")
            let isFirst = Atomic(true)
            try fixture.open { moment in
                if moment == .seen, isFirst.exchange(false, ordering: .relaxed) { allow(descriptors: 3) }
            }
            try fixture.look()
            allow(descriptors: 256)
            try #require(fixture.reconciler.isDue)
            try fixture.reconciler.lookAgain()
            try #require(try fixture.favorites == ["2026-11-20: a"])
        }
    }

    @Test("Between look and act no descriptor is free while links are put in order: they are put in order later")
    func lateShortage() async {
        await #expect(processExitsWith: .success) {
            let fixture = try await FavoritesFixture()
            let isFirst = Atomic(true)
            try fixture.open { moment in
                guard case .replacing = moment, isFirst.exchange(false, ordering: .relaxed) else { return }
                allow(descriptors: 3)
            }
            try fixture.link("a", to: fixture.orionPath)
            try fixture.look()
            #expect(throws: StorageError.self) { try fixture.reconciler.settle() }
            #expect(throws: StorageError.self) { try fixture.reconciler.resolver.lookEverywhere { _, _ in } }
            allow(descriptors: 256)
            _ = try fixture.reconciler.settle()
            try #require(fixture.target("a") == FavoritesFixture.orionLink)
        }
    }

    @Test("Between look and act the favorites become another folder: nothing is missed there")
    func anotherFolder() async throws { try await replaced(isMount: false) }

    @Test(
        "Between look and act the favorites are mounted over: nothing is missed there",
        .enabled(if: Disk.canBeMade, "needs root and mount(2)"))
    func mountedOver() async throws { try await replaced(isMount: true) }

    private func replaced(isMount: Bool) async throws {
        for name in ["a", "b", "c", "e"] { try fixture.link(name, to: "2026-11-20") }
        try fixture.link("stranger", to: "/etc/passwd")
        try fixture.lookAndSettle()
        for name in ["b", "c", "e", "stranger"] { try fixture.remove(name) }
        for name in ["d", "e"] { try fixture.link(name, to: "2026-09-13") }
        let (folder, aside) = (fixture.folder, fixture.mirror.folder.appending("aside"))
        let disk = isMount ? try Disk("tmpfs") : nil
        try fixture.open { moment in
            guard moment == .seen, !exists(aside) else { return }
            mkdir(aside, 0o755)
            if let disk { mount(disk.path, folder, nil, UInt(MS_BIND), nil) }
            if !isMount {
                rename(folder, "\(aside)/favorites")
                mkdir(folder, 0o755)
            }
        }
        defer { umount2(folder, Int32(MNT_DETACH)) }
        try fixture.look()
        // Nothing of what was seen counts.
        #expect(try fixture.favorites == ["2026-11-20: a, b, c, e"])
        #expect(try fixture.unrecognised == ["stranger"])
        withExtendedLifetime(disk) {}
    }
}

/// The most files that this process may have open.
private func allow(descriptors count: UInt) {
    var limit = rlimit(rlim_cur: count, rlim_max: 256)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
}

/// The folders that were brought to the disk, below the root.
final class Syncs: Sendable {
    private let list = Mutex<[String]>([])

    var names: [String] { list.withLock(\.self) }

    func add(_ name: String) { list.withLock { $0.append(name) } }

    func take() -> [String] {
        list.withLock { list in
            defer { list = [] }
            return list
        }
    }
}

extension FavoritesFixture {
    /// As when the service starts; at each, something holds.
    func noteSyncs(while holds: @escaping @Sendable (FavoritesLog) throws -> Bool = { _ in true }) throws -> Syncs {
        let syncs = Syncs()
        let (log, root) = (try log, root)
        try open { moment in
            guard case .synced(let path) = moment else { return }
            syncs.add(String(path.dropFirst(root.utf8.count).drop { $0 == "/" }))
            #expect((try? holds(log)) == true)
        }
        return syncs
    }
}
