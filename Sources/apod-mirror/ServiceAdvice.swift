import Archive
import Files
import Glibc

/// How to start the service that keeps a mirror, and how to have it read its settings again.
struct ServiceAdvice {
    /// nil where no such service is installed.
    private let manager: String?

    init(_ root: String) {
        let owner = FileOwner(of: "\(root)/\(Tree.ownFolder)")
        let environment = Environment.current
        let settings = environment["XDG_CONFIG_HOME"] ?? "\(environment["HOME"] ?? "")/.config"
        if access("/etc/systemd/system/apod-mirror.service", F_OK) == 0, owner?.name == "apod-mirror" {
            manager = "sudo systemctl"
        } else if owner?.user == geteuid(), access("\(settings)/systemd/user/apod-mirror.service", F_OK) == 0 {
            manager = "systemctl --user"
        } else {
            manager = nil
        }
    }

    var start: String {
        manager.map { "`\($0) start apod-mirror` starts it" } ?? "`apod-mirror run` starts it in this terminal"
    }

    /// For one that is to keep another mirror: it may not write everywhere before it is told so.
    var beginAnew: String {
        switch manager {
        case nil: "stop the service and start it again"
        case "systemctl --user": "run `systemd/install --user` again"
        default: "run `systemd/install` again"
        }
    }

    func reload(process: Int) -> String {
        manager.map { "`\($0) reload apod-mirror`" } ?? "`kill -HUP \(process)`"
    }
}
