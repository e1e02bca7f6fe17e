import Apod
import Glibc
import Store
import TestSupport
import Testing

struct ControlTests {
    private let newest = CommandSandbox.newest

    @Test("A sync by a service says what could not be done, though what came after that could")
    func failureFirst() async throws {
        let mirror = try await ServiceSandbox(days: 1)
        let sandbox = mirror.sandbox
        let program = try await mirror.start()
        let (day, wish) = (newest.advanced(by: -60), newest.advanced(by: -70))
        for day in [day, wish] { sandbox.nasa.add(Entry(day)) }
        // The service leaves it to others to ask for that.
        sandbox.nasa.intercept = { $0.target.contains(wish.compact) ? .html(429, retryAfter: "3600") : nil }
        try mirror.link("mine", to: "\(wish)")
        try await program.complained("asks for a pause of 3600 s")
        sandbox.nasa.intercept = { request in
            request.path.hasSuffix(".jpg") && request.path.contains(day.compact) ? .html(404) : nil
        }
        let news = "favorites: 1 fetched; `apod-mirror favorites list` shows them"
        let sum = ": 1 fetched, 1 failed; the service tries again\n\(news)\n"
        try await sandbox.run("sync", "--since", "\(day)", "--until", "\(day)").fails(
            output: .containing("\(wish) "), .ending(sum), errors: .containing("\(day) failed"))
        sandbox.nasa.server.stop()
        #expect(try await sandbox.run("sync").output.hasSuffix("; the service tries again\n"))
        try await sandbox.run("sync", "--since", "\(day.advanced(by: -1))").says(
            output: .ending(" still missing; the same command tries again\n"))
    }

    /// Where only what is searched stands, so that nobody stumbles over it.
    private func damageCatalog(_ mirror: ServiceSandbox) throws {
        let path = mirror[".apod-mirror/catalog.sqlite"]
        let metadata = try mirror.picture(0).replacing(".jpg", with: ".json")
        let text = try #require(try JSONText(contents(mirror[metadata]))["explanation"]?.string)
        // What is in the log goes to its place when the catalog is closed.
        _ = try Catalog(in: mirror.root)
        var bytes = try contents(path)
        let page = try #require(bytes.firstRange(of: Array(text.utf8.prefix(100)))).lowerBound / 4096
        bytes.replaceSubrange(page * 4096..<(page + 1) * 4096, with: repeatElement(0xee, count: 4096))
        try save(bytes, to: path)
    }

    @Test("A service sets a catalog aside in which verify met damage")
    func damagedCatalog() async throws {
        let mirror = try await ServiceSandbox()
        let sandbox = mirror.sandbox
        try damageCatalog(mirror)
        let program = try await mirror.rested()
        try mirror.link("mine", to: "../\(try mirror.picture(1))")
        try await mirror.listSays("2019-04-29: mine")
        let verify = try await sandbox.run("verify")
        verify.fails(errors: .containing("the service or the next sync sets it aside"))
        try await sandbox.sync().fails(errors: .containing("run the same command again in a moment\n"))
        try await program.outcome { $0.output.ranges(of: "watching ").count == 2 }
        try await sandbox.sync().succeeds(errors: "")
        try await sandbox.run("verify").succeeds()
        #expect(Facts(mirror[".apod-mirror/catalog.sqlite.aside"]) != nil)
        #expect(try mirror.list().contains("2019-04-29: mine"))
        #expect(program.outcome.end == nil)
    }
}
