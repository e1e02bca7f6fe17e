import Apod
import Catalog
import Glibc
import TestSupport
import Testing

@Suite("A link to a day that is not here")
struct WishTests {
    @Test("is not asked for by a sync of other days, but by the next one of all")
    func named() async throws {
        let home = try await Household(days: 1).synced()
        let day = Household.newest.advanced(by: -400)
        home.nasa.add(Entry(day, title: "A Wish"))
        try home.link("\(day)", to: "\(day)")
        try await home.run("sync", "\(Household.newest)").succeeds()
        #expect(!home.nasa.requests.contains { $0.target.contains(day.compact) })
        try await home.sync().succeeds()
        #expect(home.nasa.requests.contains { $0.target.contains(day.compact) })
    }

    @Test("is put in order as soon as its day has come, and none waits for another")
    func wishes() async throws {
        let attendance = try await Attendance()
        let nasa = attendance.household.nasa
        let (stuck, slow, last) = (
            Household.newest.advanced(by: -400), Household.newest.advanced(by: -401),
            Household.newest.advanced(by: -800)
        )
        for day in [stuck, slow, last] { nasa.add(Entry(day, title: "A Wish")) }
        nasa.alter { request, response in
            if request.path.contains(stuck.compact) { response = .hanging }
            // Later than the folder is put in order for the first time.
            if request.path.contains(slow.compact) { response.delay = .seconds(4) }
        }
        mkdir(attendance.folder, 0o755)
        for day in [stuck, slow] { try attendance.link("\(day)", to: "\(day)") }
        try await attendance.start()
        try await nasa.server.request { $0.path.contains(stuck.compact) }
        try attendance.link("\(last)", to: "\(last)")
        for day in [slow, last] {
            try await attendance.eventually(within: .seconds(12)) {
                target(of: "\(attendance.folder)/\(day) A Wish.jpg") == "../\(day.folder)/\(day) A Wish.jpg"
            }
        }
        #expect(nasa.requests.count { $0.path.contains(stuck.compact) } == 1)
        #expect(try attendance.catalog().dueFavorites(at: time(nil)) == [stuck])
        let end = ContinuousClock.now
        let outcome = try await attendance.stop()
        #expect(try outcome.status == 0 && #require(outcome.endTime) - end < .seconds(1))
    }
}
