import Apod
import Glibc
import TestSupport
import Testing

/// A file of commands with what they print, played in a home of its own beside an upstream of its own.
///
/// As with cram(1): lines that are indented by two spaces are commands (`$ `, further lines `> `) and what follows them,
/// first on standard output, then on standard error (`! `), then the exit status (`[1]`), unless it is 0. Other lines
/// are for the reader. `APOD_MIRROR_TRANSCRIPTS=write` writes the files anew.
struct Transcript: Sendable, CustomTestStringConvertible {
    static let folder = "\(Places.packageRoot)/Tests/Command/Transcripts"
    let name: String
    var testDescription: String { name }

    /// Those in a folder.
    static func all(in part: String = "") -> [Transcript] {
        let names = listing("\(folder)/\(part)").filter { $0.hasSuffix(".txt") && !$0.contains("/") }
        return names.map { Transcript(name: part.isEmpty ? $0 : "\(part)/\($0)") }
    }

    private enum Line {
        case words(String)
        case command([String])
    }

    /// Without what the commands print.
    private static func lines(of text: String) -> [Line] {
        var lines: [Line] = []
        for line in text.split(separator: "\n") {
            if line.hasPrefix("  $ ") {
                lines.append(.command([String(line.dropFirst(4))]))
            } else if line.hasPrefix("  > "), case .command(let command) = lines.last {
                lines[lines.count - 1] = .command(command + [String(line.dropFirst(4))])
            } else if !line.hasPrefix("  ") {
                lines.append(.words(String(line)))
            }
        }
        return lines
    }

    /// Plays it, and returns the file as it should be, and as it is.
    func play(beside service: Bool = false, privately: Bool = false) async throws -> (expected: String, played: String)
    {
        let expected = try fileText("\(Self.folder)/\(name)")
        let lines = Self.lines(of: expected)
        let commands = lines.compactMap { if case .command(let lines) = $0 { lines } else { nil } }
        let stage = try Stage()
        var results = try await stage.play(commands, beside: service, privately: privately)[...]
        var shown: [String] = []
        var follows = false
        for line in lines {
            switch line {
            case .words(let words):
                if follows { shown.append("") }
                shown.append(words)
                follows = false
            case .command(let command):
                shown += command.enumerated().map { ($0.offset == 0 ? "  $ " : "  > ") + $0.element }
                shown += (results.popFirst() ?? ["it did not come to this"]).map { $0.isEmpty ? "" : "  \($0)" }
                follows = true
            }
        }
        return (expected, shown.joined(separator: "\n") + "\n")
    }

    func check(beside service: Bool = false, privately: Bool = false) async throws {
        let (expected, played) = try await play(beside: service, privately: privately)
        if expected == played { return }
        if getenv("APOD_MIRROR_TRANSCRIPTS") != nil {
            try save(played, to: "\(Self.folder)/\(name)")
        } else {
            let new = try TemporaryFolder()
            try save(played, to: new.appending("played"))
            let words = ["-U", "4", "\(Self.folder)/\(name)", new.appending("played")]
            Issue.record("\(try await Program.run("/usr/bin/diff", words).output)")
        }
    }
}

struct TranscriptTests {
    @Test("A command prints what its transcript says", arguments: Transcript.all())
    func alone(transcript: Transcript) async throws { try await transcript.check() }

    @Test("A command prints the same alone and beside a service", arguments: Transcript.all(in: "Both"), [false, true])
    func both(transcript: Transcript, isServed: Bool) async throws { try await transcript.check(beside: isServed) }

    @Test(
        "A command that root or others start prints what its transcript says",
        .disks, arguments: Transcript.all(in: "Root"))
    func asRoot(transcript: Transcript) async throws { try await transcript.check(privately: true) }
}
