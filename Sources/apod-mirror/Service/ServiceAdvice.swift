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

    /// nil where no such service is installed.
    private let manager: Manager?
    /// In which that service is told which mirror it keeps.
    let settingsFile: String?
    private let root: String
    /// The mirror is kept by somebody else than whoever asks, who may not sync it.
    let isAnothers: Bool

    init(_ root: String) {
        let owner = FileOwner(of: "\(root)/\(Tree.ownFolder)")
        self.root = root
        let environment = Environment.current
        let settings = environment["XDG_CONFIG_HOME"] ?? "\(environment["HOME"] ?? "")/.config"
        isAnothers = owner.map { $0.user != geteuid() } ?? false
        if SystemService.isInstalled, owner?.name == "apod-mirror" {
            (manager, settingsFile) = (.system, Configuration.everybodys)
        } else if owner?.user == geteuid(), access("\(settings)/systemd/user/apod-mirror.service", F_OK) == 0 {
            (manager, settingsFile) = (.person, "\(settings)/apod-mirror.conf")
        } else {
            (manager, settingsFile) = (nil, nil)
        }
    }

    /// What the service keeps that is to keep this mirror, and what to do; nil where it does not run, or keeps this one.
    var kept: String? {
        guard let settingsFile else { return nil }
        let services = ControlClient.services(Environment.current)
        return services.first { $0.hasRead(settingsFile) && $0.root != root }.map { keeping($0.root) }
    }

    func keeping(_ other: String) -> String {
        "keeps \(Text.shown(other)); after a change of `root`, \(beginAnew)"
    }

    /// With it, the service ends as soon as it is started. Who may not read its settings cannot know.
    private var hasMistake: Bool {
        guard let settingsFile, access(settingsFile, R_OK) == 0 else { return false }
        let environment = Environment.current.filter { !Configuration.isSetting($0.key) }
        let configuration = Configuration(arguments: [], environment: environment, file: settingsFile)
        return configuration.refusal(of: .everything) != nil
    }

    var start: String {
        if let kept { return "it runs, but \(kept)" }
        if let manager, let settingsFile, hasMistake {
            let start = "`\(manager.rawValue) start apod-mirror`"
            return "it does not start with what is wrong in \(Text.shown(settingsFile)): correct that, then \(start)"
        }
        if let manager { return "`\(manager.rawValue) start apod-mirror` starts it" }
        return isAnothers ? "whoever keeps the mirror can start it" : "`apod-mirror run` starts it in this terminal"
    }

    /// For those who may not write in the mirror themselves.
    var startForGuests: String {
        if let kept { return "the service runs, but \(kept)" }
        let keeper = FileOwner(of: "\(root)/\(Tree.ownFolder)")?.name ?? "whoever keeps it"
        let command =
            keeper == "apod-mirror"
            ? "`sudo systemctl start apod-mirror`" : "as \(keeper), `systemctl --user start apod-mirror`"
        return "no service runs that could be asked: start it (\(command))"
    }

    /// The machine's service keeps this mirror.
    var isSystems: Bool { manager == .system }

    /// What makes a service look at once at what is there now.
    var restart: String {
        manager.map { "with `\($0.rawValue) restart apod-mirror`" } ?? "when it is stopped and started again"
    }

    /// Who fetches what there is not yet.
    var fetching: String {
        if isAnothers && Archive.isInUse(root: root) { return "the service fetches the newest" }
        return isAnothers
            ? "the service fetches the newest when it runs: \(start)" : "`apod-mirror sync` fetches the newest"
    }

    /// Who takes note of what has happened in the favorites folder while nobody watched. `what`: what they do about it.
    func noting(_ what: String) -> String {
        isAnothers
            ? "the service \(what) when it runs" : "`apod-mirror sync` \(what), and so does the service when it runs"
    }

    /// For one that is to keep another mirror: it may not write everywhere before it is told so.
    var beginAnew: String {
        switch manager {
        case .system: "run `systemd/install` again"
        case .person: "run `systemd/install --user` again"
        case nil: "stop the service and start it again"
        }
    }

    /// The same of one where there is none yet: the installer looks whether there can be one.
    var beginning: String {
        switch manager {
        case .system: "\(beginAnew): it says so if it cannot"
        case .person, nil: beginAnew
        }
    }

    /// Where the system's service is to write in another folder.
    static let install = "run systemd/install again, which makes the folder and lets the service write there"
}
