import Apod
import Archive
import Configuration
import Control
import Files
import Glibc
import Syncing

/// How to start the service that keeps a mirror, and how to have it read its settings again.
struct ServiceAdvice {
    private let commands: ServiceCommands
    /// The file that the service reads; nil if none is installed for this mirror.
    private let settingsFile: String?
    private let root: String
    private let owner: FileOwner?

    init(_ root: String) {
        self.root = root
        owner = FileOwner(of: Tree.ownPath(in: root))
        let folder = Configuration.folder(Environment.current)
        if SystemService.isInstalled, owner.map({ $0.name == "apod-mirror" }) ?? (SystemService.root == root) {
            (commands, settingsFile) = (.ofSystem, Configuration.everybodys)
        } else if ServiceCommands.systemdRuns, owner?.user == geteuid(),
            access("\(folder)/systemd/user/default.target.wants/apod-mirror.service", F_OK) == 0
        {
            (commands, settingsFile) = (.ofPerson, "\(folder)/apod-mirror.conf")
        } else {
            (commands, settingsFile) = (ServiceCommands(isSystems: false, systemdRuns: false), nil)
        }
    }

    /// Whether another user owns the mirror: the current one cannot sync it.
    var isAnothers: Bool { owner.map { $0.user != geteuid() } ?? false }

    /// Says that the service keeps another mirror, and what to do; nil if it does not run or keeps this one.
    var kept: String? {
        guard let settingsFile else { return nil }
        let services = ControlClient.services(Environment.current)
        let other = services.first { $0.service?.settingsFile == settingsFile && $0.root != root }
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

    var start: String {
        if let kept { return "it runs, but \(kept)" }
        if settingsFile == nil {
            if isAnothers { return "whoever keeps the mirror can start it" }
            if let start = SystemService.start { return start }
        }
        let start = "`\(access(root, F_OK) == 0 ? commands.start : commands.confined ?? commands.start)`"
        if let settingsFile, configuration?.refusal != nil {
            return "it does not start with what is wrong in \(Text.shown(settingsFile)): correct that, then \(start)"
        }
        if let other = configuration?.settings.root, other != root { return Self.start(start, keeping: other) }
        return "\(start) starts it\(commands.systemdRuns ? "" : " in this terminal")"
    }

    /// For a service that keeps another mirror.
    fileprivate static func start(_ command: String, keeping other: String) -> String {
        "\(command) starts the service that keeps \(Text.shown(other))"
    }

    /// How to start the service, for users who cannot write in the mirror.
    var startForGuests: String {
        if let kept { return "the service runs, but \(kept)" }
        let keeper = owner?.name ?? "whoever keeps it"
        let isSystems = keeper == "apod-mirror"
        let start = (isSystems ? ServiceCommands.ofSystem : .ofPerson).start
        return "no service runs that could be asked: start it (\(isSystems ? "" : "as \(keeper), ")`\(start)`)"
    }

    /// Whether the system-wide service keeps this mirror, or is to begin it.
    var isSystems: Bool { commands.isSystems }

    /// The beginning of a command that is not for members of the group.
    var program: String { isSystems ? "sudo apod-mirror" : "apod-mirror" }

    /// How to have the service read its settings again.
    var reload: String { commands.reload }

    /// How to restart the service, which then looks at the folder at once.
    var restart: String { commands.restart }

    /// Says who fetches the newest days.
    var fetching: String {
        if isAnothers && Archive.isInUse(root: root) { return "the service fetches the newest" }
        return isAnothers
            ? "the service fetches the newest when it runs: \(start)" : "`apod-mirror sync` fetches the newest"
    }

    /// What to do after a change of `root`.
    var moving: String { commands.moving }
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
        guard let start = ServiceCommands.ofSystem.command("start"),
            access("/etc/systemd/system/multi-user.target.wants/apod-mirror.service", F_OK) == 0, let root,
            !Archive.isInUse(root: root)
        else { return nil }
        return ServiceAdvice.start("`\(start)`", keeping: root)
    }

    /// Its user, if its settings name this root.
    static func keeper(of root: String) -> FileOwner? { Self.root == root ? FileOwner(of: KnownRoots.systems) : nil }
}
