import Apod
import Configuration
import Files
import Glibc
import Store

/// `apod-mirror serve`: this process becomes `apod-server`, with systemd's socket if it has one.
struct Serve {
    static let command = Command(
        name: "serve", summary: "answer browsers and other programs on the web",
        explanation: """
            Serves the folder, its gallery and NASA's old API to browsers and other
            programs, until Ctrl-C or SIGTERM. It works with and without the service. It
            changes only favorites, and only if the service has `web-favorites = yes`.

            Only this machine, private addresses and its IPv6 network are let in.
            `--allow 203.0.113.0/24` lets in others; `--allow 0.0.0.0/0 --allow ::/0`,
            everybody.
            """,
        options: [
            Command.Option("listen", "where, by default 127.0.0.1:8095", taking: "ADDRESS"),
            Command.Option("allow", "let in others than these networks; can be repeated", taking: "NETWORK"),
        ],
        explained: [Command.Option("web-names", "further names of this machine", taking: "NAME")],
        toleratesMistakes: true
    ) { try Serve($0, $1).run() }

    private let settings: Settings
    private let words: [String]

    init(_ usage: Usage, _ configuration: Configuration) {
        settings = configuration.settings
        let options = Self.command.options.flatMap { option in
            usage.all(option.name).flatMap { ["--\(option.name)", $0] }
        }
        words = Self.words(settings, configuration.file, options, isCommand: !Self.isUnit)
    }

    /// systemd.exec(5)
    private static var isUnit: Bool { Environment.current["SYSTEMD_EXEC_PID"] == "\(getpid())" }

    private static let program = "apod-server"

    /// What the service starts at its `listen`.
    static func words(_ settings: Settings, _ file: String?) -> [String] {
        let program = InstalledProgram.path(of: program) ?? program
        return [program] + words(settings, file, ["--listen", settings.listen ?? ""], isCommand: false)
    }

    private static func words(
        _ settings: Settings, _ file: String?, _ options: [String], isCommand: Bool
    ) -> [String] {
        let advice = advice(settings, file, isCommand: isCommand)
        return [settings.root] + options + settings.webNames.flatMap { ["--host", $0] } + ["--unknown-host", advice]
    }

    /// What the page that refuses a name says to do. HOST stands for the name. `isCommand`: a person has typed `serve`.
    private static func advice(_ settings: Settings, _ file: String?, isCommand: Bool) -> String {
        let variable = Configuration.variable("listen")
        let names = (settings.webNames + ["HOST"]).joined(separator: ",")
        // As in a container.
        if !isCommand, Environment.current[variable] != nil {
            return "start it again with \(Configuration.variable("web-names"))=\(names) in its environment"
        }
        let again = "start `apod-mirror \(isCommand ? "serve" : "run")` again"
        guard let file else { return "\(again) with `--web-names \(isCommand ? "HOST" : names)`" }
        let place = Text.shown(file)
        let line =
            settings.webNames.isEmpty ? "write `web-names = HOST` into \(place)" : "add HOST to `web-names` in \(place)"
        if isCommand { return "\(line), then \(again)" }
        let service = ServiceCommands(isSystems: file == Configuration.everybodys, systemdRuns: isUnit)
        return "\(line), then \(service.reload)"
    }

    func run() throws -> ExitStatus {
        // A mirror that systemd's socket is for may be mounted later.
        if !KnownRoots.isMirror(settings.root), getenv("LISTEN_PID") == nil {
            return try nothingMirrored(in: settings)
        }
        guard let program = InstalledProgram.path(of: Self.program) else {
            Terminal.complain("apod-server is not installed; \(InstalledProgram.remedy)")
            return .incomplete
        }
        execv(program, ([program] + words).map { strdup($0) } + [nil])
        Terminal.complain("\(Problem("start", program))")
        return .incomplete
    }
}
