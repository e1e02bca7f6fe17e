import Archive
import Files
import Glibc

/// How to start the service that keeps a mirror.
struct StartAdvice: CustomStringConvertible {
    let description: String

    init(_ root: String) {
        let owner = FileOwner(of: "\(root)/\(Tree.ownFolder)")
        let environment = Environment.current
        let settings = environment["XDG_CONFIG_HOME"] ?? "\(environment["HOME"] ?? "")/.config"
        if access("/etc/systemd/system/apod-mirror.service", F_OK) == 0, owner?.name == "apod-mirror" {
            description = "`sudo systemctl start apod-mirror` starts it"
        } else if owner?.user == geteuid(), access("\(settings)/systemd/user/apod-mirror.service", F_OK) == 0 {
            description = "`systemctl --user start apod-mirror` starts it"
        } else {
            description = "`apod-mirror run` starts it in this terminal"
        }
    }
}
