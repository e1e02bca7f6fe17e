import Glibc
import TestSupport
import Testing

@Suite("The root")
struct RootTests {
    @Test("is found from where somebody stands, and told without what leads nowhere")
    func relative() async throws {
        let home = try Household(days: 1)
        #expect(try await home.sync().status == 0)
        for (place, root) in [
            ("", "."), ("", "./"), ("2019", ".."), ("2019/04", "../.."), ("favorites", "./..//."), ("..", "APOD/."),
            ("..", "./APOD//"), ("/", home.root + "//./"),
        ] {
            let here = place == "/" ? place : "\(home.root)/\(place)"
            let status = try await home.shell("cd '\(here)' && exec \"$@\" --root='\(root)'", "status")
            #expect(status.status == 0 && status.output.hasPrefix("folder        \(home.root)\n"), "\(root): \(status)")
        }
    }

    @Test("is not begun inside of a mirror, and that one is named", arguments: ["2019", "2019/new/er", "favorites"])
    func inside(folder: String) async throws {
        let home = try Household(days: 1)
        #expect(try await home.sync().status == 0)
        let root = "\(home.root)/\(folder)"
        for words in [["sync"], ["status"], ["favorites", "add", "latest"], ["sync", "--dry-run"]] {
            let outcome = try await home.shell("cd '\(home.root)' && exec \"$@\" --root '\(folder)'", words)
            #expect(outcome.status == 1 && outcome.output.isEmpty)
            let told = "\(root) is inside the mirror in \(home.root): set `root` to that"
            #expect(outcome.errors == "apod-mirror: \(told)\n")
            #expect(access("\(root)/.apod-mirror", F_OK) != 0)
        }
    }

    @Test(
        "that is a file, or below one, is refused with what to do",
        arguments: [
            "status", "sync", "sync --dry-run", "favorites", "favorites list --json", "search x", "show", "open",
            "verify", "prune", "prune --dry-run", "thumbnails", "run",
        ])
    func file(command: String) async throws {
        let home = try Household()
        try home.write("", to: "APOD")
        for root in ["APOD", "APOD/inner"] {
            let outcome = try await home.shell("\"$1\" \(command) \"${@:2}\" --root '\(home.folder.appending(root))'")
            #expect(outcome.status == 1 && outcome.output.isEmpty, "\(outcome)")
            let told = "\(home.root) is no folder; set `root` to the folder of the mirror, or move that elsewhere"
            let before = root == "APOD" ? "" : "there can be no \(home.root)/inner: "
            #expect(outcome.errors == "apod-mirror: \(before)\(told)\n")
        }
    }
}
