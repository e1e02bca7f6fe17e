import Apod
import Glibc
import TestSupport
import Testing

@testable import apod_mirror

@Suite(.serialized) struct ShowTests {
    private let newest = CommandSandbox.newest

    private static func entry(
        _ date: String, _ media: Entry.Media = .picture(.jpg), title: String, text: String = "It shines."
    ) -> Entry {
        var entry = Entry(Day(date)!, media, title: title)
        entry.explanation = text
        entry.credit = "Jane Doe"
        return entry
    }

    private static let long = String(repeating: "Stars are born in clouds of gas. ", count: 12)

    @Test("show tells a day's title, credit, text and files, of the newest day if none is named")
    func day() async throws {
        let home = try await CommandSandbox([
            Self.entry("2019-04-29", title: "A Lantern"),
            Self.entry("2019-04-30", .video, title: "A Film", text: Self.long),
        ]).synced()
        try await home.run("show", "2019-04-29").succeeds(
            output: """
                2019-04-29  A Lantern
                Credit: Jane Doe

                It shines.

                \(home.root)/2019/04/2019-04-29 A Lantern.jpg  (picture, 20.0 KB, 640 × 480)

                """, errors: "")
        let film = try await home.run("show")
        #expect(try await home.run("show", "latest").output == film.output)
        let lines = film.lines
        #expect(lines.first == "2019-04-30  A Film")
        let files = ["mp4", "jpg"].map { "\(home.root)/2019/04/2019-04-30 A Film.\($0)  " }
        #expect(zip(lines.suffix(2), files).allSatisfy { $0.hasPrefix($1) })
        let text = lines.dropFirst(2).dropLast(2)
        #expect(text.joined(separator: " ") == Self.long.dropLast())
        #expect(text.allSatisfy { $0.count <= 80 } && text.dropLast().allSatisfy { $0.count > 70 })
    }

    @Test("show is given a day by the path of one of its files or of a link to one, too")
    func paths() async throws {
        let home = try await CommandSandbox(days: 2).synced()
        let file = try #require(try await home.files(".jpg").first)
        try home.link("mine", to: "../\(file)")
        let day = String(file.dropFirst(8).prefix(10))
        let shown = try await home.run("show", day)
        #expect(shown.output.hasPrefix("\(day)  "))
        for path in [home[file], file, home["favorites/mine"], String(file.dropFirst(8))] {
            #expect(try await home.run("show", path).output == shown.output, "\(path)")
            #expect(try await home.run("open", path).output == "\(home.root)/\(file)\n", "\(path)")
        }
        #expect(try await home.run("show", home["latest"]).output.hasPrefix("\(newest)  "))
        for path in [home.root, home["nothing"], "mine"] {
            let wrong = try await home.run("show", path)
            #expect(wrong.errors.contains("there is nothing at ") == path.hasSuffix("/nothing"), "\(path)")
            #expect(wrong.status == 2 && wrong.errors.contains("path of one of the day's files"), "\(path)")
        }
    }

    @Test("show names who is credited, or else who has the rights")
    func credit() async throws {
        let home = try await CommandSandbox([Self.entry("2019-04-30", title: "A Lantern")]).synced()
        let file = "'\(home.root)/2019/04/2019-04-30 A Lantern.json'"
        let both = "s/\"credit\": \"Jane Doe\"/\"copyright\": \"A Studio\", &/"
        try await home.shell("sed -i '\(both)' \(file)").succeeds()
        #expect(try await home.run("show").output.contains("\nCredit: Jane Doe\n"))
        try await home.shell("sed -i 's/, \"credit\": \"Jane Doe\"//' \(file)").succeeds()
        #expect(try await home.run("show").output.contains("\nCredit: A Studio\n"))
    }

    @Test("show tells programs the same, with whole paths")
    func json() async throws {
        let home = try await CommandSandbox([Self.entry("2019-04-30", .video, title: "A \"Film\"")]).synced()
        let json = try await home.json("show")
        let keys = [
            "copyright", "credit", "date", "explanation", "files", "linked_from", "permalink", "replaced", "title",
        ]
        #expect(json.members?.keys.sorted() == keys)
        #expect(json["date"]?.string == "2019-04-30" && json["title"]?.string == "A \"Film\"")
        #expect(json["credit"]?.string == "Jane Doe" && json["explanation"]?.string == "It shines.")
        let files = try #require(json["files"]?.elements)
        #expect(files.map { $0["role"]?.string } == ["video", "poster"])
        for file in files {
            let path = try #require(file["path"]?.string)
            #expect(path.hasPrefix(home["2019/04/2019-04-30 A Film."]))
            #expect(Facts(path)?.bytes == file["bytes"]?.integer)
        }
    }

