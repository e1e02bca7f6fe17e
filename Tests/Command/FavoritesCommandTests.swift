import Apod
import Archive
import Catalog
import Glibc
import Synchronization
import TestSupport
import Testing

struct FavoritesCommandTests {
    private let newest = CommandSandbox.newest

    @Test("The command favorites names albums beside the top, and once what makes links and the folder again")
    func places() async throws {
        let mirror = try await ServiceSandbox()
        let home = mirror.sandbox
        let (both, album) = (newest, newest.advanced(by: -1))
        #expect(mkdir("\(mirror.folder)/Moons", 0o755) == 0)
        for (name, age) in [("x", 0), ("Moons/x", 0), ("Moons/y", 1)] {
            let up = name.contains("/") ? "../../" : "../"
            try mirror.link(name, to: up + mirror.picture(age))
        }
        try await home.sync().succeeds()
        let list = try await home.run("favorites").lines
        #expect(list.contains { $0.hasPrefix("\(both)  ") && $0.hasSuffix("  (also in Moons)") })
        #expect(list.contains { $0.hasPrefix("\(album)  ") && $0.hasSuffix("  (in Moons)") })
        let links = listing(mirror.folder)
        try await home.shell("rm -r '\(mirror.folder)'").succeeds()
        for outcome in [try await home.run("favorites"), try await home.run("status")] {
            let text = outcome.output + outcome.errors
            #expect(text.ranges(of: "`apod-mirror favorites restore`").count == 1, "\(text)")
        }
        for _ in 1...2 { try await home.run("favorites", "restore").succeeds() }
        #expect(try mirror.count() == 3 && listing(mirror.folder) == links)
    }

