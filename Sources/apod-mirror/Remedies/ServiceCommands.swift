import Glibc

/// What to type about a service, to systemd or, where that does not run, by hand. No other words name systemd's commands.
struct ServiceCommands {
    let isSystems: Bool
    let systemdRuns: Bool

    /// sd_booted(3)
    static var systemdRuns: Bool { access("/run/systemd/system", F_OK) == 0 }
    static var ofSystem: Self { Self(isSystems: true, systemdRuns: systemdRuns) }
    static var ofPerson: Self { Self(isSystems: false, systemdRuns: systemdRuns) }

    /// nil where systemd does not run.
    func command(_ verb: String) -> String? {
        systemdRuns ? "\(isSystems ? "sudo systemctl" : "systemctl --user") \(verb) apod-mirror" : nil
    }

    var start: String {
        command("start") ?? (isSystems ? "sudo /usr/libexec/apod-mirror/run" : "apod-mirror run")
    }

    var reload: String {
        (command("reload") ?? (isSystems ? Self.reloadByHand : nil)).map { "`\($0)`" } ?? restart
    }

    /// Of the system's service, where systemd does not run.
    static let reloadByHand = "sudo pkill -HUP -xu apod-mirror apod-mirror"

    var restart: String { command("restart").map { "`\($0)`" } ?? "stop the service and start it again" }

    var moving: String { confined.map { "`\($0)`" } ?? restart }

    /// Starts the service with the folders that its settings name now: a generator reads them for systemd, which lets the
    /// system's service write only in folders that existed at its start. nil for a service that may write everywhere.
    var confined: String? { isSystems ? command("restart").map { "sudo systemctl daemon-reload && \($0)" } : nil }

    /// How to let the system's service write in another folder.
    var allowing: String? { confined.map { "`\($0)` makes the folder and lets the service write there" } }
}
