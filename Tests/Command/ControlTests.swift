import Apod
import Archive
import Catalog
import Glibc
import TestSupport
import Testing

@Suite("Commands beside a running service")
struct ControlTests {
    private let newest = Household.newest

    @Test("sync lets the service do the work, and says what it says when it works alone")
    func sync() async throws {
        // Older than what the service asks for by itself.
        let days = Entry.days(4, newest: newest.advanced(by: -50))
        let range = ["--since", "\(newest.advanced(by: -53))", "--until", "\(newest.advanced(by: -50))"]
        let attendance = try await Attendance(days: 1)
        let program = try await attendance.start()
        for entry in days { attendance.household.nasa.add(entry) }
        let beside = try await attendance.household.sync(range)
        #expect(beside.status == 0 && beside.errors == "")
        #expect(beside.output.hasPrefix("4 days to fetch\n") && beside.output.hasSuffix(": 4 fetched\n"))
        #expect(program.outcome.output.contains("\(newest.advanced(by: -50)) "))
        // What somebody has taken away is back, though nothing is new.
        let latest = TestSupport.target(of: "\(attendance.root)/latest")
        #expect(latest != nil && unlink("\(attendance.root)/latest") == 0)
        #expect(try await attendance.household.sync(range).output == "nothing new\n")
        #expect(TestSupport.target(of: "\(attendance.root)/latest") == latest)
        #expect(try await attendance.household.run("verify").status == 0)
        #expect(try await attendance.stop().errors == "")
        let household = try Household(days)
        let alone = try await household.sync(range).output.replacing(household.root, with: attendance.root)
        #expect(alone.split(separator: "\n").sorted() == beside.output.split(separator: "\n").sorted())
    }

    @Test(
        "sync says what it says alone of favorites that it has fetched, and of what is none", arguments: [true, false])
    func favoritesNews(besideService: Bool) async throws {
        let attendance = try await Attendance(days: 1)
        let household = attendance.household
        let day = newest.advanced(by: -400)
        try household.write("mine", to: "APOD/favorites/own.txt")
        #expect(try await household.run("favorites", "add", "\(day)").status == 0)
        // For a while, the service does not ask again by itself.
        #expect(try await household.run("sync", "\(day)").status == 1)
        household.nasa.add(TestSupport.Entry(day, title: "A Wish"))
        if besideService { try await attendance.rested() }
        let sync = try await household.run("sync", "\(day)")
        let fetched = "favorites: 1 fetched; `apod-mirror favorites list` shows them\n"
        let left = "in favorites, 1 thing is no favorite and stays as it is; `apod-mirror status` says why\n"
        #expect(sync.status == 0 && sync.output.hasSuffix(": 1 fetched\n\(fetched)\(left)"), "\(sync)")
        #expect(try await household.run("sync", "\(day)").output.hasSuffix("nothing new, 1 unchanged\n\(left)"))
    }

    @Test("sync lets the service bring back what tells file managers what not to show")
    func hidden() async throws {
        let attendance = try await Attendance(days: 1)
        let path = "\(attendance.root)/2019/04/.hidden"
        let before = try contents(path)
        try await attendance.rested()
        #expect(unlink(path) == 0)
        #expect(try await attendance.household.run("sync").status == 0)
        #expect(try contents(path) == before)
    }

