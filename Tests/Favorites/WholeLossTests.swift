import Apod
import Files
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Catalog
@testable import Favorites

@Suite("A loss")
struct WholeLossTests {
    private let clock = TestClock()

    private func run(_ statement: String, on wall: Wall) throws {
        try wall.catalog.database.withLock { database throws(StorageError) in try database.run(statement) }
    }

    @Test("is remembered with what went right before it, or not at all", arguments: [true, false])
    func atOnce(whileNobodyLooks: Bool) async throws {
        let wall = try await Wall(settleDelay: .seconds(2), clock: clock)
        let days = (0..<6).map { Day("2019-04-01")!.advanced(by: $0) }
        for day in days { try wall.link("\(day)", to: "\(day)") }
        try wall.lookAndSettle()
        try wall.remove("\(days[0])")
        try wall.look(at: "\(days[0])")
        clock.advance(by: .seconds(2))
        try wall.settle()
        #expect(try wall.days == days.dropFirst().map(\.description))
        if whileNobodyLooks {
            for day in days.dropFirst() { try wall.remove("\(day)") }
            try await wall.restart()
        } else {
            rename(wall.folder, wall.shelf.folder.appending("aside"))
            mkdir(wall.folder, 0o755)
        }
        // As when it is killed before the last step.
        try run("CREATE TRIGGER killed BEFORE DELETE ON removed BEGIN SELECT RAISE(ABORT, 'killed'); END", on: wall)
        #expect(throws: (any Error).self) { try wall.look() }
        #expect(try wall.catalog.links(.vanished).isEmpty)
        try run("DROP TRIGGER killed", on: wall)
        try await wall.restart()
        try wall.look()
        #expect(try wall.days == days.map(\.description))
        #expect(try wall.catalog.links(.vanished).count == 6)
        #expect(wall.reconciler.takeVanished() == 6)
    }

    @Test("can follow right after few were there, and one of them was removed", arguments: [1, 2])
    func afterFew(there: Int) async throws {
        let wall = try await Wall(settleDelay: .seconds(2), clock: clock)
        let first = (0..<there).map { "\(Day("2019-04-01")!.advanced(by: $0))" }
        for name in first { try wall.link(name, to: name) }
        try wall.lookAndSettle()
        func takeAway(_ names: [String]) throws {
            for name in names {
                try wall.remove(name)
                try wall.look(at: name)
            }
            clock.advance(by: .seconds(2))
            try wall.settle()
        }
        try takeAway([first[0]])
        #expect(try wall.catalog.links(.vanished).isEmpty)
        let more = (0..<5).map { "\(Day("2019-05-01")!.advanced(by: $0))" }
        for name in more {
            try wall.link(name, to: name)
            try wall.look(at: name)
        }
        try takeAway([more[0]])
        #expect(try wall.catalog.links(.vanished).isEmpty)
        try takeAway(Array(first.dropFirst()) + more.dropFirst())
        #expect(try wall.days == first + more)
        #expect(try wall.catalog.links(.vanished).count == there + 5)
    }
}