    @Test("show dates the days that its text speaks of, and names those that speak of it")
    func links() async throws {
        let home = try await CommandSandbox([
            Self.entry("2019-04-28", title: "A Lantern"),
            Self.entry("2019-04-29", title: "Again", text: "As <a href=\"ap190428.html\">before</a>."),
            Self.entry(
                "2019-04-30", title: "Once More",
                text: "<a href=\"https://apod.nasa.gov/apod/ap190428.html\">Two</a> "
                    + "<a href=\"https://sky.example/x\">and</a> <a href=\"/apod/ap190429.html\">one</a>."),
        ]).synced()
        #expect(try await home.run("show").output.contains("\n\nTwo (2019-04-28) and one (2019-04-29).\n\n"))
        let words = "\n\nLinked from 2019-04-30 and 2019-04-29.\n\n"
        #expect(try await home.run("show", "2019-04-28").output.contains(words))
        #expect(try await home.run("show", "2019-04-30").output.contains("Linked") == false)
        let json = try await home.json("show", "2019-04-28")
        #expect(json["linked_from"]?.elements?.map(\.string) == ["2019-04-30", "2019-04-29"])
        // A catalog that is made from the files knows the same.
        try await home.shell("rm '\(home.root)'/.apod-mirror/catalog.sqlite*").succeeds()
        try await home.sync().succeeds()
        #expect(try await home.run("show", "2019-04-28").output.contains(words))
    }

    @Test("show is as wide as the terminal")
    func width() async throws {
        let home = try await CommandSandbox([Self.entry("2019-04-30", title: "A Lantern", text: Self.long)]).synced()
        let outcome = try await home.onTerminal(columns: 120, "show")
        outcome.succeeds()
        let text = outcome.lines.dropFirst(2).dropLast()
        #expect(text.joined(separator: " ") == Self.long.dropLast())
        #expect(text.allSatisfy { $0.count <= 120 } && text.dropLast().allSatisfy { $0.count > 110 })
    }

    @Test("show breaks lines between words, and paragraphs where they end")
    func wrapping() {
        #expect(Lines.wrapped("", to: 80) == [] && Lines.wrapped(" \n\t\n", to: 80) == [])
        #expect(Lines.wrapped("one two three", to: 7) == ["one two", "three"])
        #expect(Lines.wrapped("one two three", to: 6) == ["one", "two", "three"])
        #expect(Lines.wrapped("one  two\n\nthree", to: 80) == ["one two", "three"])
        #expect(Lines.wrapped("a longer word", to: 1) == ["a", "longer", "word"])
        #expect(Lines.wrapped("Ørsted café", to: 6) == ["Ørsted", "café"])
        #expect(Lines.wrapped("\u{d4e} a \u{d4e} b", to: 3) == ["\u{d4e} a", "\u{d4e} b"])
    }

    @Test("show messages are broken at spaces, and commands in them not at all")
    func messages() {
        #expect(Lines.wrapped(message: "", to: 10) == [""])
        #expect(Lines.wrapped(message: "one two three", to: 7) == ["one two", "three"])
        #expect(Lines.wrapped(message: "say `rm 'a b'` now", to: 5) == ["say", "`rm 'a b'`", "now"])
    }

