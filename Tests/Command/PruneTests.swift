import Apod
import Configuration
import Glibc
import TestMirror
import TestSupport
import Testing

@Suite(.serialized) struct PruneTests {
    private let newest = CommandSandbox.newest

    /// Forty-five days, of which forty-one are to go.
    private func filled(_ home: CommandSandbox) async throws {
        try await home.sync("--since", "\(newest.advanced(by: -44))").succeeds(output: .ending(" fetched\n"))
    }

    private func pictures(_ home: CommandSandbox) async throws -> Int {
        try await home.files(".jpg").count
    }

    @Test("prune does what a sync holds, and tells before what that is")
    func alone() async throws {
        let home = try CommandSandbox(days: 45)
        try await filled(home)
        let unset = try await home.json("status")
        #expect(unset.conditions("held").isEmpty)

        let sync = try await home.sync("keep=3d")
        sync.succeeds(
            output: .without("deleted"),
            errors: .containing("the pictures of 41 days, from 2019-03-17 to 2019-04-26, 820 KB, are to be deleted"))
        #expect(try await pictures(home) == 45)
        let held = try await home.json("status", "keep=3d").conditions("held").first
        #expect(held?["days"]?.integer == 41 && held?["bytes"]?.integer == 820_000)
        #expect(held?["oldest"]?.string == "2019-03-17" && held?["newest"]?.string == "2019-04-26")
        #expect(held?["settings"]?.string == "keep = 3d")
        let status = try await home.run("status", "keep=3d").unwrapped
        let extent =
            "the pictures of 41 days, from 2019-03-17 to 2019-04-26, 820 KB, by keep = 3d"
        #expect(status.contains("\nto be deleted: \(extent): they stay until you run `apod-"))
        #expect(status.contains("; to keep them, correct the settings, or make them favorites\n"))
        #expect(!(sync.errors + status).contains("reload"), "\(sync)")

        let list = try await home.run("prune", "keep=3d", "--dry-run")
        let lines = list.lines
        #expect(list.status == 0 && list.errors.isEmpty && lines.count == 42, "\(list)")
        #expect(lines[0] == "41 days to delete, from 2019-03-17 to 2019-04-26, 820 KB:")
        #expect(lines[1].hasPrefix("  2019-03-17  ") && lines[41].hasPrefix("  2019-04-26  "))
        #expect(lines.dropFirst().allSatisfy { $0.hasSuffix(" (20.0 KB)") })
        #expect(try await pictures(home) == 45)

        let prune = try await home.run("prune", "keep=3d")
        prune.succeeds(output: "deleted the pictures of 41 days, 820 KB\n", errors: "")
        #expect(try await pictures(home) == 4)
        #expect(try await home.json("status").conditions("held").isEmpty)
        try await home.run("prune", "keep=3d").succeeds(output: "nothing to delete\n", errors: "")
        let nothing = try await home.run("prune", "--dry-run")
        nothing.succeeds(output: "nothing to delete: keep is forever, and max-total none\n")
        try await home.run("verify").succeeds()
    }

    @Test("prune spares what was linked to meanwhile")
    func favorite() async throws {
        let home = try CommandSandbox(days: 45)
        try await filled(home)
        try home.link("mine", to: "2019-04-01")
        try await home.run("prune", "keep=3d").says(output: "deleted the pictures of 40 days, 800 KB\n")
        let spared = try #require(try await home.files(".jpg").first { $0.contains("2019-04-01") })
        #expect(target(of: home["favorites/mine"]) == "../\(spared)")
    }

    @Test("prune makes nothing where there is nothing")
    func nothing() async throws {
        let home = try CommandSandbox(days: 1)
        for words in [[], ["--dry-run"]] {
            try await home.run(["prune"] + words).says(output: "", errors: .containing("\(home.root)"))
        }
        #expect(access(home.root, F_OK) != 0)
    }

    @Test("prune beside a running service, shows what that holds, and what other settings would delete")
    func beside() async throws {
        let mirror = try await ServiceSandbox(days: 45)
        let home = mirror.sandbox
        let program = try await mirror.rested()
        try await home.sync("--since", "\(newest.advanced(by: -44))").succeeds()
        try home.set(home.settings + "keep = 3d\n")
        program.send(SIGHUP)
        try await program.said("new settings")
        // What was asked for by name is too much for the next sync, which says so, and so does the service.
        try await home.run("sync").succeeds(errors: .containing("the pictures of 41 days, "))
        try await program.complained("the pictures of 41 days, ")
        #expect(try await pictures(home) == 45)
        let status = try await home.run("status").unwrapped
        #expect(status.contains("; to keep them, correct the settings, then stop the service and start it again, or "))
        try await home.run("prune", "--dry-run").succeeds(output: .starting("41 days to delete"), errors: "")
        try await home.run("prune", "--dry-run", "--keep", "20d").succeeds(output: .starting("24 days to delete"))
        try await home.run("prune").succeeds(output: "deleted the pictures of 41 days, 820 KB\n")
        #expect(try await home.json("status").conditions("held").isEmpty)
    }
}
