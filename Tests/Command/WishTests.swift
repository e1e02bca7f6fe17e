import Apod
import Archive
import Catalog
import Glibc
import TestSupport
import Testing

struct WishTests {
    @Test("A wish is put in order when its day comes, and left alone for a while if it cannot be had")
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
