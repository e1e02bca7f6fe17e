import Apod
import Archive
import Catalog
import Favorites
import Files
import Glibc
import Synchronization
import TestSupport
import Testing
import Watching

/// What somebody asks for beside whoever keeps the mirror.
@Suite("Links that are taken away as somebody asked for, beside whoever looks for them,")
struct OrderedRemovalsTests {
    private let clock = TestClock()

    private func day(_ number: Int) -> Day { Day("2019-04-01")!.advanced(by: number) }

    private func wall(links count: Int) async throws -> Wall {
        let wall = try await Wall(settleDelay: .seconds(2), clock: clock)
        for number in 0..<count { try wall.link("link \(number)", to: "\(day(number))") }
        try wall.look()
        try settleDelay(wall)
        return wall
    }

    private func settleDelay(_ wall: Wall) throws {
        clock.advance(by: .seconds(2))
        _ = try wall.reconciler.settle()
    }

    /// Takes the first links away as the command does.
    private final class Command: Sendable {
        private let removals: Mutex<OrderedRemovals>

        init(_ wall: Wall, _ days: [Day], clock: TestClock) throws {
            let catalog = try #require(try Archive.catalogBeside(root: wall.root))
            let editor = try FavoritesEditor(root: wall.root, catalog: catalog)
            var removals = OrderedRemovals(editor) { clock.seconds }
            for day in days { #expect(try editor.remove(day, found: []) { removals.take($0) }.count == 1) }
            self.removals = Mutex(removals)
        }

        func tell() { #expect(throws: Never.self) { try removals.withLock { try $0.tell() } } }
    }

    /// When the catalog learns of it.
    enum NoticeHandler: CaseIterable { case before, meanwhile, after }

    @Test("are removed, however many, whoever notes it first", arguments: NoticeHandler.allCases, [true, false])
    func told(at moment: NoticeHandler, isFirstLook: Bool) async throws {
        for gone in [1, 3, 4] {
            let wall = try await wall(links: 4)
            let days = (0..<gone).map(day)
            let command = Mutex<Command?>(nil)
            let raceHook: RaceHook = { point in
                if case .seen = point, moment == .meanwhile { command.withLock { $0 }?.tell() }
            }
            if isFirstLook { try await wall.stop() }
            try wall.open(raceHook: raceHook)
            if !isFirstLook { try wall.look() }
            let made = try Command(wall, days, clock: clock)
            if moment == .before { made.tell() }
            command.withLock { $0 = made }
            try wall.look()
            if moment == .after { made.tell() }
            try settleDelay(wall)
            #expect(try wall.days == (gone..<4).map { "\(day($0))" })
            #expect(try wall.catalog.favoritesSummary().vanished == 0)
            #expect(try wall.catalog.links(.vanished) == [] && wall.catalog.links(.removed).count == gone)
            #expect(try wall.history.filter { $0.hasPrefix("removed") } == days.map { "removed \($0)" })
            // It was no beginning of a loss, either.
            if gone < 4 {
                try wall.remove("link \(gone)")
                try wall.look(at: "link \(gone)")
                try settleDelay(wall)
                #expect(try wall.catalog.favoritesSummary().vanished == 0)
            }
        }
    }

    @Test("are told of when the first of them is a second ago, however soon one follows the other")
    func steady() async throws {
        let wall = try await wall(links: 4)
        let catalog = try #require(try Archive.catalogBeside(root: wall.root))
        let editor = try FavoritesEditor(root: wall.root, catalog: catalog)
        var removals = OrderedRemovals(editor, clock: { 7 }, now: { [clock] in clock.instant })
        var told: [Int] = []
        for number in 0..<4 {
            _ = try editor.remove(day(number), found: []) { removals.take($0) }
            told.append(try catalog.links(.removed).count)
            clock.advance(by: .milliseconds(600))
        }
        // Those before the third one.
        #expect(told == [0, 0, 2, 2])
    }

    @Test("are told before anything goes")
    func order() async throws {
        let wall = try await wall(links: 1)
        try wall.link("other", to: "\(day(0))")
        var there: [String] = []
        let editor = try FavoritesEditor(root: wall.root, catalog: wall.catalog)
        let found = editor.findLinks(to: [day(0)])[day(0)] ?? []
        let removed = try editor.remove(day(0), found: found) { places in
            there = places.map(\.description).filter { wall.target($0) != nil }
        }
        #expect(there == ["link 0", "other"] && removed.map(\.description) == there && wall.target("link 0") == nil)
    }

    @Test("say nothing of when a link went that nobody asked for")
    func beside() async throws {
        let wall = try await wall(links: 4)
        try wall.remove("link 0")
        try wall.look(at: "link 0")
        clock.advance(by: .seconds(30))
        let command = try Command(wall, [day(1)], clock: clock)
        wall.reconciler.expectRemoval(of: [Place(Name("link 1")!, in: .top)])
        try wall.look(at: "link 1")
        try settleDelay(wall)
        command.tell()
        // A minute after the first, and not after the other.
        clock.advance(by: .seconds(40))
        for number in [2, 3] {
            try wall.remove("link \(number)")
            try wall.look(at: "link \(number)")
            try settleDelay(wall)
        }
        #expect(try wall.days == [] && wall.catalog.links(.vanished) == [])
    }

    @Test("are told of when it takes long, and not only at the end")
    func slowly() async throws {
        let wall = try await wall(links: 2)
        let catalog = try #require(try Archive.catalogBeside(root: wall.root))
        let editor = try FavoritesEditor(root: wall.root, catalog: catalog)
        var removals = OrderedRemovals(editor, clock: { clock.seconds }, now: { clock.instant })
        _ = try editor.remove(day(0), found: []) { removals.take($0) }
        #expect(try wall.days.count == 2)
        clock.advance(by: .milliseconds(1_001))
        _ = try editor.remove(day(1), found: []) { removals.take($0) }
        #expect(try wall.days == ["\(day(1))"])
        try removals.tell()
        #expect(try wall.days == [])
    }

    @Test("and could not be, stay what they are")
    func stay() async throws {
        let wall = try await wall(links: 2)
        let catalog = try #require(try Archive.catalogBeside(root: wall.root))
        var removals = OrderedRemovals(try FavoritesEditor(root: wall.root, catalog: catalog)) { clock.seconds }
        removals.take([Place(Name("link 0")!, in: .top), Place(Name("unknown")!, in: .top)])
        try removals.tell()
        #expect(try wall.favorites == ["\(day(0)): link 0", "\(day(1)): link 1"])
    }
}
