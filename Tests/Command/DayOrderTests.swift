import Apod
import Glibc
import TestSupport
import Testing

/// What a power cut must not tear apart: each step is on the disk before the one that relies on it.
@Suite(.serialized, .enabled("needs strace") { await DiskRecord.isPossible() })
struct DayOrderTests {
    private let day = CommandSandbox.newest
    private let stem = "2019/04/2019-04-30 Orion"
    private let addedJSON = ["write unfinished/2019-04-30 Orion.json", "sync unfinished/2019-04-30 Orion.json"]
    private var namedJSON: String { "rename unfinished/2019-04-30 Orion.json → \(stem).json" }
    private let hidden = [
        "write unfinished/2019-04.hidden", "sync unfinished/2019-04.hidden",
        "rename unfinished/2019-04.hidden → 2019/04/.hidden",
    ]

    /// What is replaced has its place before anything takes it over.
    private func kept(_ file: String? = nil) -> [String] {
        let place = ".apod-mirror/replaced/apod/2019-04-30 Orion/1"
        var steps: [String] = []
        var above = ".apod-mirror"
        for part in place.split(separator: "/").dropFirst() {
            steps += ["make \(above)/\(part)", "sync \(above)"]
            above += "/\(part)"
        }
        return steps + (file.map { ["link 2019/04/\($0) → \(place)/\($0)"] } ?? []) + [
            "write unfinished/2019-04-30.former", "sync unfinished/2019-04-30.former",
            "rename unfinished/2019-04-30.former → \(place)/2019-04-30 Orion.json", "sync \(place)",
        ]
    }

    private func sandbox(_ media: Entry.Media = .picture(.jpg), bytes: Int = 20_000) throws -> CommandSandbox {
        try CommandSandbox([Entry(day, media, title: "Orion", bytes: bytes)])
    }

