import Apod
import Archive
import Configuration
import Control
import Files
import Glibc
import Syncing

/// How to start the service that keeps a mirror, and how to have it read its settings again.
struct ServiceAdvice {
    /// The program that asks systemd; nil if no service for this mirror is installed.
    private let manager: String?
    /// The file that the service reads; nil without a service.
    private let settingsFile: String?
    private let root: String
    private let owner: FileOwner?

    init(_ root: String) {
        self.root = root
        owner = FileOwner(of: Tree.ownPath(in: root))
        let folder = Configuration.folder(Environment.current)
        if SystemService.isInstalled, owner.map({ $0.name == "apod-mirror" }) ?? (SystemService.root == root) {
            (manager, settingsFile) = ("sudo systemctl", Configuration.everybodys)
        } else if owner?.user == geteuid(),
            access("\(folder)/systemd/user/default.target.wants/apod-mirror.service", F_OK) == 0
        {
            (manager, settingsFile) = ("systemctl --user", "\(folder)/apod-mirror.conf")
        } else {
            (manager, settingsFile) = (nil, nil)
        }
    }

    /// Whether another user owns the mirror: the current one cannot sync it.
    var isAnothers: Bool { owner.map { $0.user != geteuid() } ?? false }

    /// Says that the service keeps another mirror, and what to do; nil if it does not run or keeps this one.
    var kept: String? {
        guard let settingsFile else { return nil }
        let services = ControlClient.services(Environment.current)
        let other = services.first { $0.hasRead(settingsFile) && $0.root != root }
        return other.map { "keeps \(Text.shown($0.root)); after a change of `root`, \(moving)" }
    }

    /// What the service would read now; nil without a service, or if its file cannot be read.
    private var configuration: Configuration? {
        settingsFile.flatMap(Self.configuration)
    }

    /// nil if the file cannot be read.
    fileprivate static func configuration(_ file: String) -> Configuration? {
        guard access(file, R_OK) == 0 else { return nil }
        let environment = Environment.current.filter { !Configuration.isSetting($0.key) }
        return Configuration(arguments: [], environment: environment, file: file)
    }

    /// Whether a service is installed to keep this mirror. False if its settings cannot be read.
    var keepsMirror: Bool { configuration?.settings.root == root }

    /// In backticks; nil without a service.
    private func command(_ verb: String) -> String? { manager.map { "`\($0) \(verb) apod-mirror`" } }

    var start: String {
        if let kept { return "it runs, but \(kept)" }
        guard let settingsFile, let start = command("start") else {
            if isAnothers { return "whoever keeps the mirror can start it" }
            return SystemService.start ?? "`apod-mirror run` starts it in this terminal"
        }
        if configuration?.refusal != nil {
            return "it does not start with what is wrong in \(Text.shown(settingsFile)): correct that, then \(start)"
        }
        if let other = configuration?.settings.root, other != root { return Self.start(start, keeping: other) }
        return "\(start) starts it"
    }

    /// For a service that keeps another mirror.
    fileprivate static func start(_ command: String, keeping other: String) -> String {
        "\(command) starts the service that keeps \(Text.shown(other))"
    }

    /// How to start the service, for users who cannot write in the mirror.
    var startForGuests: String {
        if let kept { return "the service runs, but \(kept)" }
        let keeper = owner?.name ?? "whoever keeps it"
        let command =
            keeper == "apod-mirror"
            ? "`sudo systemctl start apod-mirror`" : "as \(keeper), `systemctl --user start apod-mirror`"
        return "no service runs that could be asked: start it (\(command))"
    }

    /// Whether the system-wide service keeps this mirror, or is to begin it.
    var isSystems: Bool { settingsFile == Configuration.everybodys }

    /// The beginning of a command that is not for members of the group.
    var program: String { isSystems ? "sudo apod-mirror" : "apod-mirror" }

    /// How to have the service read its settings again.
    var reload: String { command("reload") ?? "reload the service" }

    /// How to restart the service, which then looks at the folder at once.
    var restart: String { command("restart") ?? "stop the service and start it again" }

    /// Says who fetches the newest days.
    var fetching: String {
        if isAnothers && Archive.isInUse(root: root) { return "the service fetches the newest" }
        return isAnothers
            ? "the service fetches the newest when it runs: \(start)" : "`apod-mirror sync` fetches the newest"
    }

    /// What to do after a change of `root`.
    var moving: String { isSystems ? "`\(SystemService.restart)`" : restart }

    /// How to let the system-wide service write in another folder.
    static let allowing = "`\(SystemService.restart)` makes the folder and lets the service write there"
}

/// The system's service, as the package brings it.
enum SystemService {
    static var isInstalled: Bool { access("/usr/lib/systemd/system/apod-mirror.service", F_OK) == 0 }

    /// The root that its settings name, with or without a mirror; nil where it is not installed.
    static var root: String? {
        isInstalled ? ServiceAdvice.configuration(Configuration.everybodys)?.settings.root : nil
    }

    /// How to start it; nil where it is not enabled, or runs.
    static var start: String? {
        guard access("/run/systemd/system", F_OK) == 0,
            access("/etc/systemd/system/multi-user.target.wants/apod-mirror.service", F_OK) == 0, let root,
            !ControlClient.services(Environment.current).contains(where: { $0.root == root })
        else { return nil }
        return ServiceAdvice.start("`sudo systemctl start apod-mirror`", keeping: root)
    }

    /// Its user, if its settings name this root.
    static func keeper(of root: String) -> FileOwner? { Self.root == root ? FileOwner(of: KnownRoots.systems) : nil }

    /// Starts the service with the folders that its settings name now: a generator reads them for systemd, which lets the
    /// service write only in folders that existed at its start.
    static let restart = "sudo systemctl daemon-reload && sudo systemctl restart apod-mirror"
}
