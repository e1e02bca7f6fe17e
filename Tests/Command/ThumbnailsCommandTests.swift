import Apod
import Files
import Glibc
import TestSupport
import Testing

@Suite(.serialized) struct ThumbnailsCommandTests {
    /// With pictures that have none yet.
    private func sandbox(days: Int) async throws -> CommandSandbox {
        let home = try await CommandSandbox(days: days, gallery: "yes").synced("gallery=no")
        return home
    }

    private func gallery(_ home: CommandSandbox) async throws -> [String] {
        let found = try await home.shell("cd '\(home.root)' && find gallery -type f -path '*/[12]*/*' | sort")
        return found.lines.map(String.init)
    }

    @Test("thumbnails makes those that are missing and prints their paths, and then has nothing to make")
    func makes() async throws {
        let home = try await sandbox(days: 3)
        let outcome = try await home.run("thumbnails")
        outcome.succeeds(errors: "")
        let paths = outcome.lines.map(String.init)
        #expect(paths.count == 6 && paths.allSatisfy { access($0, R_OK) == 0 })
        let files = try await gallery(home)
        #expect(Set(paths) == Set(files.map { home[$0] }))
        for name in ["2019-04-30-480.webp", "2019-04-28-1280.jpg"] { #expect(files.contains("gallery/2019/\(name)")) }
        try await home.run("thumbnails").succeeds(output: "nothing to make\n")
        try await home.run("thumbnails", "2019-04-29").succeeds(output: .lines(2), .containing("2019-04-29-480.webp"))
    }

    @Test(
        "thumbnails tells programs of each day as it comes, in one document also where it is stopped or nothing is made"
    )
    func stream() async throws {
        let home = try CommandSandbox(days: 30, gallery: "yes")
        let since = CommandSandbox.newest.advanced(by: -29)
        try await home.sync("--since", "\(since)", "gallery=no").succeeds()
        let program = try home.start("thumbnails", "--json")
        let told = try await program.said("2019-04-30")
        #expect(told.end == nil, "\(told)")
        program.send(SIGINT)
        let stopped = try await program.finished()
        let days = try #require(try JSONText(stopped.outputBytes).elements)
        #expect(days.count < 30 && days.contains { $0["date"]?.string == "2019-04-30" })
        let rest = try await home.run("thumbnails", "--json")
        let others = try #require(try JSONText(rest.outputBytes).elements)
        let dates = Set(days.map { $0["date"]?.string })
        #expect(rest.status == 0 && !others.isEmpty && others.allSatisfy { !dates.contains($0["date"]?.string) })
        try await home.run("thumbnails", "--json").succeeds(output: "[]\n")
    }

    @Test("thumbnails are made by sync, told of by status, and taken away where the gallery is not wanted")
    func settings() async throws {
        let home = try await CommandSandbox(days: 2).synced()
        #expect(try await gallery(home).isEmpty)
        let wanted = try await home.json("status", "gallery=yes")
        #expect(wanted["without_thumbnails"]?.integer == 2)
        #expect(try await home.json("status")["without_thumbnails"]?.integer == 0)
        try await home.sync("gallery=yes").succeeds(output: .containing("2 pictures got thumbnails"))
        #expect(try await gallery(home).count == 4)
        let done = try await home.json("status", "gallery=yes")
        #expect(done["without_thumbnails"]?.integer == 0 && done.conditions("undecodable").isEmpty)
        #expect(try await home.sync("gallery=yes").output == "nothing new\n")
        try await home.sync("gallery=no").succeeds()
        #expect(try await gallery(home).isEmpty && access(home["gallery"], F_OK) != 0)
        try await home.run("verify").succeeds()
    }

    @Test(
        "thumbnails are those that the settings ask for: a sync finds none too many, and where none are wanted, it says so"
    )
    func wanted() async throws {
        let home = try await CommandSandbox(days: 2).synced()
        for words in [["thumbnails"], ["thumbnails", "2019-04-30"], ["thumbnails", "--json"]] {
            try await home.shell("\"$@\"", words).fails(errors: .containing("`gallery` and `thumbnails` are both `no`"))
        }
        #expect(access(home["gallery"], F_OK) != 0)
        let shared = try await home.run("thumbnails", "thumbnails=yes")
        shared.succeeds(output: .lines(4))
        #expect(shared.lines.allSatisfy { $0.contains("/.sh_thumbnails/") })
        #expect(access(home["gallery"], F_OK) != 0)
        let inode = try await home.shell("cd '\(home.root)' && ls -i 2019/04/.sh_thumbnails/*/*")
        try await home.sync("thumbnails=yes").succeeds()
        #expect(try await home.shell("cd '\(home.root)' && ls -i 2019/04/.sh_thumbnails/*/*").output == inode.output)
    }

    @Test("thumbnails beside a service that makes all of them, come first for the days that somebody asks for")
    func first() async throws {
        let home = try CommandSandbox(days: 20, gallery: "yes")
        let oldest = CommandSandbox.newest.advanced(by: -19)
        try await home.sync("--since", "\(oldest)", "gallery=no").succeeds()
        let program = try home.start("run")
        try await program.said("watching ")
        try await home.run("thumbnails", "\(oldest)").succeeds(output: .lines(2))
        try await home.run("status").says(
            output: .containing("making thumbnails\n"), .containing("(the service makes them)"))
        let files = try await gallery(home)
        #expect(files.count < 40 && files.contains("gallery/2019/\(oldest)-480.webp"), "\(files.count)")
        // It goes on with the others.
        while program.outcome.end == nil, try await gallery(home).count < 40 {}
        #expect(try await gallery(home).count == 40)
        program.send(SIGTERM)
        try await program.finished().succeeds()
    }

    @Test("thumbnails are copied where a disk lets no file have two names")
    func copies() async throws {
        let home = try await CommandSandbox(days: 1, thumbnails: "yes").synced("thumbnails=no")
        try await home.shell(
            "strace -f -qq -o /dev/null -e trace=linkat -e inject=linkat:error=EPERM \"$@\" sync --until 2019-04-30"
        ).succeeds()
        let files = try await home.shell(
            "cd '\(home.root)' && find . -path '*/.sh_thumbnails/*' -type f -links 1 | xargs -d '\\n' md5sum | cut -c 1-32 | sort | uniq -c | awk '{print $1}'"
        )
        // Under both names.
        files.says(output: "2\n2\n")
    }
}
