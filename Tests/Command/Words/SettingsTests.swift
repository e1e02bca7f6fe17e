import Apod
import Files
import Glibc
import TestSupport
import Testing

@Suite(.serialized) struct SettingsTests {
    private static let wrong: [(key: String, values: [String], takes: String)] = [
        (
            "root", ["", "/", "//", "/./", "/srv/..", "/../srv/../", "/\u{d4e}/.."],
            "a folder, like /srv/apod, and not / itself"
        ),
        ("since", ["", "yesterday", "1995-06-15", "2019-13-01"], "1995-06-16"),
        ("upstream", ["", "science.nasa.gov", "ftp://a.example", "https://me:secret@a.example"], "https://"),
        ("pictures", ["", "small", "Original"], "original or screen"),
        ("videos", ["", "no"], "yes or poster"),
        (
            "max-file", ["", "0", "-1", "999999", "0.5K", "5 eggs", "99999999999T"],
            "512M, 7.1 GB or 50GiB"
        ),
        ("keep", ["", "0d", "30", "5w", "1.5y", "100000d"], "90d, 12m or 5y"),
        (
            "max-total", ["", "0", "-1", "0.1K B", "forever"],
            "50G, 7.1 GB or 50GiB (K, M, G or T), or none"
        ),
        ("rate", ["", "-1", "nan", "1e300", "1e-300"], "or 0 for no limit"),
        ("connections", ["", "0", "65", "2.5", "99999999999999999999"], "from 1 to 64"),
        ("recheck-days", ["", "-1", "25"], "from 0 to 24"),
        ("gallery", ["", "maybe"], "yes or no"), ("thumbnails", ["", "maybe"], "yes or no"),
        ("sidecars", ["", "maybe"], "yes or no"), ("web-favorites", ["", "maybe"], "yes or no"),
        (
            "web-names", ["", ", ", "http://nas.lan", "nas.lan:8095", "nas.lan.", "näs.lan", "a,\u{301}b"],
            "nas.lan, www.nas.lan, or none"
        ),
        ("listen", ["", "8095", ":8095", "nas:", "nas:0", "nas:65536", "n as:80"], "0.0.0.0:8095"),
        ("state", ["", "/"], "path of a folder"),
        ("contact", ["", " \t"], "address"),
    ]

    @Test(
        "The settings say what they take",
        arguments: wrong.flatMap { wrong in wrong.values.map { (wrong.key, $0, wrong.takes) } })
    func wrongValue(key: String, value: String, takes: String) async throws {
        try await Program.run(
            CommandSandbox.program, ["config", "--config", "/dev/null", "--\(key)=\(value)"], environment: [:]
        ).fails(
            2, output: "", errors: .containing("--\(key): “"), .containing("is not a value for \(key); it takes "),
            .containing(takes))
    }