    @Test("show says why there is nothing of a day")
    func absent() async throws {
        let home = try CommandSandbox(days: 3, clock: "2019-05-01 23:00:00")
        home.nasa.answer("190429_", .html(403))
        try await home.sync("--since", "2019-04-28").fails()
        let text = try await home.run("show", "2019-04-29")
        let lack = "the picture of 2019-04-29 could not be fetched: the server answered 403: \(home.nasa.origin)/"
        #expect(text.status == 0 && text.output.replacing("\n", with: " ").contains(lack), "\(text)")
        let picture = try await home.run("open", "2019-04-29")
        picture.fails(errors: .starting("apod-mirror: \(lack)"))
        home.nasa.intercept = { _ in .html(403) }
        try await home.run("sync", "2019-04-15").fails()
        home.nasa.intercept = nil
        let reasons = [
            ("2019-04-15", "2019-04-15 could not be fetched: the server answered 403: \(home.nasa.origin)/"),
            ("2019-04-20", "2019-04-20 is not here; `apod-mirror sync 2019-04-20` fetches it"),
            ("2019-05-01", "2019-05-01 is not here; `apod-mirror sync 2019-05-01` fetches it"),
            ("2019-05-02", "2019-05-02 is not published yet"),
        ]
        for (day, reason) in reasons {
            for command in ["show", "open"] {
                try await home.run(command, day).fails(output: "", errors: .containing(reason))
            }
        }
        try await home.run("sync", "2019-04-10").fails()
        #expect(try await home.run("show", "2019-04-10").errors == "apod-mirror: NASA has no picture for 2019-04-10\n")
        try await home.run("show", "2019-04-20", "--json").fails(output: "")
    }

    @Test("show says how to begin where nothing has been mirrored", arguments: ["show", "open"])
    func before(command: String) async throws {
        let home = try CommandSandbox()
        try await home.run(command).fails(errors: .starting("apod-mirror: there is no \(home.root);"))
        try await home.sync().succeeds()
        try await home.run("show").fails(errors: .containing("there is no day here yet; `apod-mirror sync`"))
    }

    @Test("show shows the text of a day without files, and what became of them")
    func textOnly() async throws {
        let home = try await CommandSandbox([
            Self.entry("2019-04-20", title: "Old"), Self.entry("2019-04-29", title: "New"),
            Self.entry("2019-04-30", .text, title: "A Text"),
        ]).synced()
        unlink(home["2019/04/2019-04-20 Old.jpg"])
        let missing = try await home.run("show", "2019-04-20")
        #expect(missing.output.hasSuffix("missing: `apod-mirror verify --repair` fetches it again)\n"))
        for script in ["printf { >", "rm "] {
            try await home.shell("\(script)'\(home.root)/2019/04/2019-04-29 New.json'").succeeds()
            let words = "2019-04-29 is not here; `apod-mirror sync 2019-04-29` fetches it"
            #expect(try await home.run("show", "2019-04-29").errors == "apod-mirror: \(words)\n")
            try await home.run("sync", "2019-04-29").succeeds()
            try await home.run("show", "2019-04-29").succeeds()
        }
        let damage = "Old.jpg is damaged or missing; `apod-mirror verify --repair`"
        try await home.run("open", "2019-04-20").fails(errors: .containing(damage))
        try await home.run("verify", "--repair").succeeds()
        let text = try await home.run("show", "2019-04-30")
        let lack = "2019-04-30 has no picture, only its text"
        #expect(text.output == "2019-04-30  A Text\nCredit: Jane Doe\n\nIt shines.\n\n\(lack)\n")
        // Where `latest` leads.
        #expect(try await home.run("show").output.hasPrefix("2019-04-29  New"))
        // Without these links, and with somebody's in their place, it is still the newest with a picture.
        for name in ["latest.json", "latest", "latest.jpg"] {
            unlink(home[name])
            symlink("2019/04/2019-04-20 Old?.jpg", home[name])
            #expect(try await home.run("show").output.hasPrefix("2019-04-29  New"), "\(name)")
        }
        _ = try await home.run("prune", "keep=1d")
        let pruned = try await home.run("show", "2019-04-20")
        pruned.succeeds(output: .containing("It shines."))
        let words = "the files of 2019-04-20 were deleted; `apod-mirror sync 2019-04-20` fetches them again"
        #expect(pruned.output.replacing("\n", with: " ").contains(words), "\(pruned)")
        for (day, reason) in [("2019-04-20", "were deleted"), ("2019-04-30", "2019-04-30 has no picture")] {
            try await home.run("open", day).fails(output: "", errors: .containing(reason))
        }
    }

