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
        words = [settings.root] + options
    }

    func run() throws -> ExitStatus {
        // A mirror that systemd's socket is for may be mounted later.
        if !KnownRoots.isMirror(settings.root), getenv("LISTEN_PID") == nil {
            return try nothingMirrored(in: settings)
        }
        guard let program = InstalledProgram.path(of: "apod-server") else {
            Terminal.complain("apod-server is not installed beside apod-mirror")
            return .incomplete
        }
        execv(program, ([program] + words).map { strdup($0) } + [nil])
        Terminal.complain("\(StorageError("start", program))")
        return .incomplete
    }
}
