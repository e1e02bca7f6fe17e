import Apod
import Archive
import Catalog
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Favorites

@Suite("A link that is called by the date alone that it asks for")
struct WishNameTests {
    private let wall: Wall

    init() async throws { wall = try await Wall() }

    private let date = "\(Wall.orion)"
    private let name = "2026-11-20 Orion Rising.jpg"

    @Test("is called like its picture when that is here, in an album too", arguments: ["", "a/"])
    func named(album: String) async throws {
        if album != "" { try wall.album("a") }
        let day = november(21)
        try wall.link("\(album)\(day)", to: "\(day)")
        try wall.lookAndSettle()
        #expect(wall.target("\(album)\(day)") == "\(day)")
        try await wall.shelf.add(day, "Late Light")
        #expect(wall.reconciler.noteNewDays([day]))
        try wall.settle()
        let file = "2026-11-21 Late Light.jpg"
        #expect(wall.target("\(album)\(file)") == (album == "" ? "../" : "../../") + "2026/11/\(file)")
        #expect(wall.target("\(album)\(day)") == nil)
        try wall.lookAndSettle(to: ["\(day): \(album)\(file)"])
        #expect(try wall.history == ["came \(day)", "moved \(day)", "came \(day)"])
    }

    @Test("takes nobody's name, but a number")
    func taken() async throws {
        try wall.link(name, to: "nowhere")
        try wall.link("2 \(name)", to: "nowhere")
        try wall.link(date, to: date)
        try wall.lookAndSettle()
        #expect(wall.target(name) == "nowhere" && wall.target("2 \(name)") == "nowhere")
        #expect(wall.target("3 \(name)") == Wall.orionLink && wall.target(date) == nil)
        #expect(try wall.days == [date])
    }

    @Test("keeps its date where the picture has its link already, and takes no number however often it comes")
    func again() async throws {
        for _ in 1...3 {
            try wall.link(date, to: date)
            try wall.lookAndSettle()
            #expect(wall.target(name) == Wall.orionLink && wall.target("2 \(name)") == nil)
            try? wall.remove(date)
        }
    }

    @Test("gives back what somebody has put in its place just before")
    func quicker() async throws {
        let path = wall[name]
        try wall.open { point in
            guard case .renamed = point else { return }
            unlink(path)
            symlink("nowhere", path)
        }
        try wall.link(date, to: date)
        try wall.look()
        _ = try wall.reconciler.settle()
        #expect(wall.target(date) == "nowhere" && wall.target(name) == nil)
    }

    /// When it is taken away.
    enum Removal: CaseIterable { case whenRenamed, beforeItLeadsElsewhere, afterwards }

    /// `isSeenAtOnce`: the watcher tells of its new name before the mirror has noted that.
    @Test(
        "has lost no link by that: taken away at once, it comes back like its picture alone", arguments: [true, false],
        Removal.allCases)
    func takenAway(isSeenAtOnce: Bool, removal: Removal) async throws {
        let clock = TestClock()
        let wall = try await Wall(settleDelay: .seconds(2), clock: clock)
        let path = wall[name]
        let places = Set([date, name].map(Place.init(stringLiteral:)))
        let reconciler = Mutex<Reconciler?>(nil)
        try wall.open { point in
            switch point {
            case .renamed:
                if isSeenAtOnce { try? reconciler.withLock(\.self)?.note(.places(places)) }
                if removal == .whenRenamed { unlink(path) }
            case .replacing: if removal == .beforeItLeadsElsewhere { unlink(path) }
            default: break
            }
        }
        reconciler.withLock { $0 = wall.reconciler }
        try wall.link("mine", to: Wall.orionLink)
        try wall.lookAndSettle()
        clock.advance(by: .seconds(10))
        try wall.link(date, to: date)
        try wall.look()
        _ = try wall.reconciler.settle()
        if removal == .afterwards {
            #expect(try wall.favorites == ["\(date): \(name), mine"])
            try wall.remove(name)
        }
        try wall.look(at: date, name)
        clock.advance(by: .seconds(2))
        try wall.settle()
        #expect(try wall.favorites == ["\(date): mine"])
        let restored = try wall.restore(.since(0))
        #expect(restored == [name])
        #expect(wall.target(name) == Wall.orionLink && wall.target(date) == nil)
        reconciler.withLock { $0 = nil }
    }

    @Test("was cut off when it had its name, and leads nowhere yet: that is done the next time")
    func cutOff() async throws {
        try wall.link(name, to: date)
        try wall.lookAndSettle()
        #expect(wall.target(name) == Wall.orionLink)
        #expect(try wall.favorites == ["\(date): \(name)"])
    }

    @Test("Any other keeps the name that somebody gave it")
    func others() async throws {
        let links = [("wish", date), ("\(Wall.clouds)", date), (date, Wall.orionLink)]
        for (name, target) in links { try wall.link(name, to: target) }
        try wall.lookAndSettle()
        for (name, _) in links { #expect(wall.target(name) == Wall.orionLink) }
        #expect(wall.target(name) == nil)
    }
}
