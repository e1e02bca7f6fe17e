import Apod
import Configuration
import Glibc
import TestMirror
import TestSupport
import Testing

@Suite("prune", .serialized) struct PruneTests {
    private let newest = Household.newest

    /// Forty-five days, of which forty-one are to go.
    private func filled(_ home: Household) async throws {
        let outcome = try await home.sync("--since", "\(newest.advanced(by: -44))")
        #expect(outcome.status == 0 && outcome.output.hasSuffix(" fetched\n"))
    }

    private func pictures(_ home: Household) async throws -> Int {
        try await home.files().count { $0.hasSuffix(".jpg") }
    }

    @Test("does what a sync holds, and tells before what that is")
    func alone() async throws {
        let home = try Household(days: 45)
        try await filled(home)
        let unset = try await home.run("status", "--json").json()
        #expect(unset.conditions("held").isEmpty)

        let sync = try await home.sync("keep=3d")
        #expect(sync.status == 0 && !sync.output.contains("deleted"), "\(sync)")
        #expect(
            sync.errors.contains("the pictures of 41 days, 820 KB, from 2019-03-17 to 2019-04-26, are to be deleted"))
        #expect(try await pictures(home) == 45)
        let held = try await home.run("status", "--json", "keep=3d").json().conditions("held").first
        #expect(held?["days"]?.integer == 41 && held?["bytes"]?.integer == 820_000)
        #expect(held?["oldest"]?.string == "2019-03-17" && held?["newest"]?.string == "2019-04-26")
        #expect(held?["settings"]?.string == "keep = 3d")
        let status = try await home.run("status", "keep=3d").output
        let extent =
            "the pictures of 41 days, 820 KB, from 2019-03-17 to 2019-04-26, by keep = 3d; as these are so many"
        #expect(status.contains("\nto be deleted: \(extent), they stay until you run `apod-"), "\(status)")
        #expect(status.contains("; to keep them, correct the settings, or make them favorites\n"), "\(status)")
        #expect(!(sync.errors + status).contains("reload"), "\(sync)")

        let list = try await home.run("prune", "keep=3d", "--dry-run")
        let lines = list.output.split(separator: "\n")
        #expect(list.status == 0 && list.errors.isEmpty && lines.count == 42, "\(list)")
        #expect(lines[0] == "41 days to delete, from 2019-03-17 to 2019-04-26, 820 KB:")
        #expect(lines[1].hasPrefix("  2019-03-17  ") && lines[41].hasPrefix("  2019-04-26  "))
        #expect(lines.dropFirst().allSatisfy { $0.hasSuffix(" (20.0 KB)") })
        #expect(try await pictures(home) == 45)

        let prune = try await home.run("prune", "keep=3d")
        #expect(prune.status == 0 && prune.errors.isEmpty, "\(prune)")
        #expect(prune.output == "deleted the pictures of 41 days, 820 KB\n")
        #expect(try await pictures(home) == 4)
        #expect(try await home.run("status", "--json").json().conditions("held").isEmpty)
        let again = try await home.run("prune", "keep=3d")
        #expect(again.status == 0 && again.output == "nothing to delete\n" && again.errors.isEmpty)
        let nothing = try await home.run("prune", "--dry-run")
        #expect(nothing.status == 0 && nothing.output == "nothing to delete: keep is forever, and max-total none\n")
        #expect(try await home.run("verify").status == 0)
    }

    @Test("spares what was linked to meanwhile")
    func favorite() async throws {
        let home = try Household(days: 45)
        try await filled(home)
        #expect(symlink("2019-04-01", "\(home.root)/favorites/mine") == 0)
        let prune = try await home.run("prune", "keep=3d")
        #expect(prune.output == "deleted the pictures of 40 days, 800 KB\n", "\(prune)")
        let spared = try #require(try await home.files().first { $0.contains("2019-04-01") && $0.hasSuffix(".jpg") })
        #expect(target(of: "\(home.root)/favorites/mine") == "../\(spared)")
    }

    @Test("makes nothing where there is nothing")
    func nothing() async throws {
        let home = try Household(days: 1)
        for words in [[], ["--dry-run"]] {
            let outcome = try await home.shell("exec \"$@\"", ["prune"] + words)
            #expect(outcome.errors.contains("\(home.root)") && outcome.output.isEmpty, "\(outcome)")
        }
        #expect(access(home.root, F_OK) != 0)
    }

    @Test("lets a running service do it, which tells what it holds")
    func beside() async throws {
        let attendance = try await Attendance(days: 45)
        let home = attendance.household
        func set(keep: String) throws {
            try home.write(
                "root = \(home.root)\nsince = 2019-03-01\nupstream = \(home.nasa.origin)\nrate = 0\nkeep = \(keep)\n",
                to: "mirror.conf")
        }
        try set(keep: "forever")
        let program = try await attendance.rested()
        #expect(try await home.sync("--since", "\(newest.advanced(by: -44))").status == 0)
        #expect(try await pictures(home) == 45)
        try set(keep: "3d")
        program.send(SIGHUP)
        try await program.outcome { $0.output.contains("new settings") }
        // What was asked for by name is too much for the next sync, which says so, and so does the service.
        let sync = try await home.run("sync")
        #expect(sync.status == 0 && sync.errors.contains("the pictures of 41 days, "), "\(sync)")
        try await program.outcome { $0.errors.contains("the pictures of 41 days, ") }
        #expect(try await pictures(home) == 45)
        let status = try await home.run("status").output
        #expect(status.contains("; to keep them, correct the settings, then reload the service, or "), "\(status)")
        let dry = try await home.run("prune", "--dry-run")
        #expect(dry.status == 0 && dry.output.hasPrefix("41 days to delete") && dry.errors.isEmpty, "\(dry)")

        // What it would be by others is to be learned before they are in the file.
        let other = try await home.run("prune", "--dry-run", "--keep", "20d")
        #expect(other.status == 0 && other.output.hasPrefix("24 days to delete"), "\(other)")
        let refused = try await home.run("prune", "--keep", "20d")
        #expect(refused.status == 2 && refused.errors.contains("--keep only with --dry-run"), "\(refused)")

        let prune = try await home.run("prune")
        #expect(prune.status == 0 && prune.output == "deleted the pictures of 41 days, 820 KB\n", "\(prune)")
        #expect(try await pictures(home) == 4)
        try await program.outcome { $0.output.contains("deleted the pictures of 41 days") }
        let again = try await home.run("prune")
        #expect(again.status == 0 && again.output == "nothing to delete\n" && again.errors.isEmpty)
        #expect(try await home.run("status", "--json").json().conditions("held").isEmpty)
    }

    @Test("is not kept from being told of by a value in the settings that is none")
    func told() async throws {
        let home = try Household(days: 1)
        #expect(try await home.sync().status == 0)
        try home.write("root = \(home.root)\nkeep = 90 days\n", to: "mirror.conf")
        let status = try await home.run("status")
        #expect(status.status == 0, "\(status)")
        #expect(status.errors.contains("mirror.conf:2: “90 days” is not a value for keep"), "\(status)")
        #expect(try await home.run("search", "the").status == 0)
        #expect(try await home.run("favorites").status == 0)
        for command in ["sync", "prune"] { #expect(try await home.run(command).status == 2, "\(command)") }
        for line in ["root = pictures", "keeep = 90d", "state = here"] {
            try home.write("root = \(home.root)\n\(line)\n", to: "mirror.conf")
            let isSetting = !line.hasPrefix("keeep")
            #expect(try await home.run("status").status == (isSetting ? 2 : 0), "\(line)")
        }
    }
}
