import Apod
import Archive
import Catalog
import Glibc
import TestSupport
import Testing

struct ControlTests {
    private let newest = CommandSandbox.newest

    @Test(
        "Commands beside a running service sync says what it says alone of favorites that it has fetched, and of what is none"
    )
    func favoritesNews() async throws {
        let mirror = try await ServiceSandbox(days: 1)
        let sandbox = mirror.sandbox
        let day = newest.advanced(by: -400)
        try sandbox.write("mine", to: "APOD/favorites/own.txt")
        try await sandbox.run("favorites", "add", "\(day)").succeeds()
        // For a while, the service does not ask again by itself.
        try await sandbox.run("sync", "\(day)").fails()
        sandbox.nasa.add(Entry(day, title: "A Wish"))
        try await mirror.rested()
        let sync = try await sandbox.run("sync", "\(day)")
        let fetched = "favorites: 1 fetched; `apod-mirror favorites list` shows them\n"
        let left = "in favorites, 1 thing is no favorite and stays as it is; `apod-mirror status` says why\n"
        sync.succeeds(output: .ending(": 1 fetched\n\(fetched)\(left)"))
        #expect(try await sandbox.run("sync", "\(day)").output.hasSuffix("nothing new, 1 unchanged\n\(left)"))
    }

    @Test(
        "Commands beside a running service sync says that something could not be done, though what came after that could"
    )
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

    @Test(
        "Commands beside a running service take the same options beside a service and without one, and sync fetches as they say",
        arguments: [true, false])
    func options(isServed: Bool) async throws {
        let mirror = try await ServiceSandbox(days: 1)
        let home = mirror.sandbox
        let day = CommandSandbox.newest.advanced(by: -1)
        home.nasa.add(Entry(day))
        if isServed { try await mirror.rested() }
        func sync(_ options: String...) async throws -> Program.Outcome {
            try await home.run(["sync", "\(day)"] + options)
        }
        func isHere() async throws -> Bool {
            try await home.files().contains { $0.contains("\(day)") && $0.hasSuffix(".jpg") }
        }
        try await sync("--upstream", "http://127.0.0.1:9").fails(errors: .containing("127.0.0.1: cannot be reached"))
        try await sync("--max-file", "10K").fails()
        #expect(try await isHere() == false)
        try await sync().succeeds()
        #expect(try await isHere())
    }

    @Test("Commands beside a running service status tells what the service does")
    func status() async throws {
        let mirror = try await ServiceSandbox(days: 1)
        let program = try await mirror.rested()
        let status = try await mirror.sandbox.json("status")
        let service = try #require(status["service"])
        #expect(service["process"]?.integer == Int(program.id))
        #expect(status["root"]?.string == mirror.root)
        #expect(status["conditions"]?.text == "[]" && service["doing"]?.text == "[]")
        // Few enough for a person to know them.
        #expect((status.members?.count ?? 99) + (service.members?.count ?? 99) <= 33)
        #expect(service["settings"]?["keep"]?.string == "forever")
        #expect(service["settings"]?["since"]?.string == "2019-04-01" && service["settings"]?["rate"]?.string == "0")
        _ = try await mirror.stop()
        let after = try await mirror.sandbox.json("status")
        #expect(after["service"]?.text == "null")
        #expect(listing(mirror[".apod-mirror"]).allSatisfy { !$0.contains("control") })
        #expect(Facts(mirror[".apod-mirror/running"])?.bytes == 0)
    }

    @Test("Commands beside a running service status goes by what the service has read, and not by settings of its own")
    func settings() async throws {
        let mirror = try await ServiceSandbox(days: 1)
        let sandbox = mirror.sandbox
        try await mirror.rested()
        let others = ["since=2019-03-01", "upstream=http://127.0.0.1:9", "gallery=yes"]
        for words in [[], others] {
            let status = try await sandbox.json(["status"] + words)
            #expect(status["missing"]?.integer == 0 && status["without_thumbnails"]?.integer == 0, "\(words)")
        }
        _ = try await mirror.stop()
        let alone = try await sandbox.json(["status"] + others)
        #expect(alone["missing"]?.integer == 31 && alone["without_thumbnails"]?.integer == 1)
    }

    @Test("Commands beside a running service status and config tell where the service has read its settings")
    func settingsFiles() async throws {
        let mirror = try await ServiceSandbox(days: 1)
        let sandbox = mirror.sandbox
        let script = "cd '\(sandbox.folder.path)'; exec \"$1\" run --config mirror.conf"
        try await mirror.start(by: script)
        let file = sandbox.configuration
        // Whatever the command itself reads.
        let words = ["--config", "/dev/null", "--root", mirror.root]
        func run(_ words: [String]) async throws -> Program.Outcome {
            try await Program.run(CommandSandbox.program, words, environment: sandbox.environment, limit: .seconds(180))
        }
        #expect(try await run(["status"] + words).output.contains("\nsettings      from \(file)\n"))
        let json = try await run(["status", "--json"] + words).json()
        #expect(json["service"]?["settings_file"]?.string == file)
        let line = "# the running service reads \(file)\n"
        #expect(try await run(["config"] + words).output.hasSuffix("\n\(line)"))
        _ = try await mirror.stop()
        #expect(try await run(["config"] + words).output.contains("running service") == false)
    }

    @Test("Commands beside a running service status tells once that the favorites folder is lost")
    func lost() async throws {
        let mirror = try await ServiceSandbox()
        let program = try await mirror.start()
        let sandbox = mirror.sandbox
        try await sandbox.run("favorites", "add", "\(newest)").succeeds()
        #expect(rename(mirror.folder, sandbox.folder.appending("away")) == 0)
        try await program.outcome { $0.output.contains(" is missing") || $0.errors.contains(" is missing") }
        let status = try await sandbox.json("status")
        #expect(status["watching"]?.string == "lost")
        #expect(status.conditions("folder-lost").count == 1 && status.conditions("trouble").isEmpty, "\(status)")
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

    @Test(
        "Commands beside a running service a catalog in which verify meets damage is set aside when the service is asked for something"
    )
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