    /// What `config` says of a key: its value and where it is from.
    private func line(_ key: String, in outcome: Program.Outcome) -> (value: String, origin: String)? {
        for line in outcome.lines where line.hasPrefix("\(key) = ") {
            let parts = line.dropFirst(key.count + 3).split(separator: #/\s+# /#)
            if parts.count == 2 { return (String(parts[0]), String(parts[1])) }
        }
        return nil
    }

    @Test("The settings say no more of a word than fits into a message")
    func longWord() async throws {
        let home = try CommandSandbox()
        let word = String(repeating: "a", count: 20_000)
        try home.set("root = \(home.root)\nsince = \(word)\n\(word)\n\(word) = 1\n")
        let outcome = try await home.run("config")
        outcome.fails(2, errors: .containing("“aaa"), .containing("aaa…”"))
        #expect(outcome.errors.utf8.count < 2000)
    }

    @Test("The settings tell all that is wrong with them at once")
    func allMistakes() async throws {
        let home = try CommandSandbox()
        try home.set("root = \(home.root)\nsince = yesterday\nsomething\n\nkeeep = 3d\n")
        let outcome = try await home.run(
            "config", "--check", "--videos", "no", "--rate", "slow", with: ["APOD_MIRROR_GALLERY": "maybe"])
        outcome.fails(2, output: "")
        let told = [
            "apod-mirror: \(home.configuration):2: “yesterday” is not a value for since; it takes ",
            "\(home.configuration):3: “something” is not `key = value`",
            "\(home.configuration):5: unknown setting “keeep”; did you mean keep?",
            "APOD_MIRROR_GALLERY: “maybe” is not a value for gallery; it takes ",
            "--videos: “no” is not a value for videos; it takes ",
            "--rate: “slow” is not a value for rate; it takes ", "See `apod-mirror help settings`.",
        ]
        let lines = outcome.complaints
        #expect(lines.count == told.count && zip(lines, told).allSatisfy { $0.hasPrefix($1) }, "\(outcome.errors)")
    }

    @Test("The settings come from the command line over the environment over a file over what is usual")
    func precedence() async throws {
        let settings = "\n# our own\nconnections = 5  # behind a value\nmax-file=1G\nkeep = 12m"
        let home = try CommandSandbox(settings: settings)
        let environment = ["APOD_MIRROR_CONNECTIONS": "6", "APOD_MIRROR_MAX_FILE": "2G"]
        let outcome = try await home.run("config", "--connections=7", "--videos", "poster", with: environment)
        outcome.succeeds(errors: "")
        func expect(_ key: String, _ value: String, _ origin: String) {
            let line = line(key, in: outcome)
            #expect(line?.value == value && line?.origin == origin, "\(key): \(String(describing: line))")
        }
        expect("connections", "7", "--connections")
        expect("videos", "poster", "--videos")
        expect("max-file", "2G", "APOD_MIRROR_MAX_FILE")
        expect("root", home.root, "\(home.configuration):1")
        expect("keep", "12m", "\(home.configuration):9")
        expect("max-total", "none", "default")
        expect("recheck-days", "7", "default")
        expect("state", home[".apod-mirror"], "default")
    }

    @Test(
        "The settings take sizes as people write them, and show each so that it can be written again",
        arguments: [("50 GB", "50G"), ("50GiB", "50GiB"), ("7.1 GB", "7100M")])
    func sizes(typed: String, shown: String) async throws {
        let home = try CommandSandbox(settings: "max-total = \(typed)  # all")
        let outcome = try await home.run("config", "--max-file", typed)
        outcome.succeeds(errors: "")
        for key in ["max-file", "max-total"] { #expect(line(key, in: outcome)?.value == shown) }
    }

    @Test("The settings as they are shown, can be put into a file")
    func roundTrip() async throws {
        let home = try CommandSandbox()
        let first = try await home.run(
            "config", "--config", "/dev/null", "--rate", "0.5", "--max-total", "50G", "--web-names",
            "NAS.lan www.nas.lan")
        try home.set(first.output)
        let second = try await home.run("config")
        #expect(first.status == 0 && second.status == 0 && second.output.contains("rate = 0.5"))
        #expect(second.output.contains("\nweb-names = nas.lan, www.nas.lan "))
        let values = [first, second].map {
            $0.output.replacing(#/ +# (/.*|default|--rate|--max-total|--web-names)/#, with: "")
        }
        #expect(values[0] == values[1])
        #expect(first.output.contains("\n# since = 30 days before the first run"))
    }

    @Test("The settings of lists stand in any order, and are shown so that they can be read again")
    func lists() async throws {
        let lines = [
            "list.cats = https://a.example/cats.json?a=1", "list.cats.items = data.cats",
            "list.cats.title = {name} ({breed})",
            "list.cats.cover = https://a.example/cover.jpg", "list.hubble = esa-hubble",
            "list.hubble.picture = Assets[].Resources[ResourceType=Original].URL", "list.hubble.keep = 500",
            "list.x-1 = epic",
        ]
        let said =
            lines + ["list.hubble.id = ID", "list.x-1.keep = all", "list.a = https://esawebb.org/images/d2d/"]
        let home = try CommandSandbox()
        func shown() async throws -> (lines: [Substring], whole: Program.Outcome) {
            let outcome = try await home.run("config")
            outcome.succeeds(errors: "")
            let lines = outcome.lines.filter { $0.hasPrefix("list.") }
            return (lines.map { $0.prefix(upTo: $0.firstRange(of: #/ +# /#)!.lowerBound) }, outcome)
        }
        try home.set("root = \(home.root)\n" + said.reversed().joined(separator: "\n"))
        let first = try await shown()
        #expect(first.lines.map(String.init) == ["list.a = esa-webb"] + lines)
        #expect(line("list.x-1", in: first.whole)?.origin == "\(home.configuration):5")
        try home.set(first.whole.output)
        #expect(try await shown().lines == first.lines)
    }

    @Test("The settings of lists say what is wrong with them")
    func listMistakes() async throws {
        let rows: [(line: String, told: String)] = [
            (
                "list = esa-hubble",
                "unknown setting “list”; write list.NAME, a name of small letters, digits and hyphens"
            ),
            ("list.Cats = eso", "unknown setting “list.Cats”; write list.NAME"),
            ("list..id = x", "unknown setting “list..id”; write"),
            (
                "list.a = hubble",
                "“hubble” is not a value for list.a; it takes a known list (epic, esa-hubble, esa-webb, eso, "
                    + "noirlab), or an address like https://"
            ),
            ("list.b = javascript:x", "“javascript:x” is not a value for list.b; it takes"), ("list.c = eso", ""),
            ("list.c.titel = x", "unknown setting “list.c.titel”; did you mean list.c.title?"),
            ("list.c.colour = x", "unknown setting “list.c.colour”; of a list, you can set items, "),
            ("list.c.title.x = x", "unknown setting “list.c.title.x”"), ("list.c.title = x", ""),
            ("list.d.title = x", "list.d.title needs a valid list.d beside it"),
            (
                "list.c.title = a..b",
                "“a..b” is not a value for list.c.title; it takes a path like title.rendered, or text"
            ),
            ("list.c.items = {a}", "“{a}” is not a value for list.c.items; it takes a path like data.items"),
            (
                "list.c.picture = https://a.example/x.jpg",
                "“https://a.example/x.jpg” is not a value for list.c.picture; it"
            ),
            (
                "list.c.keep = 0",
                "“0” is not a value for list.c.keep; it takes a whole number from 1 to 1000000, or all"
            ),
            ("list.c.keep = 90d", "“90d” is not a value for list.c.keep"),
            ("list.c.cover = none", "“none” is not a value"),
        ]
        let home = try CommandSandbox()
        try home.set("root = \(home.root)\n" + rows.map(\.line).joined(separator: "\n"))
        let outcome = try await home.run("config", "--check")
        outcome.fails(2, output: "")
        for (index, row) in rows.enumerated() {
            let told = outcome.complaints.filter { $0.contains("\(home.configuration):\(index + 2): ") }
            #expect(told.count == (row.told.isEmpty ? 0 : 1), "\(row.line)")
            #expect(told.allSatisfy { $0.contains(": \(row.told)") }, "\(row.line): \(told)")
        }
    }

    @Test(
        "The settings with a mistake are warned of by what looks or changes favorites, and refused by all else",
        arguments: [
            ("echo 'upstrem = x' >>mirror.conf", "mirror.conf:5: unknown setting “upstrem”; did you mean upstream?"),
            ("echo 'keep = 90 days' >>mirror.conf", "mirror.conf:5: “90 days” is not a value for keep; it takes"),
            ("printf '# \\374' >>mirror.conf", "mirror.conf is not text in UTF-8"),
            ("rm mirror.conf && mkdir mirror.conf", "mirror.conf: Is a directory"),
        ])
    func mistake(script: String, complaint: String) async throws {
        let home = try await CommandSandbox(days: 1).synced()
        try await home.shell("cd '\(home.folder.path)' && \(script)").succeeds()
        for command in ["status", "show", "search owl", "sync", "prune", "favorites add latest", "config --check"] {
            let words = command.split(separator: " ").map(String.init)
            let outcome = try await home.run(words, with: ["APOD_MIRROR_ROOT": home.root])
            let goesOn = ["status", "show", "search", "favorites"].contains(words[0])
            #expect(outcome.status == (goesOn ? 0 : 2), "\(command): \(outcome)")
            outcome.says(errors: .containing(complaint))
        }
    }

    @Test("The settings in what is no file are refused at once", arguments: ["pipe", "/dev/zero", "/", "/dev/null"])
    func noFile(kind: String) async throws {
        let home = try CommandSandbox()
        let path = kind == "pipe" ? home.folder.appending("pipe") : kind
        if kind == "pipe" { #expect(mkfifo(path, 0o644) == 0) }
        let outcome = try await home.run("config", "--check", "--config", path, limit: .seconds(180))
        let isFine = kind == "/dev/null"
        #expect(outcome.status == (isFine ? 0 : 2) && outcome.errors.contains(path) == !isFine, "\(outcome)")
    }

    @Test("The settings in the environment are known by their names, and others are told")
    func environment() async throws {
        let home = try CommandSandbox()
        func complaints(of name: String) async throws -> String {
            let outcome = try await home.run("config", with: [name: "3d"])
            outcome.succeeds(output: .containing("\nkeep = "))
            return outcome.errors
        }
        #expect(
            try await complaints(of: "APOD_MIRROR_KEPT").contains(
                "APOD_MIRROR_KEPT: unknown setting in the environment; did you mean APOD_MIRROR_KEEP?\n"))
        // Also where nothing but the place is asked for.
        try await home.run("status", with: ["APOD_MIRROR_KEPT": "3d"]).says(
            errors: .containing("APOD_MIRROR_KEPT: unknown setting in the environment"))
        let strange = try await complaints(of: "APOD_MIRROR_ENTIRELY_ELSE")
        #expect(strange.contains("unknown setting") && !strange.contains("did you mean"), "\(strange)")
        for name in ["APOD_MIRROR", "APOD_MIRRORS", "APOD_MIRROR_KEEP"] {
            #expect(try await complaints(of: name).isEmpty, "\(name)")
        }
    }

    @Test("The settings say that the first day was chosen when the mirror was begun, and which that is")
    func since() async throws {
        let home = try CommandSandbox(days: 1)
        try home.set("root = \(home.root)\nupstream = \(home.nasa.origin)\nrate = 0\n")
        #expect(try await home.run("config").output.contains("\n# since = 30 days before the first run "))
        try await home.run("sync", "\(CommandSandbox.newest)").succeeds()
        // The day it would be tomorrow is not the day that it is.
        let chosen = NewYork.day(at: time(nil)).advanced(by: -30)
        let since = line("since", in: try await home.run("config"))
        #expect(since?.origin == "chosen when the mirror was begun" && since?.value == "\(chosen)")
        let typed = line("since", in: try await home.run("config", "--since", "2019-04-02"))
        #expect(typed?.value == "2019-04-02" && typed?.origin == "--since")
    }

    @Test("The settings are read from a file that Windows wrote")
    func windows() async throws {
        let home = try CommandSandbox()
        try home.set("\u{feff}rate = 2\r\n# a note\r\ncontact = https://a.example/#us\t# whom\r\n")
        let outcome = try await home.run("config")
        #expect(line("rate", in: outcome)?.origin == "\(home.configuration):1")
        #expect(line("contact", in: outcome)?.value == "https://a.example/#us")
    }

    @Test(
        "The settings are in one file: the person's own, or else everybody's",
        .enabled(if: Disk.canBeMade, "needs root and mount(2)"))
    func oneFile() async throws {
        let home = try CommandSandbox()
        let usual = home.folder.appending("Pictures/APOD")
        #expect(mkdir(home.folder.appending(".config"), 0o700) == 0)
        let everybodys = "root = /srv/apod\nkeep = 3d\nconnections = 2\n"
        let script = "mount -t tmpfs none /etc && printf '%s' \"$1\" >/etc/apod-mirror.conf && exec \"${@:2}\""
        func config(_ words: String..., variables: [String: String] = [:]) async throws -> Program.Outcome {
            let prefix = ["--mount", "bash", "-c", script, "bash", everybodys, CommandSandbox.program, "config"]
            return try await Program.run(
                "/usr/bin/unshare", prefix + words, environment: home.environment.merging(variables) { $1 })
        }
        func values(_ outcome: Program.Outcome) -> [String?] {
            ["root", "keep", "max-total", "connections"].map { line($0, in: outcome)?.value }
        }
        #expect(values(try await config()) == ["/srv/apod", "3d", "none", "2"])
        try home.write("max-total = 1G\n", to: ".config/apod-mirror.conf")
        #expect(values(try await config()) == [usual, "forever", "1G", "4"])
        #expect(values(try await config("--config", "/etc/apod-mirror.conf")) == ["/srv/apod", "3d", "none", "2"])
        // It describes one mirror, whoever names another and by whichever way.
        let theirs = ["/srv/apod", "forever", "none", "4"]
        let other = try await config("--root", "/srv/apod")
        #expect(values(other) == theirs && line("max-total", in: other)?.origin == "default")
        let own = home.folder.appending(".config/apod-mirror.conf")
        let told = "# \(own) describes the mirror in \(usual) and does not count here\n"
        other.says(output: .ending(told))
        #expect(values(try await config(variables: ["APOD_MIRROR_ROOT": "/srv/apod"])) == theirs)
        #expect(values(try await config("--root", "/x", "--config", own)) == ["/x", "forever", "none", "4"])
        try await home.shell("mkdir -p '\(usual)' && ln -s '\(usual)' ~/way").succeeds()
        let way = home.folder.appending("way")
        #expect(values(try await config("--root", way)) == [way, "forever", "1G", "4"])
        #expect(values(try await config("--root", usual, "--keep", "9d")) == [usual, "9d", "1G", "4"])
        // Nor do its mistakes count for another mirror.
        try home.write("root = \(usual)\nkeep = x\n", to: ".config/apod-mirror.conf")
        try await config().fails(2)
        #expect(values(try await config("--root", "/srv/apod")) == theirs)
        // What cannot be read is not passed over for everybody's.
        try await home.shell("rm '\(own)' && mkdir '\(own)'").succeeds()
        try await config().fails(2, errors: .containing("Is a directory"))
        // Everybody's names no folder in somebody's home.
        let place = "/etc/apod-mirror.conf"
        let with = "mount -t tmpfs none /etc && echo 'state = ~/state' >\(place)"
        try await home.privately("\(with) && exec \"$@\"", ["config", "--config", place]).fails(
            2, errors: .containing("\(place):1: “~/state” is not a value for state"))
    }

    @Test("The settings find the home and the folder of pictures")
    func homes() async throws {
        let home = try CommandSandbox(settings: "state = ~/state")
        #expect(line("state", in: try await home.run("config"))?.value == home.folder.appending("state"))
        let typed = try await home.run("config", "--root=~/pictures/", "--state", "here")
        #expect(line("root", in: typed)?.value == home.folder.appending("pictures"))
        #expect(line("state", in: typed)?.value.hasSuffix("/here") == true)
        #expect(line("state", in: typed)?.value.hasPrefix("/") == true)

        func root(_ variables: [String: String] = [:]) async throws -> String? {
            line("root", in: try await home.run("config", "--config", "/dev/null", with: variables))?.value
        }
        func pictures(_ name: String) -> String { home.folder.appending("\(name)/APOD") }
        #expect(try await root() == pictures("Pictures"))
        #expect(mkdir(home.folder.appending(".config"), 0o700) == 0)
        try home.write("# a comment\nXDG_PICTURES_DIR=\"$HOME/Bilder\"\n", to: ".config/user-dirs.dirs")
        #expect(try await root() == pictures("Bilder"))
        // As the shell would read it, the last one counts.
        let lines = ["Old", "Bilder"].map { "XDG_PICTURES_DIR=\"$HOME/\($0)\"\n" }
        try home.write(lines.joined(), to: ".config/user-dirs.dirs")
        #expect(try await root() == pictures("Bilder"))
        // As the settings that are given: known by one name, however it is written.
        #expect(try await root(["HOME": "\(home.folder.path)//."]) == pictures("Bilder"))
        // What is no whole path counts for nothing (XDG base directories).
        try home.write("XDG_PICTURES_DIR=\"$HOME/Images\"\n", to: "user-dirs.dirs")
        for (folder, name) in [(home.folder.path, "Images"), ("config", "Bilder"), ("", "Bilder")] {
            #expect(try await root(["XDG_CONFIG_HOME": folder]) == pictures(name), "\(folder)")
        }
    }
}
