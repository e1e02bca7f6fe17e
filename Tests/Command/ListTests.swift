import Apod
import Archive
import Glibc
import TestSupport
import Testing

struct ListTests {
    /// Twenty cats, of which the server lacks the pictures of two, and a sandbox whose settings name them.
    private func cats(
        _ settings: String = "", thumbnails: String = "no"
    ) throws -> (sandbox: CommandSandbox, server: HTTPServer) {
        let names = (1...20).map { "Cat \($0)" }
        let server = try HTTPServer { request in
            if let number = names.indices.first(where: { request.path == "/cats/\($0 + 1).jpg" }) {
                return number % 10 == 9 ? .html(404) : .media(Pictures.jpeg(seed: UInt64(number)), type: "image/jpeg")
            }
            let cats = names.enumerated().map { number, name in
                """
                {"id": \(number + 1), "name": "\(name)", "breed": "Siamese", "photo_url": "/cats/\(number + 1).jpg"}
                """
            }
            return request.path == "/cats.json" ? .json("[\(cats.joined(separator: ","))]") : .html(404)
        }
        let sandbox = try CommandSandbox(
            days: 2, settings: "list.cats = \(server.origin)/cats.json\n" + settings, thumbnails: thumbnails)
        return (sandbox, server)
    }

    private func pictures(_ sandbox: CommandSandbox) -> [String] {
        listing(sandbox["lists/cats"]).filter { $0.hasSuffix(".jpg") }
    }

    @Test(
        "Other lists, from the settings to the folder comes with sync, picture by picture, and names those that failed")
    func sync() async throws {
        let (sandbox, server) = try cats()
        let outcome = try await sandbox.run("sync")
        outcome.fails(
            output: .containing("cats: Cat 3 ("), .containing("20 fetched, 2 failed"),
            errors: .containing("cats: Cat 10 failed: not there (404)"))
        #expect(pictures(sandbox).count == 18)
        server.forgetRequests()
        try await sandbox.run("sync", "--list", "cats").fails(output: .containing("0 fetched, 2 failed"))
        #expect(server.requests.map(\.path).sorted() == ["/cats.json", "/cats/10.jpg", "/cats/20.jpg"])
    }

    @Test(
        "Other lists, from the settings to the folder has thumbnails for file managers beside its pictures, for as long as they are there"
    )
    func thumbnails() async throws {
        let (sandbox, server) = try cats(thumbnails: "yes")
        defer { server.stop() }
        func thumbnails() -> Int {
            listing(sandbox["lists/cats/.sh_thumbnails"]).count { $0.hasPrefix("normal/") && $0.hasSuffix(".png") }
        }
        try await sandbox.run("sync", "--list", "cats").fails()
        // Each for two versions of file managers.
        #expect(thumbnails() == 36)
        let settings = String(decoding: try contents(sandbox.configuration), as: UTF8.self)
        try sandbox.set(settings + "list.cats.keep = 3\n")
        try await sandbox.run("prune", "--dry-run").succeeds(
            output: .containing("cats: 15 pictures to delete, 30.0 KB (keep = 3):\n  Cat 19 (2.0 KB)\n"))
        #expect(pictures(sandbox).count == 18)
        try await sandbox.run("status").says(output: .containing("15 more than its keep allows;"))
        try await sandbox.run("prune").succeeds(output: .containing("cats: deleted 15 pictures (keep = 3)"))
        try await sandbox.run("prune", "--dry-run").succeeds(output: .containing("nothing to delete"))
        try await sandbox.run("sync", "--list", "cats").succeeds()
        #expect(pictures(sandbox) == ["Cat 1.jpg", "Cat 2.jpg", "Cat 3.jpg"])
        #expect(thumbnails() == 6)
    }

    @Test("Other lists, from the settings to the folder is asked for alone, by its name in the settings")
    func alone() async throws {
        let (sandbox, server) = try cats()
        defer { server.stop() }
        try await sandbox.run("sync", "--list", "cats").fails(output: .containing("18 fetched, 2 failed"))
        #expect(sandbox.nasa.requests.isEmpty && pictures(sandbox).count == 18)
        try await sandbox.run("sync", "--list", "dogs").fails(
            2, errors: .containing("the settings name no list dogs; they have cats"))
        try await sandbox.run("sync", "--list", "cats", "2019-04-30").fails(
            2, errors: .containing("sync takes days or a list, but not both"))
    }

