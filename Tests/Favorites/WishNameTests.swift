import Apod
import TestSupport
import Testing

@testable import Favorites

@Suite("A link that is called by the date alone that it asks for")
struct WishNameTests {
    private let date = "\(Wall.orion)"
    private let name = "2026-11-20 Orion Rising.jpg"

    @Test("is called like its picture when that is here, in an album too", arguments: ["", "a/"])
    func named(album: String) async throws {
        let wall = try await Wall()
        if album != "" { try wall.album("a") }
        let day = Day("2026-11-21")!
        try wall.link("\(album)\(day)", to: "\(day)")
        try wall.lookAndSettle()
        #expect(wall.target("\(album)\(day)") == "\(day)")
        try await wall.shelf.add(day, "Late Light")
        #expect(wall.reconciler.noteNewDays([day]))
        try wall.settle()
        let file = "2026-11-21 Late Light.jpg"
        #expect(wall.target("\(album)\(file)") == (album == "" ? "../" : "../../") + "2026/11/\(file)")
        #expect(wall.target("\(album)\(day)") == nil)
        try wall.lookAndSettle()
        #expect(try wall.favorites == ["\(day): \(album)\(file)"])
        #expect(try wall.history == ["added \(day)"])
        // Nor is it done twice.
        try wall.lookAndSettle()
        #expect(try wall.favorites == ["\(day): \(album)\(file)"])
    }

    @Test("takes nobody's name, but a number")
    func taken() async throws {
        let wall = try await Wall()
        try wall.link(name, to: "nowhere")
        try wall.link("2 \(name)", to: "nowhere")
        try wall.link(date, to: date)
        try wall.lookAndSettle()
        #expect(wall.target(name) == "nowhere" && wall.target("2 \(name)") == "nowhere")
        #expect(wall.target("3 \(name)") == "../\(Wall.orionFile)" && wall.target(date) == nil)
        #expect(try wall.days == [date])
    }

    @Test("keeps its date where the picture has its link already, and takes no number however often it comes")
    func again() async throws {
        let wall = try await Wall()
        for _ in 1...3 {
            try wall.link(date, to: date)
            try wall.lookAndSettle()
            #expect(wall.target(name) == "../\(Wall.orionFile)" && wall.target("2 \(name)") == nil)
            try? wall.remove(date)
        }
    }

    @Test("was cut off when it had its name, and leads nowhere yet: that is done the next time")
    func cutOff() async throws {
        let wall = try await Wall()
        try wall.link(name, to: date)
        try wall.lookAndSettle()
        #expect(wall.target(name) == "../\(Wall.orionFile)")
        #expect(try wall.favorites == ["\(date): \(name)"])
    }

    @Test("Any other keeps the name that somebody gave it")
    func others() async throws {
        let wall = try await Wall()
        let links = [("wish", date), ("\(Wall.clouds)", date), (date, "../\(Wall.orionFile)")]
        for (name, target) in links { try wall.link(name, to: target) }
        try wall.lookAndSettle()
        for (name, _) in links { #expect(wall.target(name) == "../\(Wall.orionFile)") }
        #expect(wall.target(name) == nil)
    }

    @Test("stays as it is where nothing is to be put in order")
    func unadopted() async throws {
        let wall = try await Wall(adopts: false)
        try wall.link(date, to: date)
        try wall.lookAndSettle()
        #expect(wall.target(date) == date && wall.target(name) == nil)
        #expect(try wall.favorites == ["\(date): \(date)"])
    }
}
