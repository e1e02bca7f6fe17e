import Apod
import Archive
import Configuration
import Control
import Files
import Glibc
import Syncing

/// How a mirror is kept: by the system's service, a person's own, or by hand. `Remedy` says what to do by it.
struct Keeping {
    let root: String
    let commands: ServiceCommands
    /// The owner of the mirror's own folder; nil without one.
    let owner: FileOwner?
    /// The file that the service reads; nil if none is installed for this mirror.
    private let settingsFile: String?

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

    /// Whether the system's service keeps this mirror, has kept it, is to begin it, or is this process.
    var isSystems: Bool {
        commands.isSystems || SystemService.isThis || KnownRoots.keeper(of: root) != nil
            || SystemService.isInstalled && ControlClient.services(Environment.current).contains { $0.root == root }
    }

    /// The user who keeps the mirror, whoever owns its files at the moment.
    var keeper: UInt32 {
        if let system = KnownRoots.keeper(of: root) ?? SystemService.keeper(of: root) { return system.user }
        if SystemService.isThis || KnownRoots(environment: Environment.current).contain(root) { return geteuid() }
        let owners = [owner, FileOwner(of: root)].compactMap { $0?.user }
        return owners.first { $0 != 0 } ?? owners.first ?? geteuid()
    }

    /// How to let the system's service write in a folder; nil for any other, or where systemd does not confine it.
    var allowing: String? { isSystems ? ServiceCommands.ofSystem.allowing : nil }

    /// What the service would read now; nil without a service, or if its file cannot be read.
    private var configuration: Configuration? { settingsFile.flatMap(SystemService.configuration) }

    /// Whether a service is installed to keep this mirror. False if its settings cannot be read.
    var keepsMirror: Bool { configuration?.settings.root == root }

    /// Says that the service keeps another mirror, and what to do; nil if it does not run or keeps this one.
    var conflict: String? {
        guard let settingsFile else { return nil }
        let services = ControlClient.services(Environment.current)
        let other = services.first { $0.service?.settingsFile == settingsFile && $0.root != root }
        return other.map { "keeps \(Text.shown($0.root)); after a change of `root`, \(commands.moving)" }
    }

    /// How to start the service that keeps the mirror.
    var start: String {
        if let conflict { return "it runs, but \(conflict)" }
        if settingsFile == nil {
            if isAnothers { return "whoever keeps the mirror can start it" }
            if let start = SystemService.start { return start }
        }
        let start = "`\(access(root, F_OK) == 0 ? commands.start : commands.confined ?? commands.start)`"
        if let settingsFile, configuration?.refusal != nil {
            return "it does not start with what is wrong in \(Text.shown(settingsFile)): correct that, then \(start)"
        }
        if let other = configuration?.settings.root, other != root { return SystemService.start(start, keeping: other) }
        return "\(start) starts it\(commands.systemdRuns ? "" : " in this terminal")"
    }

    /// The same for users who cannot write in the mirror.
    var startForGuests: String {
        if let conflict { return "the service runs, but \(conflict)" }
        let keeper = owner?.name ?? "whoever keeps it"
        let isSystems = keeper == "apod-mirror"
        let start = (isSystems ? ServiceCommands.ofSystem : .ofPerson).start
        return "no service runs that could be asked: start it (\(isSystems ? "" : "as \(keeper), ")`\(start)`)"
    }

    /// Says who fetches the newest days.
    var fetching: String {
        if !isAnothers { return "`apod-mirror sync` fetches the newest" }
        return "the service fetches the newest" + (Archive.isInUse(root: root) ? "" : " when it runs: \(start)")
    }
}

/// The system's service, as the package brings it.
enum SystemService {
    static var isInstalled: Bool { access("/usr/lib/systemd/system/apod-mirror.service", F_OK) == 0 }

    /// Whether this process is it.
    static var isThis: Bool {
        let environment = Environment.current
        return environment["INVOCATION_ID"] != nil && environment["STATE_DIRECTORY"] != nil
    }

    /// The root that its settings name, with or without a mirror; nil where it is not installed.
    static var root: String? { isInstalled ? configuration(Configuration.everybodys)?.settings.root : nil }

    /// Its user, if its settings name this root.
    static func keeper(of root: String) -> FileOwner? { Self.root == root ? FileOwner(of: KnownRoots.systems) : nil }

    /// How to start it; nil where it is not enabled, or runs.
    static var start: String? {
        guard let start = ServiceCommands.ofSystem.command("start"),
            access("/etc/systemd/system/multi-user.target.wants/apod-mirror.service", F_OK) == 0, let root,
            !Archive.isInUse(root: root)
        else { return nil }
        return Self.start("`\(start)`", keeping: root)
    }

    /// For a service that keeps another mirror.
    fileprivate static func start(_ command: String, keeping other: String) -> String {
        "\(command) starts the service that keeps \(Text.shown(other))"
    }

    /// What a service reads from this file; nil if it cannot be read.
    fileprivate static func configuration(_ file: String) -> Configuration? {
        guard access(file, R_OK) == 0 else { return nil }
        let environment = Environment.current.filter { !Configuration.isSetting($0.key) }
        return Configuration(arguments: [], environment: environment, file: file)
    }
}

/// Settings that name other folders than the running service has: only a start of it takes them.
extension Configuration {
    /// Compares with the folders of the running service that has read the settings' file.
    var refusalOfService: ConfigurationError? {
        let services = ControlClient.services(Environment.current).compactMap(\.service)
        return file.flatMap { file in services.first { $0.settingsFile == file } }?.settings.flatMap(refusal)
    }

    /// `kept`: the settings that the service has.
    func refusal(beside kept: Settings) -> ConfigurationError? {
        if settings.root == kept.root, settings.stateFolder == kept.stateFolder { return nil }
        let key = settings.root == kept.root ? "state" : "root"
        let advice = "a reload does not change `\(key)`; instead, \(Keeping(kept.root).commands.moving)"
        return ConfigurationError(["\(origin(of: key)): \(advice)"])
    }
}
