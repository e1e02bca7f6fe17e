import Apod
import Glibc
import TestSupport
import Testing

@Suite(.serialized)
struct GalleryTests {
    @Test(
        "The gallery, without a service, is written by sync, has no favorite less, names what is in its way, and goes when it is not wanted"
    )
    func sync() async throws {
        let home = try await CommandSandbox(days: 3, gallery: "yes").synced()
        func text(_ name: String) -> String { self.text(name, home) }
        #expect(text("index.html").contains("#2019") && text("gallery/data/2019.js").contains("\"2019-04-30\""))
        #expect(text("gallery/data/2019-text.js").contains("\"page\":\"http"))
        try await home.run("favorites", "add", "2019-04-29").succeeds()
        #expect(text("gallery/data/favorites.js").contains("2019-04-29"))
        try await home.shell("echo mine >'\(home.root)/feed.xml'").succeeds()
        try await home.sync().succeeds()
        #expect(text("feed.xml") == "mine\n")
        let status = try await home.json("status")
        let taken = status.conditions("name-taken").flatMap { $0["paths"]?.elements ?? [] }
        #expect(taken.map(\.string) == ["feed.xml"])
        let words = "deleted the gallery, as `gallery` is `no`; with `yes`, a sync makes it again"
        try await home.sync(["gallery=no"]).succeeds(output: "nothing new\n\(words)\n")
        #expect(try await home.sync(["gallery=no"]).output.contains("gallery") == false)
        #expect(text("feed.xml") == "mine\n" && access(home["gallery"], F_OK) != 0)
        #expect(access(home["index.html"], F_OK) != 0)
        // In somebody else's folder, none are to be made.
        try await home.shell("cd '\(home.root)' && mkdir gallery && touch gallery/mine").succeeds()
        #expect(try await home.json("status")["without_thumbnails"]?.integer == 0)
    }

    @Test(
        "The gallery, without a service, shows the smaller copy of its only day, which is none of the mirror's files nor counts against its size"
    )
    func copies() async throws {
        let home = try await CommandSandbox(days: 1, gallery: "yes").synced()
        func size(of places: String) async throws -> Int {
            let find = "cd '\(home.root)' && find \(places) -type f ! -name '.*' -printf '%s\\n'"
            return try await home.shell(find).lines.reduce(0) { $0 + (Int($1) ?? 0) }
        }
        let status = try await home.json("status")
        #expect(try await status["generated_bytes"]?.integer == size(of: "gallery index.html feed.xml"))
        let mirrored = try await size(of: "2019")
        #expect(status["bytes"]?.integer == mirrored)
        #expect(try await home.run("status").output.contains("\ngenerated "))
        #expect(try await home.json("verify")["checked"]?.integer == 2)
        try await home.sync("max-total=\(mirrored)B").succeeds()
        #expect(try await home.json("status")["pruned"]?.integer == 0)
        try await home.sync("gallery=no").succeeds()
        let without = try await home.json("status")
        #expect(without["generated_bytes"]?.integer == 0 && without["bytes"]?.integer == mirrored)
    }

    @Test("The gallery, without a service, is there before the thumbnails, and stays when they are stopped")
    func first() async throws {
        let home = try CommandSandbox(days: 45, gallery: "yes")
        let since = CommandSandbox.newest.advanced(by: -44)
        try await home.sync("--since", "\(since)", "gallery=no").succeeds()
        let program = try home.start("sync", "--since", "\(since)", "--until", "\(CommandSandbox.newest)")
        let copies = "find '\(home.root)/gallery/2019' -type f 2>/dev/null | wc -l"
        while program.outcome.end == nil, try await home.shell(copies).output == "0\n" {}
        #expect(text("index.html", home).contains("#2019") && text("feed.xml", home).contains("2019-04-30"))
        #expect(text("gallery/data/2019.js", home).contains("\"2019-04-30\""))
        program.send(SIGINT)
        _ = try await program.finished()
        let made = Int(try await home.shell(copies).output.dropLast()) ?? 0
        #expect(made > 0 && made < 90 && text("index.html", home).contains("#2019"), "\(made)")
    }

    @Test(
        "The gallery, without a service, is not needed for the JPEG to which latest.jpg leads, and which is none of the mirror's files"
    )
    func latest() async throws {
        let day = CommandSandbox.newest
        let home = try await CommandSandbox([Entry(day.advanced(by: -1)), Entry(day, .picture(.png))]).synced()
        #expect(target(of: home["latest.jpg"])?.hasPrefix(".apod-mirror/latest/\(day)-") == true)
        #expect(try contents(home["latest.jpg"]).starts(with: [0xff, 0xd8, 0xff]))
        #expect(try await home.json("verify")["checked"]?.integer == 4)
        #expect(try await home.run("show", home["latest.jpg"]).output.hasPrefix("\(day)  "))
        try await home.run("favorites", "add", home["latest.jpg"]).succeeds()
        #expect(try await home.run("favorites").output.hasPrefix("\(day)  "))
    }

    private func text(_ name: String, _ home: CommandSandbox) -> String {
        String(decoding: (try? contents(home[name])) ?? [], as: UTF8.self)
    }
}
