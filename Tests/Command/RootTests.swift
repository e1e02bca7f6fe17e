import Glibc
import TestSupport
import Testing

struct RootTests {
    @Test("The root is found from where somebody stands, and told without what leads nowhere")
    func relative() async throws {
        let home = try await CommandSandbox(days: 1).synced()
        for (place, root) in [
            ("", "."), ("", "./"), ("2019", ".."), ("2019/04", "../.."), ("favorites", "./..//."), ("..", "APOD/."),
            ("..", "./APOD//"), ("/", home.root + "//./"),
        ] {
            let here = place == "/" ? place : home[place]
            let status = try await home.shell("cd '\(here)' && exec \"$@\" --root='\(root)'", "status")
            #expect(status.status == 0 && status.output.hasPrefix("folder        \(home.root)\n"), "\(root): \(status)")
        }
    }

    @Test("The root is not begun inside of a mirror, and that one is named", arguments: ["2019/new/er", "favorites"])
    func inside(folder: String) async throws {
        let home = try await CommandSandbox(days: 1).synced()
        let root = home[folder]
        for words in [["sync"], ["status"], ["favorites", "add", "latest"]] {
            try await home.shell("cd '\(home.root)' && exec \"$@\" --root '\(folder)'", words).fails(
                output: "", errors: "apod-mirror: \(root) is inside the mirror in \(home.root): set `root` to that\n")
            #expect(access("\(root)/.apod-mirror", F_OK) != 0)
        }
    }

    @Test("The root is not begun among other things unasked, and it is said how to go on")
    func otherThings() async throws {
        let home = try CommandSandbox(days: 1)
        for folder in [home.root, home["Pictures"]] { #expect(mkdir(folder, 0o755) == 0) }
        try home.write("mine", to: "APOD/letter.odt")
        let words = """
            there is no mirror in \(home.root), but there are other things, like “Pictures”; set `root` to the mirror's \
            own folder, like \(home.root)/APOD; to begin a mirror of yours among them: `mkdir -p \
            '\(home.root)/.apod-mirror'`
            """
        for command in [["sync"], ["run"], ["status"], ["favorites", "add", "latest"]] {
            try await home.run(command).fails(output: "", errors: "apod-mirror: \(words)\n")
        }
        #expect(try await home.shell("ls -A '\(home.root)'").output == "Pictures\nletter.odt\n")
        // Also around another mirror.
        try await home.sync("--root", home["Pictures/APOD"]).succeeds()
        #expect(try await home.sync().errors == "apod-mirror: \(words)\n")
        try await home.shell("mkdir '\(home.root)/.apod-mirror'").succeeds()
        try await home.sync().succeeds()
        #expect(try await home.sync().output == "nothing new\n")
    }

    @Test("The root is begun on a new disk, and beside favorites")
    func usual() async throws {
        let home = try CommandSandbox(days: 1)
        for folder in [home.root] + ["favorites", "lost+found", ".Trash-1000"].map({ home[$0] }) {
            #expect(mkdir(folder, 0o755) == 0)
        }
        try await home.sync().succeeds(errors: "")
    }

    @Test("The root that is a link to a disk that is away, or below one, is not begun")
    func brokenLink() async throws {
        let home = try CommandSandbox(days: 1)
        let disk = home.folder.appending("disk")
        #expect(symlink(disk, home.root) == 0)
        for root in [home.root, home["inner"]] {
            for command in ["sync", "status"] {
                try await home.run(command, "--root", root).fails(output: "", errors: .containing(home.root))
            }
        }
        #expect(mkdir(disk, 0o755) == 0)
        try await home.sync().succeeds()
    }
}
