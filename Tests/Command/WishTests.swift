import Apod
import Archive
import Catalog
import Glibc
import TestSupport
import Testing

struct WishTests {
    @Test("A link to a day that is not here is not asked for by a sync of other days, but by the next one of all")
    func named() async throws {
        let home = try await CommandSandbox(days: 1).synced()
        let day = CommandSandbox.newest.advanced(by: -400)
        home.nasa.add(Entry(day, title: "A Wish"))
        try home.link("\(day)", to: "\(day)")
        try await home.run("sync", "\(CommandSandbox.newest)").succeeds()
        #expect(!home.nasa.requests.contains { $0.target.contains(day.compact) })
        try await home.sync().succeeds()
        #expect(home.nasa.requests.contains { $0.target.contains(day.compact) })
    }

    @Test(
        "A link to a day that is not here is put in order as soon as its day has come, and left alone for a while if that cannot be had"
    )
    func wishes() async throws {
        let mirror = try await ServiceSandbox()
        let nasa = mirror.sandbox.nasa
        let (missing, slow, last) = (
            CommandSandbox.newest.advanced(by: -400), CommandSandbox.newest.advanced(by: -401),
            CommandSandbox.newest.advanced(by: -800)
        )
        for day in [missing, slow, last] { nasa.add(Entry(day, title: "A Wish")) }
        nasa.alter { request, response in
            if request.path.contains(missing.compact) { response = Response(status: 404) }
            // Later than the folder is put in order for the first time.
            if request.path.contains(slow.compact) { response.delay = .seconds(4) }
        }
        func comes(_ day: Day) async throws {
            try mirror.link("\(day)", to: "\(day)")
            try await mirror.eventually(within: .seconds(12)) {
                target(of: "\(mirror.folder)/\(day) A Wish.jpg") == "../\(day.folder)/\(day) A Wish.jpg"
            }
        }
        func requests() -> Int { nasa.requests.count { $0.path.contains(missing.compact) } }
        mkdir(mirror.folder, 0o755)
        try mirror.link("\(missing)", to: "\(missing)")
        try await mirror.start()
        try await comes(slow)
        let asked = requests()
        try await comes(last)
        #expect(asked > 0 && requests() == asked)
        #expect(try mirror.catalog().due(among: mirror.log.known.days, at: time(nil)) == [missing])
        #expect(try await mirror.stop().status == 0)
    }
}