    @Test(
        "Other lists, from the settings to the folder has favorites that are added, listed, shown, removed and brought back by their paths"
    )
    func favorites() async throws {
        let (sandbox, server) = try cats()
        defer { server.stop() }
        try await sandbox.run("sync").fails()
        let (path, link) = ("lists/cats/Cat 1.jpg", "favorites/Pets/Cat 1.jpg")
        try await sandbox.run("favorites", "add", sandbox[path], "--album", "Pets").succeeds(
            output: .being("made \(link)\n"))
        #expect(target(of: sandbox[link]) == "../../\(path)")
        try await sandbox.run("favorites", "add", path).succeeds(
            output: .being("lists/cats/Cat 1 is a favorite already\n"))
        try await sandbox.run("favorites", "add", "lists/cats/Cat 99").fails(
            errors: .containing("lists/cats/Cat 99 is not here"))
        try await sandbox.run("favorites").succeeds(output: .being("cats  Cat 1  (in Pets)\n"))
        let list = try JSONText(try await sandbox.run("favorites", "--json").outputBytes)
        let favorite = try #require(list.elements?.first)
        #expect(favorite["list"]?.string == "cats" && favorite["id"]?.string == "1" && favorite["date"] == nil)
        #expect(favorite["title"]?.string == "Cat 1" && favorite["picture"]?.string == path)
        #expect(
            try contents(sandbox["favorites.json"]) == Array(try await sandbox.run("favorites", "--json").outputBytes))
        try await sandbox.run("favorites", "history").says(
            output: .containing("  came      lists/cats/Cat 1  Pets/Cat 1.jpg"))
        try await sandbox.run("status").says(output: .containing("favorites     1\n"))
        try await sandbox.run("open", sandbox[link]).succeeds(output: .being("\(sandbox[path])\n"))
        try await sandbox.run("show", path).succeeds(output: .containing("lists/cats/Cat 1  Cat 1\n"))
        try await sandbox.run("favorites", "remove", path).succeeds(output: .being("removed \(link)\n"))
        try await sandbox.run("favorites", "restore", path).succeeds(output: .being("made \(link)\n"))
    }

    @Test(
        "Other lists, from the settings to the folder is told by status, found by search, and checked and mended by verify"
    )
    func commands() async throws {
        let (sandbox, server) = try cats()
        try await sandbox.run("sync").fails()
        try await sandbox.run("status").says(
            output: .containing("list cats     18 pictures, "), .containing("2 failed;"))
        let list = try await sandbox.json("status")["lists"]?.elements?.first
        #expect(list?["name"]?.string == "cats" && list?["pictures"]?.integer == 18 && list?["failed"]?.integer == 2)
        try await sandbox.run("search", "cat", "7").succeeds(output: "cats  Cat 7\n")
        try await sandbox.run("search", "cat", "7", "--paths").succeeds(output: "\(sandbox["lists/cats/Cat 7.jpg"])\n")
        try save([1, 2, 3], to: sandbox["lists/cats/Cat 7.jpg"])
        try await sandbox.run("verify").fails(errors: .containing("\(sandbox["lists/cats/Cat 7.jpg"]) is damaged"))
        server.forgetRequests()
        try await sandbox.run("verify", "--repair").succeeds(
            output: .containing("lists/cats/Cat 7.jpg was damaged, and was fetched again"))
        #expect(server.requests.map(\.path) == ["/cats/7.jpg"])
        // APOD's own are as they were.
        try await sandbox.run("search", "cat", "--json").succeeds()
        #expect(try await sandbox.json("status")["days"]?.integer == 2)
    }

    @Test(
        "Other lists, from the settings to the folder shows what was replaced of a picture, and names no command, as that brings back days alone"
    )
    func replaced() async throws {
        let seed = Awaited<UInt64>(5)
        let server = try HTTPServer { request in
            if request.path == "/cats.json" {
                return .json("[{\"id\": 1, \"name\": \"Mittens\", \"photo_url\": \"/cats/1.jpg\"}]")
            }
            var response = Response.media(Pictures.jpeg(seed: seed.value), type: "image/jpeg")
            response[header: "ETag"] = "\"\(seed.value)\""
            return response
        }
        defer { server.stop() }
        let cover = "list.cats.cover = \(server.origin)/cover.jpg"
        let sandbox = try CommandSandbox(settings: "list.cats = \(server.origin)/cats.json\n\(cover)\n")
        for next in [6, 7] as [UInt64] {
            try await sandbox.run("sync", "--list", "cats").succeeds()
            seed.update { $0 = next }
        }
        let path = "lists/cats/cover.jpg"
        let show = try await sandbox.run("show", path)
        #expect(show.unwrapped.contains(", the picture of ") && show.commands.isEmpty, "\(show)")
        #expect(try await sandbox.json("show", path)["replaced"]?.elements?.count == 1)
    }

    @Test("Other lists, from the settings to the folder goes by the settings that are given with sync")
    func options() async throws {
        let (sandbox, server) = try cats()
        defer { server.stop() }
        try await sandbox.run("sync", "--list", "cats", "--max-file", "1K").fails(
            output: .containing("0 fetched, 20 failed"), errors: .containing("larger than `max-file` allows"))
        #expect(pictures(sandbox).isEmpty)
    }

    @Test(
        "Other lists, from the settings to the folder stays in status, and says so, when the settings do not name it, and when its catalog is damaged or gone"
    )
    func status() async throws {
        let (sandbox, server) = try cats()
        defer { server.stop() }
        try await sandbox.run("sync").fails()
        let settings = String(decoding: try contents(sandbox.configuration), as: UTF8.self)
        try sandbox.set(settings.replacing("list.cats", with: "list.tigers"))
        try await sandbox.run("status").says(
            output: .containing("list cats     18 pictures, "),
            .containing("it is not in the settings; its pictures stay"),
            .containing("list tigers   not yet asked for"))
        try sandbox.set(settings)
        let catalog = sandbox[".apod-mirror/lists/cats/catalog.sqlite"]
        try save(Array(repeating: 7, count: 5000), to: catalog)
        try await sandbox.run("status").says(
            output: .containing("list cats     18 pictures, "), .containing("the next sync sets it aside"))
        unlink(catalog)
        try await sandbox.run("status").says(output: .containing("list cats     18 pictures, "))
        try await sandbox.run("sync", "--list", "cats").fails(output: .containing("0 fetched, 2 failed"))
    }

    @Test("Other lists, from the settings to the folder comes though the folder of another list is taken")
    func takenFolder() async throws {
        let (sandbox, server) = try cats()
        defer { server.stop() }
        let settings = String(decoding: try contents(sandbox.configuration), as: UTF8.self)
        try sandbox.set(settings + "list.apes = \(server.origin)/cats.json\n")
        try await sandbox.run("sync", "--until", "2019-04-30", "--since", "2019-04-30").succeeds()
        mkdir(sandbox["lists"], 0o755)
        try save([1], to: sandbox["lists/apes"])
        try await sandbox.run("sync").fails(
            output: .containing("19 fetched, 2 failed"), errors: .containing("cannot open \(sandbox["lists/apes"])"))
        #expect(pictures(sandbox).count == 18)
        try sandbox.set(settings + "list.apes = \(server.origin)/cats.json\nlist.apes.keep = 5\nlist.cats.keep = 5\n")
        try await sandbox.run("prune").fails(
            output: .containing("cats: deleted 13 pictures (keep = 5)"),
            errors: .containing("cannot open \(sandbox["lists/apes"])"))
    }

    @Test("Other lists, from the settings to the folder says with prune what cannot be deleted")
    func refused() async throws {
        let (sandbox, server) = try cats("list.cats.keep = 17\n")
        defer { server.stop() }
        try await sandbox.run("sync", "--list", "cats").fails()
        let settings = String(decoding: try contents(sandbox.configuration), as: UTF8.self)
        try sandbox.set(settings.replacing("keep = 17", with: "keep = 13"))
        try save("{}", to: sandbox["lists/cats/Cat 17.json"])
        try await sandbox.run("prune").fails(
            output: .containing("cats: deleted 2 pictures (keep = 13)"), errors: .containing("cats: cannot read "))
        try await sandbox.run("prune").fails(output: .being(""), errors: .containing("lists/cats/Cat 17.json"))
    }

    @Test(
        "Other lists, from the settings to the folder is gone where the settings do not name it and its folder is deleted"
    )
    func removed() async throws {
        let (sandbox, server) = try cats()
        defer { server.stop() }
        try await sandbox.run("sync").fails()
        let settings = String(decoding: try contents(sandbox.configuration), as: UTF8.self)
        try sandbox.set(settings.replacing("list.cats", with: "#"))
        try await sandbox.shell("rm -r '\(sandbox["lists/cats"])'").succeeds()
        try await sandbox.run("status").says(output: .without("list cats"))
        try await sandbox.run("verify").succeeds()
        try await sandbox.sync().succeeds()
        #expect(!exists(sandbox["lists/cats"]))
    }

    @Test("Other lists, from the settings to the folder says where a list has its fields by another name")
    func fields() async throws {
        let (sandbox, server) = try cats("list.cats.title = caption\n")
        defer { server.stop() }
        try await sandbox.run("sync", "--list", "cats").fails(
            errors: .containing("cats: "), .containing("20 items; no `caption`"),
            .containing("fields are id, name, breed, photo_url"))
    }
}
