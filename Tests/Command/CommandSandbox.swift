import Apod
import Configuration
import Glibc
import TestSupport
import Testing

/// A machine of its own for one test: a home, a configuration file, and an upstream that it mirrors.
final class CommandSandbox: Sendable {
    static let program = Places.built("apod-mirror")
    static let newest = Day("2019-04-30")!
    /// Starts a program as somebody who owns nothing here, and is in no group.
    static let nobody = "setpriv --reuid 65534 --regid 65534 --clear-groups"

    let folder: TemporaryFolder
    let nasa: FakeNASA
    /// Most tests are about the pictures alone.
    private let gallery: String
    private let thumbnails: String
    init(
        _ entries: [Entry] = [], settings: String = "", gallery: String = "no", thumbnails: String = "no"
    ) throws {
        self.gallery = gallery
        self.thumbnails = thumbnails
        folder = try TemporaryFolder()
        nasa = try FakeNASA(entries)
        let keys = settings.split(separator: "\n").compactMap { $0.split(separator: " ").first }
        let usual = ["root = \(root)", "since = 2019-04-01", "upstream = \(nasa.origin)", "rate = 0"].map { line in
            // A blank line, so that the others keep their numbers.
            keys.contains { line.hasPrefix("\($0) =") } ? "" : line
        }
        try set(usual.joined(separator: "\n") + "\n\(settings)")
        // Others may look into it.
        chmod(folder.path, 0o755)
    }

    convenience init(
        days: Int, settings: String = "", gallery: String = "no", thumbnails: String = "no"
    ) throws {
        try self.init(
            Entry.days(days, newest: Self.newest), settings: settings, gallery: gallery, thumbnails: thumbnails)
    }

    var root: String { folder.appending("APOD") }
    /// Where something in the mirror is.
    subscript(path: String) -> String { "\(root)/\(path)" }

    var configuration: String { folder.appending("mirror.conf") }
    var environment: [String: String] {
        [
            "HOME": folder.path, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TERM": "xterm",
            "APOD_MIRROR_GALLERY": gallery, "APOD_MIRROR_THUMBNAILS": thumbnails,
        ]
    }

    /// With the configuration file unless another is named, so that it makes no difference what there is in /etc.
    /// `keep=3d` is no word of the command line, but a setting in the environment.
    func words(_ words: [String]) -> [String] {
        words.filter { Self.setting($0) == nil } + (words.contains("--config") ? [] : ["--config", configuration])
    }

    func environment(with words: [String]) -> [String: String] {
        var settings = words.compactMap(Self.setting)
        // Of another mirror, the file does not tell.
        if words.contains("--root") {
            settings = [("upstream", nasa.origin), ("rate", "0"), ("since", "2019-04-01")] + settings
        }
        return environment.merging(settings.map { (Configuration.variable($0.key), $0.value) }) { $1 }
    }

    private static func setting(_ word: String) -> (key: String, value: String)? {
        let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
        return parts.count == 2 && Setting.all.contains { $0.key == parts[0] } ? (parts[0], parts[1]) : nil
    }

    func start(
        _ words: String..., with variables: [String: String] = [:], limit: Duration = .seconds(180)
    ) throws -> Program {
        let environment = environment(with: words).merging(variables) { $1 }
        return try Program(Self.program, self.words(words), environment: environment, limit: limit)
    }

    func run(
        _ words: String..., with variables: [String: String] = [:], limit: Duration = .seconds(180)
    ) async throws -> Program.Outcome {
        try await run(words, with: variables, limit: limit)
    }

    func run(
        _ words: [String], with variables: [String: String] = [:], limit: Duration = .seconds(180)
    ) async throws -> Program.Outcome {
        try await run([Self.program], words, variables, limit)
    }

    /// The one document that a command prints.
    func json(_ words: String...) async throws -> JSONText { try await json(words) }

    func json(_ words: [String]) async throws -> JSONText { try await run(words + ["--json"]).json() }

    private func run(
        _ command: [String], _ words: [String], _ more: [String: String] = [:], _ limit: Duration = .seconds(180)
    ) async throws -> Program.Outcome {
        let command = command + self.words(words)
        return try await Program.run(
            command[0], Array(command.dropFirst()), environment: environment(with: words).merging(more) { $1 },
            limit: limit)
    }

    /// Until the newest day: what came later is still to be published here.
    func sync(_ words: String...) async throws -> Program.Outcome { try await sync(words) }

    func sync(_ words: [String]) async throws -> Program.Outcome {
        try await run([Self.program], ["sync", "--until", "\(Self.newest)"] + words)
    }

    /// The same sandbox after such a sync.
    func synced(_ words: String..., sourceLocation: SourceLocation = #_sourceLocation) async throws -> CommandSandbox {
        try await sync(words).succeeds(sourceLocation: sourceLocation)
        return self
    }

    /// As a person makes it in the favorites folder.
    func link(_ name: String, to target: String) throws {
        guard symlink(target, self["favorites/\(name)"]) == 0 else { throw SystemError("symlink \(name)") }
    }

    /// What its configuration file says.
    var settings: String { get throws { try fileText(configuration) } }

    func set(_ settings: String) throws { try write(settings, to: "mirror.conf") }

    func write(_ text: String, to name: String) throws {
        try save(text, to: folder.appending(name))
    }

    /// What a shell says to a script; `"$@"` is the mirror's command line.
    func shell(_ script: String, _ words: String...) async throws -> Program.Outcome {
        try await shell(script, words)
    }

    func shell(_ script: String, _ words: [String]) async throws -> Program.Outcome {
        try await run(["/bin/bash", "-c", script, "bash", Self.program], words)
    }

    /// The same in mounts of its own.
    func privately(_ script: String, _ words: [String]) async throws -> Program.Outcome {
        try await run(["/usr/bin/unshare", "--mount", "/bin/bash", "-c", script, "bash", Self.program], words)
    }

    /// On a pseudo-terminal of that size, with both outputs mixed as a person sees them.
    func onTerminal(
        columns: Int = 90, rows: Int = 24, by person: String = "", _ words: String...
    ) async throws -> Program.Outcome {
        let command = ([Self.program] + self.words(words)).map { "'\($0)'" }.joined(separator: " ")
        let script = "stty cols \(columns) rows \(rows) -onlcr; exec \(person) \(command)"
        return try await Program.run(
            "/usr/bin/script", ["-q", "-e", "-c", script, "/dev/null"],
            environment: environment.merging(["SHELL": "/bin/sh"]) { $1 })
    }

    /// The files in the tree, without the mirror's own and the gallery's: `2019/04/2019-04-30 Title.jpg`.
    func files(_ suffix: String = "") async throws -> [String] {
        let made = "-path ./.apod-mirror -prune -o -path ./gallery -prune -o -path ./index.html -o -path ./feed.xml"
        let find = "find . \(made) -o -type f ! -name '.*' -printf '%P\\n' | sort"
        let found = try await shell("cd '\(root)' && \(find)")
        return found.lines.filter { $0.hasSuffix(suffix) }.map(String.init)
    }
}

extension Program.Outcome {
    var lines: [Substring] { output.split(separator: "\n") }

    /// Those that are named in messages, as they are printed.
    var commands: [String] {
        let text = (outputBytes + errorBytes).text
        let parts = text.split(separator: "`", omittingEmptySubsequences: false)
        return parts.enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }

    /// The one document on standard output.
    func json() throws -> JSONText {
        #expect(output.hasSuffix("}\n"))
        return try JSONText(outputBytes)
    }
}
