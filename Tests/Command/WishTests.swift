import Apod
import Archive
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

    @Test("is put in order as soon as its day has come, and left alone for a while if that cannot be had")
    func wishes() async throws {
        let attendance = try await Attendance()
        let nasa = attendance.household.nasa
        let (missing, slow, last) = (
            Household.newest.advanced(by: -400), Household.newest.advanced(by: -401),
            Household.newest.advanced(by: -800)
        )
        for day in [missing, slow, last] { nasa.add(Entry(day, title: "A Wish")) }
        nasa.alter { request, response in
            if request.path.contains(missing.compact) { response = Response(status: 404) }
            // Later than the folder is put in order for the first time.
            if request.path.contains(slow.compact) { response.delay = .seconds(4) }
        }
        func comes(_ day: Day) async throws {
            try attendance.link("\(day)", to: "\(day)")
            try await attendance.eventually(within: .seconds(12)) {
                target(of: "\(attendance.folder)/\(day) A Wish.jpg") == "../\(day.folder)/\(day) A Wish.jpg"
            }
        }
        func requests() -> Int { nasa.requests.count { $0.path.contains(missing.compact) } }
        mkdir(attendance.folder, 0o755)
        try attendance.link("\(missing)", to: "\(missing)")
        try await attendance.start()
        try await comes(slow)
        let asked = requests()
        try await comes(last)
        #expect(asked > 0 && requests() == asked)
        #expect(try attendance.catalog().due(among: attendance.log.known.days, at: time(nil)) == [missing])
        #expect(try await attendance.stop().status == 0)
    }
}
