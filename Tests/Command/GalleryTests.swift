import Apod
import Glibc
import TestSupport
import Testing

struct GalleryTests {
    @Test("The gallery is there before the thumbnails, and stays when they are stopped")
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

    private func text(_ name: String, _ home: CommandSandbox) -> String {
        ((try? contents(home[name])) ?? []).text
    }
}
