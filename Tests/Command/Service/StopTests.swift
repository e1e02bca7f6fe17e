import Apod
import Glibc
import TestSupport
import Testing

/// The program is killed at each of its steps on the disk in turn, and started again.
@Suite(.serialized, .enabled("needs strace") { await DiskRecord.isPossible() })
struct StopTests {
    private static let (old, corrected, new) = (Day("2019-04-21")!, Day("2019-04-29")!, Day("2019-04-30")!)

    /// A mirror of two days; since then, one of them has been corrected, another one has come, and somebody has dropped
    /// two links.
    private func sandbox(_ blow: String = ":") async throws -> CommandSandbox {
        let home = try await CommandSandbox([
            Entry(Self.old, .picture(.png), title: "Old"),
            Entry(Self.corrected, title: "Clouds"),
        ]).synced()
        home.nasa[Self.corrected]?.media = .picture(.gif)
        home.nasa.add(Entry(Self.new, .video, title: "Orion"))
        let links = ["2019-04-21 Old.png", "2019-04-29 Clouds.jpg"].map {
            "ln -s '\(home.root)/2019/04/\($0)' favorites/"
        }
        let script = "cd '\(home.root)' && \(links.joined(separator: " && ")) && \(blow) && cp -a . ../before"
        try await home.shell(script).succeeds()
        return home
    }

    /// What somebody does to the mirror, what is done then, and the calls at which that is killed.
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        var blow = ":"
        let words: [String]
        let calls: [String]
        /// What does the rest.
        var next: [String]?

        var testDescription: String { name }
    }

    private static let cases = [
        Case(
            name: "adding, replacing, adopting", words: ["sync", "\(corrected)", "\(new)"],
            calls: [
                "ftruncate", "fsync", "fdatasync", "mkdirat", "symlinkat", "?renameat", "renameat2", "unlinkat",
                "pwrite64",
            ]),
        Case(
            name: "pruning", blow: "rm favorites/*Old*",
            words: ["sync", "--since=\(corrected)", "--until=\(new)", "keep=2d"],
            calls: ["fsync", "fdatasync", "?renameat", "unlinkat"]),
        Case(
            name: "setting a catalog aside and making another", blow: "echo nonsense >.apod-mirror/catalog.sqlite",
            words: ["sync", "\(new)"], calls: ["fsync", "fdatasync", "?rename", "?unlink", "pwrite64"]),
        Case(
            name: "repairing", blow: "truncate -s 100 2019/04/*.jpg", words: ["verify", "--repair"],
            calls: ["fsync", "symlinkat", "?renameat", "unlinkat"], next: ["sync", "\(corrected)"]),
    ]

    private static let strides = ["pwrite64": 29, "fsync": 3, "fdatasync": 3]

    @Test("Killed at any step it does the rest the next time, and nothing that was good is lost", arguments: cases)
    func stopped(example: Case) async throws {
        let home = try await sandbox(example.blow)
        let before = try await pictures(of: home)
        let next = example.next ?? example.words
        for words in [example.words, next] { try await home.run(words).succeeds() }
        let whole = try await state(of: home)
        let good = before.union(try await pictures(of: home))
        var stops = 0
        for call in example.calls {
            // Most of what SQLite writes is alike, and much of what is brought to the disk.
            for time in stride(from: 1, to: .max, by: Self.strides[call] ?? 1) {
                try await home.shell("cd '\(home.folder.path)' && rm -r APOD && cp -a before APOD").succeeds()
                let (outcome, record) = try await home.recorded(example.words, killing: (call, time))
                if outcome.end != .signalled(SIGKILL) { break }
                stops += 1
                let place = Comment("at \(call) \(time), after \(record.story.suffix(3))")
                #expect(try await pictures(of: home).isSubset(of: good), place)
                #expect(try await home.shell("find '\(home.root)' -maxdepth 1 -xtype l").output == "", place)
                #expect(try await home.run(next).status == 0, place)
                let changes = try await state(of: home).difference(from: whole).map(\.shown)
                #expect(changes == [], place)
            }
        }
        #expect(stops > 2)
    }

    /// All that have a final name: what is in them, and what they are called.
    private func pictures(of home: CommandSandbox) async throws -> Set<String> {
        let script = "cd '\(home.root)' && find 2* -type f -not -name '*.json' -not -name .hidden -exec sha256sum {} +"
        return Set(try await home.shell(script).lines.map(String.init))
    }

    /// What there is to see; nothing in it tells of the time, or of the files that links led to at some time.
    private func state(of home: CommandSandbox) async throws -> [String] {
        let verified = try await home.run("verify", "--json")
        verified.succeeds()
        let filter = "sed -e '/\"added\"/d' -e '/\"files\": {/,/}/d'"
        let favorites = try await home.shell("\"$@\" | \(filter)", "favorites", "list", "--json")
        let tree = listing(home.root).filter { !$0.contains("catalog.sqlite") && !$0.contains("favorites/.") }
        return tree + [verified.output, favorites.output] + (try await pictures(of: home).sorted())
    }
}

extension CollectionDifference<String>.Change {
    fileprivate var shown: String {
        switch self {
        case .insert(_, let line, _): "+ \(line)"
        case .remove(_, let line, _): "- \(line)"
        }
    }
}
