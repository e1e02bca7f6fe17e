import Apod
import Archive
import Catalog
import Favorites
import Files
import Glibc
import TestSupport
import Testing
import Watching

/// What goes while somebody looks.
@Suite("Favorites whose links go one by one")
struct RemovalTests {
    private let clock = TestClock()

    /// Links to as many days.
    private func wall(links count: Int, in album: String = "") async throws -> Wall {
        let wall = try await Wall(settleDelay: .seconds(2), clock: clock)
        try add(0..<count, to: wall, in: album)
        try settleDelay(wall)
        return wall
    }

    private func add(_ numbers: Range<Int>, to wall: Wall, in album: String = "") throws {
        if !album.isEmpty { try wall.album(album) }
        for number in numbers {
            try wall.link("\(album.isEmpty ? "" : album + "/")link \(number)", to: "\(day(number))")
        }
        try wall.look()
    }

    private func day(_ number: Int) -> Day { Day("2019-04-01")!.advanced(by: number) }

    @Test("stay where the mirror's own folder has become another before they are settled")
    func otherOwnFolder() async throws {
        let wall = try await wall(links: 2)
        try wall.remove("link 0")
        try wall.look(at: "link 0")
        clock.advance(by: .seconds(2))
        let own = "\(wall.root)/.apod-mirror"
        rename(own, wall.shelf.folder.appending("aside"))
        mkdir(own, 0o755)
        #expect { _ = try wall.reconciler.settle() } throws: { ($0 as? StorageError)?.isReplacement == true }
        #expect(try wall.days.count == 2)
    }

    private func remove(_ numbers: some Sequence<Int>, from wall: Wall) throws {
        for number in numbers {
            try wall.remove("link \(number)")
            try wall.look(at: "link \(number)")
        }
    }

    private func settleDelay(_ wall: Wall) throws {
        clock.advance(by: .seconds(2))
        _ = try wall.reconciler.settle()
    }

    private func counts(_ wall: Wall) throws -> [Int] {
        [try wall.catalog.favorites().count, try wall.catalog.favoritesSummary().vanished]
    }

    @Test("in a folder that cannot be told from another stay when they are the last", .enabled(if: Disk.canBeMade))
    func uncertain() async throws {
        let wall = try await Wall()
        let disk = try Disk("ramfs")
        let mount = try BindMount(of: disk.path, over: wall.folder)
        for number in 0..<3 { try wall.link("link \(number)", to: "\(day(number))") }
        try wall.lookAndSettle()
        for (number, left) in [(0, 0), (1, 0), (2, 1)] {
            try wall.remove("link \(number)")
            try wall.lookAndSettle(at: "link \(number)")
            #expect(try counts(wall) == [max(2 - number, left), left])
        }
        try await wall.stop()
        withExtendedLifetime((disk, mount)) {}
    }

    @Test(
        "are removed as long as they are few, and stay when they are most",
        arguments: [
            (1, 1, false), (2, 2, false), (3, 2, false), (3, 3, true), (4, 2, false), (4, 3, true), (6, 3, false),
            (7, 4, true),
        ])
    func measure(there: Int, gone: Int, isLoss: Bool) async throws {
        let wall = try await wall(links: there)
        try remove(0..<gone, from: wall)
        #expect(try counts(wall) == [there, 0])
        try settleDelay(wall)
        #expect(try counts(wall) == (isLoss ? [there, gone] : [there - gone, 0]))
        #expect(wall.reconciler.takeVanished() == (isLoss ? gone : 0))
        #expect(wall.reconciler.takeVanished() == 0)
    }

