import Apod
import Archive
import Configuration
import Files
import Glibc

/// `apod-mirror serve`: this process becomes `apod-server`, with systemd's socket if it has one.
struct Serve {
    private let settings: Settings
    private let words: [String]

    init(_ usage: Usage, _ configuration: Configuration) {
        settings = configuration.settings
        let options = Command.serve.options.flatMap { name in usage.all(name).flatMap { ["--\(name)", $0] } }
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
