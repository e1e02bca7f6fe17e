import Apod
import Archive
import Configuration
import Control
import Files
import Glibc
import Syncing

/// How to start the service that keeps a mirror, and how to have it read its settings again.
struct ServiceAdvice {
    private enum Manager: String {
        case system = "sudo systemctl"
        case person = "systemctl --user"
    }

    /// nil if no service for this mirror is installed.
    private let manager: Manager?
    /// The file that the service reads; nil without a service.
    let settingsFile: String?
    private let root: String
    /// Whether another user owns the mirror: the current one cannot sync it.
    let isAnothers: Bool

    init(_ root: String) {
        let owner = FileOwner(of: "\(root)/\(Tree.ownFolder)")
        self.root = root
        let environment = Environment.current
        let folder =
            environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? "\(environment["HOME"] ?? "")/.config"
        isAnothers = owner.map { $0.user != geteuid() } ?? false
        if SystemService.isInstalled, owner?.name == "apod-mirror" {
            (manager, settingsFile) = (.system, Configuration.everybodys)
        } else if owner?.user == geteuid(),
            access("\(folder)/systemd/user/default.target.wants/apod-mirror.service", F_OK) == 0
        {
            (manager, settingsFile) = (.person, "\(folder)/apod-mirror.conf")
        } else {
            (manager, settingsFile) = (nil, nil)
        }
    }

    /// Says that the service keeps another mirror, and what to do; nil if it does not run or keeps this one.
    var kept: String? {
        guard let settingsFile else { return nil }
        let services = ControlClient.services(Environment.current)
        return services.first { $0.hasRead(settingsFile) && $0.root != root }.map { keeping($0.root) }
    }

    func keeping(_ other: String) -> String {
        "keeps \(Text.shown(other)); after a change of `root`, \(moving)"
    }

    /// What the service would read now; nil without a service, or if its file cannot be read.
    private var configuration: Configuration? {
        guard let settingsFile, access(settingsFile, R_OK) == 0 else { return nil }
        let environment = Environment.current.filter { !Configuration.isSetting($0.key) }
        return Configuration(arguments: [], environment: environment, file: settingsFile)
    }

    /// Whether the settings file has a mistake that stops the service. False if it cannot be read.
    private var hasMistake: Bool { configuration?.refusal(of: .everything) != nil }

    /// Whether a service is installed to keep this mirror. False if its settings cannot be read.
    var keepsMirror: Bool { configuration?.settings.root == root }

    var start: String {
        if let kept { return "it runs, but \(kept)" }
        if let manager, let settingsFile, hasMistake {
            let start = "`\(manager.rawValue) start apod-mirror`"
            return "it does not start with what is wrong in \(Text.shown(settingsFile)): correct that, then \(start)"
        }
        if let manager { return "`\(manager.rawValue) start apod-mirror` starts it" }
        return isAnothers ? "whoever keeps the mirror can start it" : "`apod-mirror run` starts it in this terminal"
    }

    /// How to start the service, for users who cannot write in the mirror.
    var startForGuests: String {
        if let kept { return "the service runs, but \(kept)" }
        let keeper = FileOwner(of: "\(root)/\(Tree.ownFolder)")?.name ?? "whoever keeps it"
        let command =
            keeper == "apod-mirror"
            ? "`sudo systemctl start apod-mirror`" : "as \(keeper), `systemctl --user start apod-mirror`"
        return "no service runs that could be asked: start it (\(command))"
    }

    /// Whether the system-wide service keeps this mirror.
    var isSystems: Bool { manager == .system }

    /// How to have the service read its settings again.
    var reload: String { manager.map { "`\($0.rawValue) reload apod-mirror`" } ?? "reload the service" }

    /// How to restart the service, which then looks at the folder at once.
    var restart: String {
        manager.map { "`\($0.rawValue) restart apod-mirror`" } ?? "stop the service and start it again"
    }

    /// Says who fetches the newest days.
    var fetching: String {
        if isAnothers && Archive.isInUse(root: root) { return "the service fetches the newest" }
        return isAnothers
            ? "the service fetches the newest when it runs: \(start)" : "`apod-mirror sync` fetches the newest"
    }

    /// Says who enters unseen changes in the favorites folder. `what`: what is done, as a verb phrase.
    func noting(_ what: String) -> String {
        isAnothers
            ? "the service \(what) when it runs" : "`apod-mirror sync` \(what), and so does the service when it runs"
    }

    /// What to do after a change of `root`.
    var moving: String { isSystems ? "`\(SystemService.restart)`" : restart }

    /// How to let the system-wide service write in another folder.
    static let allowing = "`\(SystemService.restart)` makes the folder and lets the service write there"
}