    @Test(
        "The command favorites adds, lists, removes and restores without a running mirror, and tells programs what it did",
        arguments: [false, true])
    func alone(asJSON: Bool) async throws {
        let mirror = try await ServiceSandbox()
        let sandbox = mirror.sandbox
        let (first, second) = ("\(newest)", "\(newest.advanced(by: -1))")
        let (name, other) = (try mirror.name(0), try mirror.name(1))
        try await sandbox.run("favorites").succeeds(output: "", errors: .containing("no favorites: drop a link"))
        let history = ["favorites", "history"] + (asJSON ? ["--json"] : [])
        let none = "apod-mirror: no favorite was ever added here, so there is no history\n"
        try await sandbox.run(history).succeeds(output: asJSON ? "[]\n" : "", errors: .being(asJSON ? "" : none))

        let hint =
            "no link is missing; `apod-mirror favorites restore --since 1h` brings back what went in the last hour"
        let (made, removed) = ("made favorites/\(name)\n", "removed favorites/\(name)\n")
        let (wasMade, wasRemoved) = ("made \(first): \(name)", "removed \(first): \(name)")
        let steps: [(words: String, output: String, changes: [String], complaint: String?)] = [
            ("add \(first) \(second)", "made favorites/\(other)\n\(made)", ["made \(second): \(other)", wasMade], nil),
            ("add \(first)", "\(first) is a favorite already\n", [], nil),
            ("remove \(first) 2019-04-28", removed, [wasRemoved], "2019-04-28 has no link"),
            ("restore \(first)", made, [wasMade], nil), ("remove \(first)", removed, [wasRemoved], nil),
            ("restore", "\(hint)\n", [], nil), ("restore --since 1h", made, [wasMade], nil),
            ("remove \(first)", removed, [wasRemoved], nil),
        ]
        for step in steps {
            let words = step.words.split(separator: " ").map(String.init) + (asJSON ? ["--json"] : [])
            let outcome = try await sandbox.run(["favorites"] + words)
            if asJSON { #expect(try changes(outcome) == step.changes) } else { #expect(outcome.output == step.output) }
            #expect(outcome.status == (step.complaint == nil ? 0 : 1), "\(outcome)")
            #expect(step.complaint.map { outcome.errors.contains($0) } ?? outcome.errors.isEmpty, "\(outcome)")
            let isThere = try target(of: "\(mirror.folder)/\(name)") == "../\(mirror.picture(0))"
            #expect(try isThere == mirror.log.known.isFavorite(newest))
        }
        let past = try await sandbox.run(history)
        if asJSON {
            let changes = try JSONText(past.outputBytes).elements?.map { $0["change"]?.string }
            #expect(changes == ["went", "came", "went", "came", "went", "came", "came"])
        } else {
            #expect(past.lines[0].contains("  went      \(first)  \(name)") && past.lines.count == 7, "\(past)")
        }
    }

    @Test(
        "The command favorites lists the favorites as the file for programs does, which has behind them what ended not long ago"
    )
    func list() async throws {
        let mirror = try await ServiceSandbox()
        let sandbox = mirror.sandbox
        let (first, second) = ("\(newest)", "\(newest.advanced(by: -1))")
        try await sandbox.run("favorites", "add", first, second).succeeds()
        #expect(try await sandbox.run("favorites", "list").lines.map { $0.prefix(10) } == [second[...], first[...]])
        let document = try await sandbox.run("favorites", "list", "--json").outputBytes
        #expect(try contents(mirror["favorites.json"]) == document)
        let item = try #require(try JSONText(document).elements?.last)
        #expect(try item["date"]?.string == first && item["picture"]?.string == mirror.picture(0))
        #expect(try item["links"]?.elements?.map(\.string) == [mirror.name(0)])
        #expect(item["albums"]?.elements?.isEmpty == true)
        try await sandbox.run("favorites", "remove", first).succeeds()
        let rest = try await sandbox.run("favorites", "list", "--json").outputBytes
        #expect(try JSONText(rest).elements?.map { $0["date"]?.string } == [second])
        let written = try JSONText(contents(mirror["favorites.json"])).elements ?? []
        #expect(written.map { $0["date"]?.string } == [second, first])
        #expect(written.map { $0["ended"] == nil } == [true, false])
    }

    @Test("The command favorites adds to an album, which it makes, also what is a favorite elsewhere")
    func album() async throws {
        let home = try await CommandSandbox(days: 1).synced()
        let (day, name) = ("\(newest)", try #require(target(of: home["latest"])?.split(separator: "/").last))
        let made = "made favorites/Comets & more/\(name)\n"
        try await home.run("favorites", "add", day).succeeds()
        for output in [made, "\(day) is a favorite already\n"] {
            try await home.run("favorites", "add", "--album", "Comets & more", day).succeeds(output: .being(output))
        }
        #expect(target(of: home["favorites/Comets & more/\(name)"])?.hasPrefix("../../2019/04/") == true)
        #expect(try await home.run("favorites").output.hasSuffix("  (also in Comets & more)\n"))
    }

    @Test("The command favorites remove takes no path, and deletes nothing when one word is wrong")
    func removePath() async throws {
        let home = try await CommandSandbox(days: 2).synced()
        let file = try #require(try await home.files(".jpg").first { $0.contains("/\(newest) ") })
        let link = home["favorites/mine.jpg"]
        #expect(symlink("../\(file)", link) == 0)
        let day = "\(newest)"
        for words in [[day, "mine.jpg"], [day, link], [home[file], day], ["gone"]] {
            let advice = "is not a day; give a date like 2026-11-20; delete a single link in the folder\n"
            try await home.shell(
                "cd '\(home.root)/favorites' && exec \"$@\"", ["favorites", "remove"] + words
            ).fails(2, output: "", errors: .containing(advice))
        }
        #expect(target(of: link) == "../\(file)")
    }

    @Test("The command favorites remove takes links away that nobody has noted yet, and no copies")
    func removeUnnoted() async throws {
        let home = try await CommandSandbox(days: 2).synced()
        let pictures = try await home.files(".jpg")
        mkdir(home["favorites/Album"], 0o755)
        try home.link("Album/mine.jpg", to: "../../\(try #require(pictures.last))")
        #expect(symlink("../\(try #require(pictures.first))", home["favorites/other.jpg"]) == 0)
        try save(contents(home["\(try #require(pictures.last))"]), to: home["favorites/copy.jpg"])
        try home.link("own link", to: "copy.jpg")
        let removed = try await home.run("favorites", "remove", "\(newest)")
        removed.says(output: "removed favorites/Album/mine.jpg\n", errors: "")
        #expect(listing(home["favorites/Album"]).isEmpty && listing(home["favorites"]).count == 4)
    }

    @Test("The command favorites know the newest picture by the name of the link to it")
    func latest() async throws {
        let home = try CommandSandbox(days: 2)
        try await home.run("favorites", "list", "--json").succeeds(output: "[]\n")
        try await home.run("favorites", "add", "latest").fails(errors: .containing("there is no \(home.root)"))
        try await home.sync("--until", "2019-04-28").succeeds()
        let words = "there is no picture in \(home.root) yet; `apod-mirror sync"
        try await home.run("favorites", "add", "latest").fails(errors: .starting("apod-mirror: \(words)"))
        try await home.sync().succeeds()
        for (action, change) in [("add", "made"), ("remove", "removed"), ("restore", "made")] {
            try await home.run("favorites", action, "latest").succeeds(
                output: .starting("\(change) favorites/\(newest) "))
        }
        try await home.run("favorites", "remove", "latest").succeeds()
        // By the path of a link to one of its files, whatever its name.
        let (mine, picture) = (home.folder.appending("mine"), try #require(target(of: home["latest"])))
        #expect(symlink(home[picture], mine) == 0)
        try await home.run("favorites", "add", mine).succeeds(output: .starting("made favorites/\(newest) "))
    }

    @Test("The command favorites removes by a date all of the day's links, and nothing else")
    func allLinks() async throws {
        let mirror = try await ServiceSandbox()
        let sandbox = mirror.sandbox
        let (folder, picture) = (mirror.folder, try mirror.picture(0))
        mkdir(folder, 0o755)
        mkdir("\(folder)/album", 0o755)
        for name in ["mine", "2019-04-30"] { try mirror.link(name, to: "../\(picture)") }
        try mirror.link("album/other", to: "../../\(picture)")
        try mirror.link("away", to: "/etc/passwd")
        try sandbox.write("mine", to: "APOD/favorites/own.txt")
        try await sandbox.sync().succeeds()
        #expect(try mirror.count() == 3)
        // A link's name may be a date.
        let removed = try await sandbox.shell("cd '\(folder)' && exec \"$@\"", ["favorites", "remove", "2019-04-30"])
        let names = removed.lines.map { $0.dropFirst("removed favorites/".count) }
        #expect(removed.status == 0 && names.sorted() == ["2019-04-30", "album/other", "mine"], "\(removed)")
        #expect(listing(folder).map { String($0.prefix { $0 != " " }) } == ["album/", "away", "own.txt"])
        #expect(try mirror.log.known.isEmpty)
        #expect(try await sandbox.run("favorites", "restore").output.hasPrefix("no link is missing; "))
    }

    /// A sync that waits for an answer until it is to go on.
    private func syncAtWork(in sandbox: CommandSandbox) async throws -> (program: Program, goOn: () -> Void) {
        let wanted = newest.advanced(by: -500)
        sandbox.nasa.add(Entry(wanted))
        let mayAnswer = Mutex(false)
        sandbox.nasa.intercept = { request in
            guard request.path.contains(wanted.compact) else { return nil }
            #expect(throws: Never.self) { try block(for: "leave to answer") { mayAnswer.withLock(\.self) } }
            return nil
        }
        let sync = try sandbox.start("sync", "\(wanted)")
        try await sandbox.nasa.server.request { $0.path.contains(wanted.compact) }
        return (sync, { mayAnswer.withLock { $0 = true } })
    }

    @Test("The command favorites beside a sync, says that the next one takes note of the links that are made")
    func addedBesideSync() async throws {
        let mirror = try await ServiceSandbox(days: 2)
        let sandbox = mirror.sandbox
        let (sync, goOn) = try await syncAtWork(in: sandbox)
        let name = try mirror.name(0)
        let note =
            "it counts after the next `apod-mirror sync`, or when the service runs: another command is at work here now"
        try await sandbox.run("favorites", "add", "\(newest)").succeeds(
            output: "made favorites/\(name)\n", errors: "apod-mirror: \(note)\n")
        #expect(try mirror.count() == 0)
        try await sandbox.run("favorites", "remove", "\(newest)").succeeds(errors: "apod-mirror: \(note)\n")
        try await sandbox.run("favorites", "add", "\(newest)").succeeds()
        goOn()
        try await sync.finished().succeeds()
        #expect(try mirror.count() == 0)
        try await sandbox.sync().succeeds()
        #expect(try mirror.count() == 1)
    }

    @Test("The command favorites asks for a day that is not here, which the next sync fetches")
    func wish() async throws {
        let mirror = try await ServiceSandbox()
        let (sandbox, day) = (mirror.sandbox, newest.advanced(by: -500))
        sandbox.nasa.add(Entry(day, title: "A Wish"))
        try await sandbox.run("favorites", "add", "\(day)").succeeds()
        #expect(try await sandbox.json("status")["pending"]?.integer == 1)
        #expect(try await sandbox.run("favorites").output == "\(day)  still to be fetched\n")
        try await sandbox.run("favorites", "--paths").succeeds(
            output: "", errors: "apod-mirror: 1 without files; `apod-mirror favorites` says why\n")
        try await sandbox.sync().succeeds()
        #expect(try await sandbox.run("favorites").output == "\(day)  A Wish\n")
        let path = mirror["\(day.folder)/\(day) A Wish.jpg"]
        #expect(try await sandbox.run("favorites", "list", "--paths").output == "\(path)\n")
        let file = "\(day) A Wish.jpg"
        #expect(target(of: "\(mirror.folder)/\(file)") == "../\(day.folder)/\(file)")
    }

    @Test("The command favorites promises no day that has not come yet")
    func promises() async throws {
        let mirror = try await ServiceSandbox()
        let sandbox = mirror.sandbox
        let (future, never, unknown) = ("2094-12-31", "2019-04-10", "2019-03-31")
        let lack = "is not here yet; the service or the next sync asks for it"
        try await sandbox.run("sync", never).fails()
        try await sandbox.run("favorites", "add", future).fails(
            output: "", errors: "apod-mirror: \(future) has not come yet\n")
        #expect(target(of: "\(mirror.folder)/\(future)") == nil)
        // NASA is asked again.
        try await sandbox.run("favorites", "add", never).succeeds(output: .containing("\(never) \(lack)\n"))
        // One of several keeps the others from nothing.
        let several = try await sandbox.run("favorites", "add", "--json", future, "\(newest)", unknown)
        #expect(try changes(several).map { $0.prefix(15) } == ["made 2019-03-31", "made 2019-04-30"])
        several.fails(errors: .lines(1))
        try await sandbox.run("favorites", "add", "2019-03-30").succeeds(output: .ending("2019-03-30 \(lack)\n"))
    }

    @Test(
        "The command favorites says how many went when more than a few did, in the journal and later, and what brings them back",
        arguments: [true, false])
    func loss(besideService: Bool) async throws {
        let mirror = try await ServiceSandbox(days: 5)
        let sandbox = mirror.sandbox
        if besideService { try await mirror.start() } else { mkdir(mirror.folder, 0o755) }
        for age in 0..<5 { try mirror.link("link \(age)", to: "../\(try mirror.picture(age))") }
        if !besideService { try await sandbox.sync().succeeds() }
        try await mirror.eventually { try mirror.count() == 5 }
        let words = "4 links went from \(mirror.folder); "
        for age in 0..<4 { unlink("\(mirror.folder)/link \(age)") }
        if !besideService {
            try await sandbox.sync().says(errors: .containing("\(words)`apod-mirror favorites restore --since "))
        } else {
            try await mirror.program?.outcome { ($0.output + $0.errors).contains(words) }
        }
        #expect(try mirror.count() == 1)
        let status = try await sandbox.run("status").unwrapped
        let advice = try #require(
            status.firstMatch(
                of:
                    /4 links went from favorites on [^:]+:[0-9]+: `apod-mirror (favorites restore --since [^`]+)` brings/
            )?.1)
        #expect(try await sandbox.json("status").conditions("ended").first?["count"]?.integer == 4)
        try await sandbox.run(advice.split(separator: " ").map(String.init)).succeeds(
            output: .lines(4))
        try await mirror.eventually { try mirror.count() == 5 }
        #expect(try await !sandbox.run("status").output.contains("links went from"))
    }

    @Test("The command favorites makes again what went since a time, each link as it was")
    func since() async throws {
        let mirror = try await ServiceSandbox()
        let sandbox = mirror.sandbox
        let picture = try mirror.picture(0)
        mkdir(mirror.folder, 0o755)
        mkdir("\(mirror.folder)/album", 0o755)
        try mirror.link("mine", to: "../\(picture)")
        try mirror.link("album/facts", to: "../../\(picture.dropLast(3))json")
        try mirror.link("other", to: "../\(try mirror.picture(1))")
        try await mirror.start()
        try await mirror.eventually { try mirror.count() == 3 }
        let before = Int(time(nil))
        try await sandbox.run("favorites", "remove", "\(newest)").succeeds()
        try await mirror.eventually { try mirror.count() == 1 }

        func restore(since time: String) async throws -> Program.Outcome {
            try await sandbox.run("favorites", "restore", "--since", time)
        }
        try await restore(since: Time.text(before + 3600)).succeeds(output: "no link has gone since then\n")
        let made = try await restore(since: Time.text(before - 60))
        #expect(made.lines.sorted() == ["made favorites/album/facts", "made favorites/mine"])
        made.succeeds()
        #expect(target(of: "\(mirror.folder)/mine") == "../\(picture)")
        #expect(target(of: "\(mirror.folder)/album/facts") == "../../\(picture.dropLast(3))json")
        try await mirror.eventually { try mirror.count() == 3 }
        for time in ["1h", "3d", "2000-01-01", Time.text(before - 1)] {
            #expect(try await restore(since: time).output == "no link has gone since then\n")
        }
    }

    private func changes(_ outcome: Program.Outcome) throws -> [String] {
        try #require(try JSONText(outcome.outputBytes).elements).map { change in
            #expect(change.members?.keys.sorted() == ["change", "date", "link"])
            let (kind, date) = (change["change"]?.string ?? "?", change["date"]?.string ?? "?")
            return "\(kind) \(date): \(change["link"]?.string ?? "null")"
        }
    }

    @Test(
        "The command favorites works for a member of the favorites folder's group, who may write there alone",
        .enabled(if: geteuid() == 0, "needs root"),
        arguments: [true, false])
    func guest(besideService: Bool) async throws {
        let mirror = try await ServiceSandbox()
        let sandbox = mirror.sandbox
        mkdir(mirror.folder, 0o755)
        chown(mirror.folder, uid_t.max, 65534)
        chmod(mirror.folder, 0o775)
        if besideService { try await mirror.start() }
        func note(_ count: Int) async throws {
            if !besideService { try await sandbox.sync().succeeds() }
            // Whoever may not read the catalog goes by the list, which follows it.
            try await mirror.eventually {
                let list = String(decoding: (try? contents(sandbox["favorites.json"])) ?? [], as: UTF8.self)
                return try mirror.count() == count && list.contains("\"ended\"") == (count == 0)
            }
        }
        let told = "apod-mirror: it counts when the service runs; whoever keeps the mirror can start it\n"
        let errors = besideService ? "" : told
        let name = try mirror.name(0)
        try await sandbox.someone("favorites", "add", "\(newest)").succeeds(
            output: "made favorites/\(name)\n", errors: .being(errors))
        #expect(target(of: "\(mirror.folder)/\(name)") == "../\(try mirror.picture(0))")
        try await note(1)
        let removed = try await sandbox.someone("favorites", "remove", "\(newest)")
        removed.succeeds(output: "removed favorites/\(name)\n", errors: .being(errors))
        try await note(0)
        try await sandbox.someone("favorites", "restore", "\(newest)").succeeds(
            output: "made favorites/\(name)\n", errors: .being(errors))
        try await note(1)
        try await sandbox.someone("sync").fails()
        // Nothing is said to be done that was not.
        chmod(mirror.folder, 0o755)
        try await sandbox.someone("favorites", "add", "\(newest.advanced(by: -1))").fails(
            output: "", errors: .without("it counts"))
    }
}
