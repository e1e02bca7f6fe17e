import Glibc

/// The system's service, as the package brings it.
enum SystemService {
    static var isInstalled: Bool { access("/usr/lib/systemd/system/apod-mirror.service", F_OK) == 0 }

    /// Starts the service with the folders that its settings name now: a generator reads them for systemd, which lets the
    /// service write only in folders that existed at its start.
    static let restart = "sudo systemctl daemon-reload && sudo systemctl restart apod-mirror"

    /// Adds a restart to the command that makes a mirror's folders.
    static func beginning(by command: String) -> String { isInstalled ? "`\(command) && \(restart)`" : "`\(command)`" }
}
