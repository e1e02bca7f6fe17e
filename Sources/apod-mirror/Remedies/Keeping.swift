import Apod
import Configuration
import Files
import Glibc
import Service
import Store
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
        if SystemService.isThis
            || SystemService.isInstalled && owner.map({ $0.name == "apod-mirror" }) ?? (SystemService.root == root)
        {
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

    /// Whether a service is installed to keep this mirror. False if its settings cannot be read.
    var keepsMirror: Bool { settingsFile.flatMap(SystemService.root) == root }

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
        if settingsFile == nil, isAnothers { return "whoever keeps the mirror can start it" }
        let start = access(root, F_OK) == 0 ? commands.start : commands.confined ?? commands.start
        return "`\(start)` starts it\(commands.systemdRuns ? "" : " in this terminal")"
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

    /// The root that its settings name, with or without a mirror.
    static var root: String? { root(in: Configuration.everybodys) }

    /// The root that a service takes from this file; nil if it cannot be read.
    fileprivate static func root(in file: String) -> String? {
        guard access(file, R_OK) == 0 else { return nil }
        let environment = Environment.current.filter { !Configuration.isSetting($0.key) }
        return Configuration(arguments: [], environment: environment, file: file).settings.root
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
