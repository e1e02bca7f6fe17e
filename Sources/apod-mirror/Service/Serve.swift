import Configuration
import Files
import Glibc

/// `apod-mirror serve`: this process becomes `apod-server`, with systemd's socket if it has one.
struct Serve {
    private let words: [String]

    init(_ usage: Usage, _ configuration: Configuration) {
        words =
            [configuration.settings.root]
            + ["listen", "host"].flatMap { option in
                usage[option].map { ["--\(option)", $0] } ?? []
            }
    }

    func run() -> ExitStatus {
        guard let program = InstalledProgram.path(of: "apod-server") else {
            Terminal.complain("apod-server is not installed beside apod-mirror")
            return .incomplete
        }
        execv(program, ([program] + words).map { strdup($0) } + [nil])
        Terminal.complain("\(StorageError("start", program))")
        return .incomplete
    }
}