    @Test("The order on the disk in which a day is added: its picture, the catalog, its JSON, latest")
    func added() async throws {
        let steps = try await sandbox().steps("sync", "\(day)")
        #expect(
            steps.contains(
                ["write unfinished/2019-04-30 #", "sync unfinished/2019-04-30 #"] + addedJSON + [
                    "make 2019", "sync .", "make 2019/04", "sync 2019",
                    "rename unfinished/2019-04-30 # → \(stem).jpg",
                ] + hidden + [
                    "sync 2019/04", "commit", namedJSON, "sync 2019/04",
                    "symlink .apod-mirror/latest.new", "rename .apod-mirror/latest.new → latest",
                    "symlink .apod-mirror/latest.json.new", "rename .apod-mirror/latest.json.new → latest.json",
                    "symlink .apod-mirror/latest.jpg.new", "rename .apod-mirror/latest.jpg.new → latest.jpg",
                    "sync .",
                ]))
        // Where the range begins.
        #expect(
            steps.contains([
                "commit", "write unfinished/since", "sync unfinished/since",
                "rename unfinished/since → .apod-mirror/since", "sync .apod-mirror",
            ]))
    }

    @Test("The order on the disk in which a day is added with several files: all of them before the JSON")
    func several() async throws {
        let steps = try await sandbox(.video).steps("sync", "\(day)")
        let here = steps.filter { $0.contains(" → 2019/04/") || $0 == "sync 2019/04" || $0 == "commit" }
        let first = try #require(here.firstIndex { $0.hasPrefix("rename") })
        let files = ["mp4", "jpg"].map { "rename unfinished/2019-04-30 # → \(stem).\($0)" }
        #expect(Set(here[first..<first + 2]) == Set(files))
        #expect(
            here[(first + 2)...].starts(with: [
                hidden[2], "sync 2019/04", "commit", namedJSON, "sync 2019/04",
            ]))
    }

    @Test(
        "The order on the disk in which a day gets another picture: what was there is kept, gives its place to the new one, and the JSON comes last"
    )
    func replaced() async throws {
        let home = try sandbox()
        try await home.steps("sync", "\(day)")
        home.nasa[day]?.media = .picture(.png)
        let steps = try await home.steps("sync", "\(day)")
        #expect(
            steps.contains(
                ["sync unfinished/2019-04-30 #"] + addedJSON + kept("2019-04-30 Orion.jpg") + [
                    "rename unfinished/2019-04-30 # → \(stem).png", "sync 2019/04", "commit",
                    "symlink .apod-mirror/latest.new", "rename .apod-mirror/latest.new → latest",
                    "remove latest.jpg", "sync .", "remove \(stem).jpg", "sync 2019/04", namedJSON, "sync 2019/04",
                ]))
    }

    @Test(
        "The order on the disk in which a day gets another text: the JSON is kept before it is another, and no picture is touched"
    )
    func corrected() async throws {
        let home = try sandbox()
        try await home.steps("sync", "\(day)")
        home.nasa[day]?.explanation = "Another text."
        let steps = try await home.steps("sync", "\(day)")
        #expect(
            steps.contains(
                kept() + ["sync 2019/04", "commit", namedJSON, "sync 2019/04"]))
        #expect(!steps.contains { $0.contains(".jpg") }, "\(steps)")
    }

    @Test("The order on the disk in which a day is repaired: what was damaged is kept")
    func repaired() async throws {
        let home = try sandbox()
        try await home.steps("sync", "\(day)")
        _ = try await home.shell("truncate -s 100 '\(home.root)/\(stem).jpg'")
        let steps = try await home.steps("verify", "--repair")
        #expect(
            steps.contains(
                [
                    "make .apod-mirror/set-aside", "sync .apod-mirror", "make .apod-mirror/set-aside/1",
                    "sync .apod-mirror/set-aside",
                    "link \(stem).jpg → .apod-mirror/set-aside/1/2019-04-30 Orion.jpg",
                    "sync .apod-mirror/set-aside/1",
                    "rename unfinished/2019-04-30 # → \(stem).jpg", "sync 2019/04", "commit", namedJSON, "sync 2019/04",
                ]))
    }

    @Test(
        "The order on the disk in which a day is pruned: a mark comes before the first file goes, the JSON tells of it, then the catalog"
    )
    func pruned() async throws {
        let home = try sandbox()
        home.nasa.add(Entry(day.advanced(by: -9), .picture(.png), title: "Old"))
        try await home.steps("sync", "--until", "\(day)")
        let old = "2019/04/2019-04-21 Old"
        let steps = try await home.steps("sync", "--until", "\(day)", "keep=1d")
        #expect(
            steps.contains(
                [
                    "commit", "remove \(old).png", "sync 2019/04", "write unfinished/2019-04-21.pruned",
                    "sync unfinished/2019-04-21.pruned", "rename unfinished/2019-04-21.pruned → \(old).json",
                ] + hidden + ["sync 2019/04", "commit"]))
    }

    @Test(
        "The order on the disk in which a day is gone on with after a kill: its note is there before its bytes, and for longer than they are unfinished"
    )
    func resumed() async throws {
        let home = try sandbox(bytes: 8_000_000)
        let (partial, note) = ("unfinished/2019-04-30 #", "unfinished/2019-04-30 #.note")
        // In the middle of the picture.
        let (outcome, record) = try await home.recorded(["sync", "\(day)"], killing: ("recvfrom", 20))
        #expect(outcome.end == .signalled(SIGKILL))
        #expect(record.story.filter { $0.contains(partial) } == ["write \(note)", "write \(partial)"])
        let steps = try await home.steps("sync", "\(day)").filter { $0.contains(partial) }
        #expect(
            steps == [
                "shorten \(partial)", "write \(partial)", "sync \(partial)", "rename \(partial) → \(stem).jpg",
                "remove \(note)",
            ])
        #expect(home.nasa.requests.last { $0.path.hasPrefix(Entry.originals) }?.headers["range"] != nil)
    }
}
