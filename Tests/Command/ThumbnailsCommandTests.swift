import Apod
import Files
import Glibc
import TestSupport
import Testing

struct ThumbnailsCommandTests {
    private func gallery(_ home: CommandSandbox) async throws -> [String] {
        let found = try await home.shell("cd '\(home.root)' && find gallery -type f -path '*/[12]*/*' | sort")
        return found.lines.map(String.init)
    }

    @Test("Thumbnails are told as they come, in one document even when they are stopped")
    func stream() async throws {
        let home = try CommandSandbox(days: 30, gallery: "yes")
        try await home.sync("gallery=no").succeeds()
        let program = try home.start("thumbnails", "--json")
        try await program.said("2019-04-30")
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

    @Test("A service makes the thumbnails first that somebody asks for")
    func first() async throws {
        let home = try CommandSandbox(days: 30, gallery: "yes")
        try await home.sync("gallery=no").succeeds()
        let program = try home.start("run")
        try await program.said("watching ")
        try await home.run("thumbnails", "2019-04-01").succeeds(output: .lines(2))
        try await home.run("status").says(
            output: .containing("making thumbnails\n"), .containing("(the service makes them)"))
        let files = try await gallery(home)
        #expect(files.count < 60 && files.contains("gallery/2019/2019-04-01-480.webp"))
        // It goes on with the others.
        while program.outcome.end == nil, try await gallery(home).count < 60 {}
        #expect(try await gallery(home).count == 60)
        program.send(SIGTERM)
        try await program.finished().succeeds()
    }
}