    @Test("stay as they were when they went slowly, and then the folder", arguments: [true, false])
    func slowly(restarts: Bool) async throws {
        let wall = try await wall(links: 32)
        let before = try wall.catalog.favorites().map(\.added)
        for number in 0..<32 {
            try remove([number], from: wall)
            clock.advance(by: .milliseconds(700))
            if number % 8 == 7 { _ = try wall.reconciler.settle() }
            if number == 12, restarts {
                #expect(try wall.days.count < 32)
                try await wall.restart()
                try wall.look()
            }
        }
        rmdir(wall.folder)
        try wall.look()
        try settleDelay(wall)
        #expect(try wall.days == (0..<32).map { "\(day($0))" })
        #expect(try wall.catalog.favorites().map(\.added) == before)
        let history = try wall.history
        #expect(
            Set(history.suffix(from: 32).filter { $0.hasPrefix("removed") }.map { $0.dropFirst(7) })
                == Set(history.filter { $0.hasPrefix("returned") }.map { $0.dropFirst(8) }))
        // What is told last of each is that it is still a favorite.
        let last = Dictionary(history.map { ($0.suffix(10), $0.dropLast(11)) }) { $1 }
        #expect(last.count == 32 && !last.values.contains("removed") && last.values.contains("vanished"), "\(last)")
    }

    @Test("are one run with pauses of less than a minute", arguments: [(59, true), (60, false)])
    func pauses(seconds: Int, isLoss: Bool) async throws {
        let wall = try await wall(links: 4)
        for number in 0..<3 {
            try remove([number], from: wall)
            try settleDelay(wall)
            clock.advance(by: .seconds(seconds - 2))
        }
        #expect(try counts(wall) == (isLoss ? [4, 3] : [1, 0]))
        // What still goes in it goes the same way.
        try remove([3], from: wall)
        try settleDelay(wall)
        #expect(try counts(wall) == (isLoss ? [4, 4] : [0, 0]))
    }

    @Test("are counted when the clock is set meanwhile", arguments: [3600, -3600])
    func clockSteps(by seconds: Int) async throws {
        let wall = try await wall(links: 4)
        for number in 0..<3 {
            try remove([number], from: wall)
            try settleDelay(wall)
            clock.step(by: seconds)
        }
        #expect(try counts(wall) == [4, 3])
    }

    @Test("end for good when the service is started again a minute later", arguments: [(57, true), (58, false)])
    func restarted(seconds: Int, isLoss: Bool) async throws {
        let wall = try await wall(links: 5)
        try remove([0, 1], from: wall)
        try settleDelay(wall)
        try await wall.restart()
        clock.advance(by: .seconds(seconds))
        try wall.lookAndSettle()
        try remove([2], from: wall)
        try settleDelay(wall)
        #expect(try counts(wall) == (isLoss ? [5, 3] : [2, 0]))
    }

    @Test("come back with what went next when the folder goes, but not a minute later", arguments: [(59, 2), (60, 0)])
    func folder(seconds: Int, left: Int) async throws {
        let wall = try await wall(links: 2)
        try remove([0, 1], from: wall)
        try settleDelay(wall)
        #expect(try wall.days.isEmpty)
        clock.advance(by: .seconds(seconds - 2))
        rmdir(wall.folder)
        try wall.look()
        #expect(try counts(wall) == [left, left])
        #expect(wall.reconciler.takeVanished() == left)
        try wall.look()
        #expect(wall.reconciler.takeVanished() == 0)
    }

    @Test("come back when the folder is another one, whatever is in that")
    func anotherFolder() async throws {
        let wall = try await wall(links: 3)
        try remove([0, 1], from: wall)
        try settleDelay(wall)
        rename(wall.folder, wall.shelf.folder.appending("aside"))
        mkdir(wall.folder, 0o755)
        try wall.link("new", to: "\(day(2))")
        try wall.look()
        #expect(try counts(wall) == [3, 2])
        #expect(try wall.catalog.links(.vanished).map { "\($0.place)" } == ["link 0", "link 1", "link 2"])
    }

    @Test("are not removed while another folder is in their place", arguments: [("", ""), ("a/", ""), ("a/", "/a")])
    func notRemoved(album: String, replaced: String) async throws {
        let wall = try await wall(links: 3, in: String(album.dropLast()))
        for number in 0..<2 {
            try wall.remove("\(album)link \(number)")
            try wall.look(at: "\(album)link \(number)")
        }
        rename(wall.folder + replaced, wall.shelf.folder.appending("aside"))
        mkdir(wall.folder + replaced, 0o755)
        try settleDelay(wall)
        #expect(try counts(wall) == [3, 0])
    }

    @Test("are no loss when they are renamed, or their album is", arguments: [true, false])
    func renamed(whileNobodyLooks: Bool) async throws {
        let wall = try await wall(links: 5, in: "a")
        if whileNobodyLooks { try await wall.stop() }
        rename("\(wall.folder)/a", "\(wall.folder)/b")
        for number in 0..<3 { rename("\(wall.folder)/b/link \(number)", "\(wall.folder)/other \(number)") }
        if whileNobodyLooks { try wall.open() }
        try wall.look()
        try settleDelay(wall)
        #expect(try counts(wall) == [5, 0])
        #expect(try wall.catalog.favorites().allSatisfy { $0.links.count == 1 && $0.vanished.isEmpty })
        #expect(try wall.history.count == 5)
        // That was no beginning either.
        unlink("\(wall.folder)/other 0")
        try wall.look()
        try settleDelay(wall)
        #expect(try counts(wall) == [4, 0])
    }

    @Test("are removed with their album while others stay")
    func album() async throws {
        let wall = try await wall(links: 3, in: "a")
        try add(3..<7, to: wall)
        try settleDelay(wall)
        for number in 0..<3 { unlink("\(wall.folder)/a/link \(number)") }
        rmdir("\(wall.folder)/a")
        try wall.look()
        try settleDelay(wall)
        #expect(try counts(wall) == [4, 0])
    }

    @Test("are removed, however many, when somebody asks for that")
    func ordered() async throws {
        let wall = try await wall(links: 6)
        let editor = try FavoritesEditor(root: wall.root, catalog: wall.catalog)
        try wall.reconciler.carryOut { () throws(StorageError) in
            for number in 0..<4 { _ = try editor.remove(day(number), found: [], wall.reconciler.expectRemoval(of:)) }
        }
        #expect(try counts(wall) == [2, 0])
        try remove([4, 5], from: wall)
        try settleDelay(wall)
        rmdir(wall.folder)
        try wall.look()
        #expect(try wall.days == ["\(day(4))", "\(day(5))"])
    }

    @Test("are removed as ordered, whoever settles it, and if it fails half-way", arguments: [nil, "work", "root"])
    func orderedInBetween(failure: String?) async throws {
        let wall = try await wall(links: 6)
        let editor = try FavoritesEditor(root: wall.root, catalog: wall.catalog)
        let away = wall.shelf.folder.appending("away")
        func order() throws {
            try wall.reconciler.carryOut { () throws(StorageError) in
                for number in 0..<4 {
                    _ = try editor.remove(day(number), found: []) { places in
                        #expect(places.map { "\($0)" } == ["link \(number)"])
                        #expect(wall.target("link \(number)") != nil)
                        wall.reconciler.expectRemoval(of: places)
                    }
                }
                if failure == "root" {
                    rename(wall.root, away)
                    return
                }
                // Of these, it is only said that they are about to go.
                wall.reconciler.expectRemoval(of: [4, 5].map { Place(path: Array("link \($0)".utf8))! })
                if failure == "work" { throw StorageError(replaced: "") }
                try wall.reconciler.note(.everywhere)
                clock.advance(by: .seconds(2))
                _ = try wall.reconciler.settle()
            }
        }
        if failure != nil { #expect(throws: StorageError.self, performing: order) } else { try order() }
        if failure == "root" {
            rename(away, wall.root)
            try wall.look()
            try settleDelay(wall)
        }
        #expect(try counts(wall) == [2, 0])
        #expect(wall.reconciler.takeVanished() == 0)
        // What has the same name later, or stayed, is as any other.
        clock.advance(by: .seconds(100))
        try add(0..<4, to: wall)
        try settleDelay(wall)
        clock.advance(by: .seconds(100))
        try remove(0..<6, from: wall)
        try settleDelay(wall)
        #expect(try counts(wall) == [6, 6])
    }

    @Test("are measured by those that were there, not by those that came meanwhile")
    func newcomers() async throws {
        let wall = try await wall(links: 4)
        try remove([0], from: wall)
        try add(10..<30, to: wall)
        try remove([1], from: wall)
        try settleDelay(wall)
        try remove(10..<29, from: wall)
        try settleDelay(wall)
        #expect(try counts(wall) == [3, 0])
        try remove([2], from: wall)
        try settleDelay(wall)
        #expect(try counts(wall) == [24, 22])
    }

    @Test("are measured by those that still had links")
    func secondLoss() async throws {
        let wall = try await wall(links: 9)
        try remove(0..<5, from: wall)
        try settleDelay(wall)
        #expect(try counts(wall) == [9, 5])
        clock.advance(by: .seconds(60))
        try remove(5..<8, from: wall)
        try settleDelay(wall)
        #expect(try counts(wall) == [9, 8])
    }

    @Test("are not gone when they came back, by whatever names", arguments: ["link", "other"])
    func back(name: String) async throws {
        let wall = try await wall(links: 4)
        try remove([0, 1], from: wall)
        try settleDelay(wall)
        for number in 0..<2 { try wall.link("\(name) \(number)", to: "\(day(number))") }
        try wall.look()
        try settleDelay(wall)
        #expect(try wall.catalog.links(.removed).count == (name == "link" ? 0 : 2))
        try remove([2], from: wall)
        try settleDelay(wall)
        #expect(try counts(wall) == [3, 0])
        for number in 0..<2 { try wall.remove("\(name) \(number)") }
        try wall.look()
        try settleDelay(wall)
        #expect(try counts(wall) == [4, 3])
    }

    @Test("stay when they had only just come")
    func justCome() async throws {
        let wall = try await wall(links: 0)
        try add(0..<3, to: wall)
        try remove(0..<3, from: wall)
        try settleDelay(wall)
        #expect(try counts(wall) == [3, 3])
    }

    @Test("stay when their links lead to others")
    func replaced() async throws {
        let wall = try await wall(links: 3)
        for number in 0..<3 {
            try wall.remove("link \(number)")
            try wall.link("link \(number)", to: "\(day(100 + number))")
        }
        try wall.look()
        try settleDelay(wall)
        #expect(try counts(wall) == [6, 3])
    }

    @Test("do not stay favorites without a link when that led to another one in between")
    func between() async throws {
        let wall = try await wall(links: 1)
        try wall.remove("link 0")
        try wall.link("link 0", to: "\(day(1))")
        try wall.look(at: "link 0")
        try remove([0], from: wall)
        try settleDelay(wall)
        #expect(try counts(wall) == [0, 0])
    }

    @Test("are forgotten with the run: what goes next is removed")
    func forgotten() async throws {
        let wall = try await wall(links: 5)
        try remove(0..<3, from: wall)
        try settleDelay(wall)
        #expect(try wall.reconciler.forget(nil).count == 3)
        try remove([3], from: wall)
        try settleDelay(wall)
        #expect(try counts(wall) == [1, 0])
    }

    @Test(
        "stay when all, or most of several, went while nobody looked",
        arguments: [
            (1, 1, true), (2, 1, false), (2, 2, true), (3, 1, false), (3, 2, true), (4, 2, false), (4, 3, true),
        ])
    func nobodyLooked(there: Int, gone: Int, stays: Bool) async throws {
        let wall = try await wall(links: there)
        for number in 0..<gone { try wall.remove("link \(number)") }
        try await wall.restart()
        try wall.look()
        try settleDelay(wall)
        #expect(try counts(wall) == (stays ? [there, gone] : [there - gone, 0]))
    }

    @Test("go on after all others had gone while nobody looked")
    func goesOn() async throws {
        let wall = try await wall(links: 8)
        for number in 0..<6 { try wall.remove("link \(number)") }
        try await wall.restart()
        try wall.look()
        clock.step(by: 3600)
        try remove([6, 7], from: wall)
        try settleDelay(wall)
        #expect(try counts(wall) == [8, 8])
    }
}