    @Test("sync fetches days by their dates, and says which there are not")
    func dates() async throws {
        let attendance = try await Attendance(days: 1)
        let day = newest.advanced(by: -700)
        attendance.household.nasa.add(TestSupport.Entry(day, title: "Long Ago"))
        try await attendance.start()
        let missing = newest.advanced(by: -701)
        let outcome = try await attendance.household.run("sync", "\(day)", "\(missing)")
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("\(day) Long Ago") && outcome.output.hasSuffix("1 fetched\n"))
        let words = "NASA has no picture for \(missing); some days have none; leave this one out"
        #expect(outcome.errors == "apod-mirror: \(words)\n")
        #expect(try await attendance.household.files().contains("\(day.folder)/\(day) Long Ago.jpg"))
    }

    @Test("sync says that something could not be done, though what came after that could")
    func failureFirst() async throws {
        let attendance = try await Attendance(days: 1)
        let household = attendance.household
        let program = try await attendance.start()
        let (day, wish) = (newest.advanced(by: -60), newest.advanced(by: -70))
        for day in [day, wish] { household.nasa.add(TestSupport.Entry(day)) }
        // The service leaves it to others to ask for that.
        household.nasa.intercept = { $0.target.contains(wish.compact) ? .html(429, retryAfter: "3600") : nil }
        try attendance.link("mine", to: "\(wish)")
        try await program.outcome { $0.errors.contains("asks to wait 3600 s") }
        household.nasa.intercept = { request in
            request.path.hasSuffix(".jpg") && request.path.contains(day.compact) ? .html(404) : nil
        }
        let outcome = try await household.run("sync", "--since", "\(day)", "--until", "\(day)")
        #expect(outcome.status == 1 && outcome.errors.contains("\(day) failed"), "\(outcome)")
        let news = "favorites: 1 fetched; `apod-mirror favorites list` shows them"
        let sum = ": 1 fetched, 1 failed; the service tries again\n\(news)\n"
        #expect(outcome.output.contains("\n\(wish) ") && outcome.output.hasSuffix(sum), "\(outcome)")
        household.nasa.server.stop()
        #expect(try await household.run("sync").output.hasSuffix("; the service tries again\n"))
        let earlier = try await household.run("sync", "--since", "\(day.advanced(by: -1))")
        #expect(earlier.output.hasSuffix(" still missing; the same command tries again\n"), "\(earlier)")
    }

    @Test("sync says in usual words what is wrong with what it is asked")
    func mistakes() async throws {
        let attendance = try await Attendance(days: 1)
        try await attendance.start()
        let order = try await attendance.household.run("sync", "--since", "2019-04-20", "--until", "2019-04-10")
        #expect(order.status == 2 && order.errors.contains("--until 2019-04-10 is before --since 2019-04-20"))
    }

    @Test("take the same options beside a service and without one")
    func options() async throws {
        let attendance = try await Attendance(days: 1)
        try await attendance.start()
        let day = "\(Household.newest)"
        let wrong = [
            ["sync", "--keep", "3d"], ["sync", day, "--gallery", "no"], ["favorites", "add", day, "--rate", "5"],
            ["thumbnails", "--thumbnails", "no"], ["verify", "--repair", "--rate", "5"], ["prune", "--keep", "3d"],
            ["status", "--since", day], ["show", "--videos", "poster"],
        ]
        for isServed in [true, false] {
            for words in wrong {
                let outcome = try await attendance.household.shell("exec \"$@\"", words)
                #expect(outcome.status == 2 && outcome.output.isEmpty, "\(words): \(outcome)")
                #expect(outcome.errors.contains("\(words[0]) has "), "\(words): \(outcome)")
            }
            if isServed { _ = try await attendance.stop() }
        }
    }

    @Test("sync fetches as its options say, also where a service does it", arguments: [true, false])
    func fetching(isServed: Bool) async throws {
        let attendance = try await Attendance(days: 1)
        let home = attendance.household
        let day = Household.newest.advanced(by: -1)
        home.nasa.add(Entry(day))
        if isServed { try await attendance.rested() }
        func sync(_ options: String...) async throws -> Program.Outcome {
            try await home.shell("exec \"$@\"", ["sync", "\(day)"] + options)
        }
        func isHere() async throws -> Bool {
            try await home.files().contains { $0.contains("\(day)") && $0.hasSuffix(".jpg") }
        }
        let elsewhere = try await sync("--upstream", "http://127.0.0.1:9")
        #expect(elsewhere.status == 1 && elsewhere.errors.contains("127.0.0.1 cannot be reached"), "\(elsewhere)")
        let small = try await sync("--max-file", "10K")
        #expect(small.status == 1, "\(small)")
        #expect(try await isHere() == false)
        let usual = try await sync()
        #expect(usual.status == 0, "\(usual)")
        #expect(try await isHere())
    }

    @Test("status tells what the service does")
    func status() async throws {
        let attendance = try await Attendance(days: 1)
        let program = try await attendance.rested()
        let status = try await attendance.household.run("status", "--json").json()
        let service = try #require(status["service"])
        #expect(service["process"]?.integer == Int(program.id))
        #expect(status["root"]?.string == attendance.root)
        #expect(status["conditions"]?.text == "[]" && service["doing"]?.text == "[]")
        // Few enough for a person to know them.
        #expect((status.members?.count ?? 99) + (service.members?.count ?? 99) <= 30)
        #expect(service["settings"]?["keep"]?.string == "forever")
        #expect(service["settings"]?["since"]?.string == "2019-04-01" && service["settings"]?["rate"]?.string == "0")
        _ = try await attendance.stop()
        let after = try await attendance.household.run("status", "--json").json()
        #expect(after["service"]?.text == "null")
        #expect(listing("\(attendance.root)/.apod-mirror").allSatisfy { !$0.contains("control") })
        #expect(Facts("\(attendance.root)/.apod-mirror/running")?.bytes == 0)
    }

    @Test("status goes by what the service has read, and not by settings of its own")
    func settings() async throws {
        let attendance = try await Attendance(days: 1)
        let household = attendance.household
        try await attendance.rested()
        let others = ["since=2019-03-01", "upstream=http://127.0.0.1:9", "gallery=yes"]
        for words in [[], others] {
            let status = try await household.shell("exec \"$@\"", ["status", "--json"] + words).json()
            #expect(status["missing"]?.integer == 0 && status["without_thumbnails"]?.integer == 0, "\(words)")
        }
        _ = try await attendance.stop()
        let alone = try await household.shell("exec \"$@\"", ["status", "--json"] + others).json()
        #expect(alone["missing"]?.integer == 31 && alone["without_thumbnails"]?.integer == 1)
    }

    @Test("status and config tell where the service has read its settings")
    func settingsFiles() async throws {
        let attendance = try await Attendance(days: 1)
        let household = attendance.household
        let script = "cd '\(household.folder.path)'; exec \"$1\" run --config mirror.conf"
        try await attendance.start(by: script, saying: "watching ")
        let file = household.configuration
        // Whatever the command itself reads.
        let words = ["--config", "/dev/null", "--root", attendance.root]
        func run(_ words: [String]) async throws -> Program.Outcome {
            try await Program.run(Household.program, words, environment: household.environment, limit: .seconds(20))
        }
        #expect(try await run(["status"] + words).output.contains("\nsettings      from \(file)\n"))
        let json = try await run(["status", "--json"] + words).json()
        #expect(json["service"]?["settings_file"]?.string == file)
        let line = "# the running service reads \(file)\n"
        #expect(try await run(["config"] + words).output.hasSuffix("\n\(line)"))
        _ = try await attendance.stop()
        #expect(try await run(["config"] + words).output.contains("running service") == false)
    }

    @Test("favorites are changed completely when the command returns")
    func favorites() async throws {
        let attendance = try await Attendance()
        try await attendance.start()
        let name = try #require(try attendance.picture(0).split(separator: "/").last)
        let household = attendance.household
        let added = try await household.run("favorites", "add", "\(newest)")
        #expect(added.output == "made favorites/\(name)\n" && added.errors == "" && added.status == 0)
        #expect(try attendance.count() == 1)
        #expect(try attendance.list() == ["2019-04-30: \(name)"])
        let removed = try await household.run("favorites", "remove", "\(newest)", "\(newest.advanced(by: -1))")
        #expect(removed.output == "removed favorites/\(name)\n" && removed.status == 1)
        #expect(removed.errors == "apod-mirror: 2019-04-29 has no link in favorites\n")
        #expect(try attendance.catalog().favorites().isEmpty)
        #expect(try attendance.list() == [])
        let restored = try await household.run("favorites", "restore", "--json", "\(newest)")
        #expect(try JSONText(restored.outputBytes).elements?.first?["change"]?.string == "made")
    }

    @Test("a day that is asked for as a favorite is fetched")
    func wish() async throws {
        let attendance = try await Attendance(days: 1)
        let day = newest.advanced(by: -500)
        attendance.household.nasa.add(TestSupport.Entry(day, title: "A Wish"))
        try await attendance.start()
        let added = try await attendance.household.run("favorites", "add", "\(day)")
        #expect(added.output == "made favorites/\(day)\n\(day) is not here; the service asks for it\n")
        try await attendance.eventually {
            TestSupport.target(of: attendance.path("\(day) A Wish.jpg")) == "../\(day.folder)/\(day) A Wish.jpg"
        }
    }

    @Test("verify lets the service repair what it finds", arguments: [true, false])
    func repair(asJSON: Bool) async throws {
        let attendance = try await Attendance(days: 4)
        let program = try await attendance.start()
        let household = attendance.household
        let words = ["verify", "--repair"] + (asJSON ? ["--json"] : [])
        #expect(try await household.shell("exec \"$@\"", words).status == 0)
        unlink("\(attendance.root)/\(try attendance.picture(0))")
        truncate("\(attendance.root)/\(try attendance.picture(1))", 100)
        let outcome = try await household.shell("exec \"$@\"", words)
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.output.contains("was missing, and was") && outcome.output.contains("was damaged, and was"))
        if asJSON {
            #expect(try outcome.json()["repaired"]?.integer == 2)
        } else {
            #expect(outcome.output.contains("2 fetched\n") && outcome.output.hasSuffix("2 repaired\n"))
        }
        #expect(try await household.run("verify").status == 0)
        #expect(program.outcome.output.contains("2019-04-29 "))
    }

    /// Where only what is searched stands, so that nobody stumbles over it.
    private func damageCatalog(_ attendance: Attendance) throws {
        let path = "\(attendance.root)/.apod-mirror/catalog.sqlite"
        let metadata = try attendance.picture(0).replacing(".jpg", with: ".json")
        let text = try #require(try JSONText(contents("\(attendance.root)/\(metadata)"))["explanation"]?.string)
        // What is in the log goes to its place when the catalog is closed.
        _ = try Catalog(in: attendance.root)
        var bytes = try contents(path)
        let page = try #require(bytes.firstRange(of: Array(text.utf8.prefix(100)))).lowerBound / 4096
        bytes.replaceSubrange(page * 4096..<(page + 1) * 4096, with: repeatElement(0xee, count: 4096))
        try save(bytes, to: path)
    }

    @Test(
        "a catalog in which verify meets damage is set aside when the service is asked for something",
        arguments: [["sync", "--until", "2019-04-30"], ["favorites", "add", "2019-04-30"]])
    func damagedCatalog(words: [String]) async throws {
        let attendance = try await Attendance()
        let household = attendance.household
        try damageCatalog(attendance)
        let program = try await attendance.rested()
        try attendance.link("mine", to: "../\(try attendance.picture(1))")
        try await attendance.listSays("2019-04-29: mine")
        let verify = try await household.run("verify")
        #expect(verify.status == 1 && verify.errors.contains("the service or the next sync sets it aside"), "\(verify)")
        let first = try await household.shell("exec \"$@\"", words)
        #expect(first.status == 1 && first.errors.contains("run the same command again in a moment\n"), "\(first)")
        try await program.outcome { $0.output.ranges(of: "watching ").count == 2 }
        let second = try await household.shell("exec \"$@\"", words)
        #expect(second.status == 0 && second.errors == "", "\(second)")
        #expect(try await household.run("verify").status == 0)
        #expect(Facts("\(attendance.root)/.apod-mirror/catalog.sqlite.aside") != nil)
        #expect(try attendance.list().contains("2019-04-29: mine"))
        #expect(program.outcome.end == nil)
    }

    @Test("sync lets go, beside a service too, of what is not to be kept")
    func retention() async throws {
        let attendance = try await Attendance(days: 6)
        let household = attendance.household
        try household.write(
            "root = \(attendance.root)\nsince = 2019-04-20\nupstream = \(household.nasa.origin)\nrate = 0\nkeep = 3d\n",
            to: "mirror.conf")
        let old = newest.advanced(by: -60)
        household.nasa.add(TestSupport.Entry(old, title: "Old"))
        try await attendance.rested()
        try await attendance.eventually { try attendance.catalog().summary().pruned == 2 }
        // What is asked for by name is fetched, and goes again with the next sync that is about all.
        let named = try await household.run("sync", "\(old)")
        #expect(named.status == 0 && named.output.hasSuffix(": 1 fetched\n"), "\(named)")
        #expect(named.errors.contains("\(old) is not to stay (keep = 3d), and will be deleted again. "))
        #expect(try await household.files().contains("\(old.folder)/\(old) Old.jpg"))
        let all = try await household.run("sync", "--since", "\(old)")
        #expect(all.status == 0 && all.output.contains("deleted the pictures of 1 day, "), "\(all)")
        #expect(try await !household.files().contains("\(old.folder)/\(old) Old.jpg"))
        let none = try await household.run("sync", "--until", "2019-04-21", "--since", "2019-04-22")
        #expect(none.status == 2)
        let nothing = try await household.run("sync", "--until", "2019-04-21")
        #expect(nothing.output == "nothing to fetch: keep and max-total leave no day until 2019-04-21\n", "\(nothing)")
        #expect(nothing.status == 0)
    }
}
