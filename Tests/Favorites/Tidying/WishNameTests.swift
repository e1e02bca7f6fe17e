import Apod
import Archive
import Catalog
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Favorites

struct WishNameTests {
    private let fixture: FavoritesFixture

    init() async throws { fixture = try await FavoritesFixture() }

    private let date = "\(FavoritesFixture.orion)"
    private let name = "2026-11-20 Orion Rising.jpg"

    @Test(
        "A link that is called by the date alone that it asks for is called like its picture when that is here, in an album too",
        arguments: ["", "a/"])
    func named(album: String) async throws {
        if album != "" { try fixture.album("a") }
        let day = november(21)
        try fixture.link("\(album)\(day)", to: "\(day)")
        try fixture.lookAndSettle()
        #expect(fixture.target("\(album)\(day)") == "\(day)")
        try await fixture.mirror.add(day, "Late Light")
        #expect(fixture.keeper.noteNewDays([day]))
        try fixture.settle()
        let file = "2026-11-21 Late Light.jpg"
        #expect(fixture.target("\(album)\(file)") == (album == "" ? "../" : "../../") + "2026/11/\(file)")
        #expect(fixture.target("\(album)\(day)") == nil)
        try fixture.lookAndSettle(to: ["\(day): \(album)\(file)"])
        #expect(try fixture.history == ["came \(day)", "moved \(day)", "came \(day)"])
    }

    @Test("A link that is called by the date alone that it asks for takes nobody's name, but a number")
    func taken() async throws {
        try fixture.link(name, to: "nowhere")
        try fixture.link("2 \(name)", to: "nowhere")
        try fixture.link(date, to: date)
        try fixture.lookAndSettle()
        #expect(fixture.target(name) == "nowhere" && fixture.target("2 \(name)") == "nowhere")
        #expect(fixture.target("3 \(name)") == FavoritesFixture.orionLink && fixture.target(date) == nil)
        #expect(try fixture.days == [date])
    }

    @Test(
        "A link that is called by the date alone that it asks for keeps its date where the picture has its link already, and takes no number however often it comes"
    )
    func again() async throws {
        for _ in 1...3 {
            try fixture.link(date, to: date)
            try fixture.lookAndSettle()
            #expect(fixture.target(name) == FavoritesFixture.orionLink && fixture.target("2 \(name)") == nil)
            try? fixture.remove(date)
        }
    }

    @Test(
        "A link that is called by the date alone that it asks for has lost no link by that: taken away at once, it comes back like its picture alone"
    )
    func takenAway() async throws {
        let clock = TestClock()
        let fixture = try await FavoritesFixture(settleDelay: .seconds(2), clock: clock)
        try fixture.link("mine", to: FavoritesFixture.orionLink)
        try fixture.lookAndSettle()
        clock.advance(by: .seconds(10))
        try fixture.link(date, to: date)
        try fixture.look()
        _ = try fixture.keeper.settle()
        #expect(try fixture.favorites == ["\(date): \(name), mine"])
        try fixture.remove(name)
        try fixture.look(at: date, name)
        clock.advance(by: .seconds(2))
        try fixture.settle()
        #expect(try fixture.favorites == ["\(date): mine"])
        #expect(try fixture.restore(.since(0)) == [name])
        #expect(fixture.target(name) == FavoritesFixture.orionLink && fixture.target(date) == nil)
    }

    @Test(
        "A link that is called by the date alone that it asks for was cut off when it had its name, and leads nowhere yet: that is done the next time"
    )
    func cutOff() async throws {
        try fixture.link(name, to: date)
        try fixture.lookAndSettle()
        #expect(fixture.target(name) == FavoritesFixture.orionLink)
        #expect(try fixture.favorites == ["\(date): \(name)"])
    }

    @Test("Any other keeps the name that somebody gave it")
    func others() async throws {
        let links = [("wish", date), ("\(FavoritesFixture.clouds)", date), (date, FavoritesFixture.orionLink)]
        for (name, target) in links { try fixture.link(name, to: target) }
        try fixture.lookAndSettle()
        for (name, _) in links { #expect(fixture.target(name) == FavoritesFixture.orionLink) }
        #expect(fixture.target(name) == nil)
    }
}
