import Apod
import Archive
import Configuration
import Files
import Glibc

/// `apod-mirror serve`: this process becomes `apod-server`, with systemd's socket if it has one.
struct Serve {
    static let command = Command(
        name: "serve", summary: "answer browsers and other programs on the web",
        explanation: """
            Serves the folder, its gallery and NASA's old API to browsers and other
            programs, until Ctrl-C or SIGTERM. It works with and without the service. It
            changes only favorites, and only if the service has `web-favorites = yes`.

            Only this machine and private networks are let in. `--allow 203.0.113.0/24`
            lets in others; `--allow 0.0.0.0/0 --allow ::/0`, everybody.
            """,
        options: [
            Command.Option("listen", "where, by default 127.0.0.1:8095", taking: "ADDRESS"),
            Command.Option("allow", "let in others than private networks; can be repeated", taking: "NETWORK"),
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
        let names = settings.webNames.flatMap { ["--host", $0] }
        words = [settings.root] + options + names + ["--unknown-host", Self.advice(configuration)]
    }

    /// What the page that refuses a name says to do. NAME stands for the name.
    private static func advice(_ configuration: Configuration) -> String {
        let again = "start `apod-mirror serve` again"
        guard let file = configuration.file.map({ Text.shown($0) }) else { return "\(again) with `--web-names NAME`" }
        let line =
            configuration.settings.webNames.isEmpty
            ? "write `web-names = NAME` into \(file)" : "add NAME to `web-names` in \(file)"
        // systemd.exec(5)
        guard getenv("SYSTEMD_EXEC_PID").map({ String(cString: $0) }) == "\(getpid())" else {
            return "\(line), then \(again)"
        }
        let isSystems = configuration.file == Configuration.everybodys
        return "\(line), then \(ServiceCommands(isSystems: isSystems, systemdRuns: true).reload)"
    }

    func run() throws -> ExitStatus {
        // A mirror that systemd's socket is for may be mounted later.
        if !KnownRoots.isMirror(settings.root), getenv("LISTEN_PID") == nil {
            return try nothingMirrored(in: settings)
        }
        guard let program = InstalledProgram.path(of: "apod-server") else {
            Terminal.complain("apod-server is not installed; \(InstalledProgram.remedy)")
            return .incomplete
        }
        execv(program, ([program] + words).map { strdup($0) } + [nil])
        Terminal.complain("\(StorageError("start", program))")
        return .incomplete
    }
}