    @Test(
        "show takes nothing else in a picture's place for the picture",
        arguments: ["ln -s ../../mine", "mkdir"])
    func foreign(making: String) async throws {
        let home = try await CommandSandbox([Self.entry("2019-04-30", title: "A Lantern")]).synced()
        try await home.run("open").succeeds()
        let script = "cd '\(home.root)'/2019/04 && echo mine >../../mine && rm *.jpg && \(making)"
        try await home.shell("\(script) '2019-04-30 A Lantern.jpg'").succeeds()
        #expect(try await home.run("show").output.contains("damaged or missing: `apod-mirror verify --repair`"))
        #expect(try await home.json("show")["files"]?.elements?.map { $0["here"]?.bool } == [false])
        let open = try await home.run("open", "2019-04-30")
        open.fails(output: "", errors: .containing("Lantern.jpg is damaged or missing"))
        if making.hasPrefix("mkdir") { return }
        try await home.run("verify", "--repair").succeeds()
        try await home.run("open").succeeds()
        #expect(try await home.json("show")["files"]?.elements?.map { $0["here"]?.bool } == [true])
    }

    @Test("show needs no catalog for what is in the tree, nor anything but the mirror's own files there")
    func withoutCatalog() async throws {
        let home = try await CommandSandbox([Self.entry("2019-04-30", title: "A Lantern")]).synced()
        let folder = home["2019/04"]
        let json = try contents("\(folder)/2019-04-30 A Lantern.json")
        try home.write(String(decoding: json, as: UTF8.self), to: "APOD/2019/04/2019-04-30 A Lantern copy.json")
        try home.write("{}", to: "APOD/2019/04/2019-04-30 A.json")
        #expect(mkfifo("\(folder)/2019-04-30 0.json", 0o644) == 0)
        let before = try await home.run("show")
        before.succeeds(output: .starting("2019-04-30  A Lantern\n"))
        try await home.shell("rm -r '\(home.root)/.apod-mirror'").succeeds()
        #expect(try await home.run("show", "2019-04-30").output == before.output)
    }

    @Test("show says, like other commands, that the mirror is away, wherever its catalog is", arguments: [false, true])
    func away(isSplit: Bool) async throws {
        let home = try CommandSandbox([Self.entry("2019-04-30", title: "A Lantern")])
        let state = isSplit ? ["--state", home.folder.appending("state")] : []
        try await home.sync(state).succeeds()
        try await home.run(["show"] + state).succeeds(output: .starting("2019-04-30  A Lantern\n"))
        #expect(rename(home.root, home.folder.appending("aside")) == 0 && mkdir(home.root, 0o755) == 0)
        var commands = [["show"], ["show", "2019-04-30"], ["open"], ["prune", "--dry-run"]]
        if !isSplit { commands += [["sync"], ["status"], ["favorites", "add", "2019-04-30"], ["search", "x"]] }
        for words in commands {
            try await home.run(words + state).fails(
                output: "",
                errors: .containing("\(home.root) has no mirror in it any more; if you deleted it on purpose, "))
        }
        #expect(listing(home.root).isEmpty)
    }

    @Test("show opens the picture, or prints where it is", arguments: [nil, "DISPLAY", "WAYLAND_DISPLAY"])
    func open(display: String?) async throws {
        let home = try await CommandSandbox([Self.entry("2019-04-30", .video, title: "A Film")]).synced()
        let path = home["2019/04/2019-04-30 A Film.mp4"]
        func open(_ programs: String) async throws -> Program.Outcome {
            var variables = ["PATH": programs]
            if let display { variables[display] = ":7" }
            return try await home.run("open", with: variables)
        }
        let programs = home.folder.appending("bin")
        mkdir(programs, 0o755)
        try await open(programs).succeeds(output: "\(path)\n", errors: "")
        try home.write("#!/bin/sh\necho \"opened $1\"\nexit ${STATUS-0}\n", to: "bin/xdg-open")
        chmod("\(programs)/xdg-open", 0o755)
        try await open(programs).succeeds(output: "\(display == nil ? "" : "opened ")\(path)\n", errors: "")
        if display == nil { return }
        // A program that is opened is not to ignore what this one does.
        let signals = "while read name value; do [ $name = SigIgn: ] && echo $((0x$value >> 12 & 1)); done"
        try home.write("#!/bin/sh\n\(signals) </proc/self/status\nexit 0\n", to: "bin/xdg-open")
        try await open(programs).succeeds(output: "0\n", errors: "")
        try home.write("#!/bin/sh\nexit 3\n", to: "bin/xdg-open")
        try await open(programs).fails(output: "", errors: "apod-mirror: xdg-open cannot open \(path)\n")
    }
}
