import Apod
import Glibc
import Store
import Synchronization
import TestSupport
import Testing

@testable import Favorites

struct WishNameTests {
    private let fixture: FavoritesFixture

    init() async throws { fixture = try await FavoritesFixture() }

    private let date = "\(FavoritesFixture.orion)"
    private let name = "2026-11-20 Orion Rising.jpg"

    @Test("A wish takes nobody's name, but a number")
    func taken() async throws {
        try fixture.link(name, to: "nowhere")
        try fixture.link("2 \(name)", to: "nowhere")
        try fixture.link(date, to: date)
        try fixture.lookAndSettle()
        #expect(fixture.target(name) == "nowhere" && fixture.target("2 \(name)") == "nowhere")
        #expect(fixture.target("3 \(name)") == FavoritesFixture.orionLink && fixture.target(date) == nil)
        #expect(try fixture.days == [date])
    }

    @Test("A wish keeps its date where the picture has its link already, however often it comes")
    func again() async throws {
        for _ in 1...3 {
            try fixture.link(date, to: date)
            try fixture.lookAndSettle()
            #expect(fixture.target(name) == FavoritesFixture.orionLink && fixture.target("2 \(name)") == nil)
            try? fixture.remove(date)
        }
    }
}
