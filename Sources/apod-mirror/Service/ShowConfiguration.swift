import Apod
import Configuration
import Files
import Glibc
import Service
import Store
import Syncing

/// `apod-mirror config`
struct ShowConfiguration {
    static let command = Command(
        name: "config", summary: "the settings in force, and where each comes from",
        explanation: """
            Prints the settings in force, in the form of a configuration file, and where
            each comes from.
            """,
        options: [
            Command.Option("check", "only name mistakes"),
            Command.Option("example", "a whole settings file: all settings, as comments with their defaults"),
        ],
        others: Setting.all.map(\.key), mirror: .unused
    ) { try ShowConfiguration($0, $1).run() }

    private let configuration: Configuration
    private let onlyChecks: Bool
    /// The keys that `--example` sets; nil without it.
    private let given: [String]?

    init(_ usage: Usage, _ configuration: Configuration) throws(Usage.Mistake) {
        self.configuration = configuration
        onlyChecks = usage.has("check")
        given = usage.has("example") ? usage.settings.map(\.key) : nil
        if onlyChecks, given != nil { throw Usage.Mistake("use --check or --example, not both") }
    }

    func run() throws(Usage.Mistake) -> ExitStatus {
        if let given {
            Terminal.print(example(setting: given))
            return .done
        }
        if let words = configuration.settings.seclusion { Terminal.complain(words) }
        if onlyChecks {
            // systemd.exec(5): set for commands of ExecReload. A start takes other folders.
            if Environment.current["MAINPID"] != nil, let refusal = configuration.refusalOfService {
                throw Usage.Mistake(refusal.description, topic: "settings")
            }
            Terminal.print("no mistakes in \(configuration.file.map { Text.shown($0) } ?? "the settings")")
            return .done
        }
        let lines = configuration.settings.keyed.map { setting in
            if setting.key == "since", let chosen { return ("since = \(chosen)", "chosen when the mirror was begun") }
            return (line(of: setting), configuration.origin(of: setting.key))
        }
        let width = min(60, lines.map(\.0.count).max() ?? 0)
        for (line, origin) in lines {
            let gap = String(repeating: " ", count: max(0, width - line.count))
            Terminal.print("\(line)\(gap)  # \(origin)")
        }
        if let (file, root) = configuration.otherMirror {
            Terminal.print("# \(Text.shown(file)) describes the mirror in \(Text.shown(root)) and does not count here")
        }
        if let fileOfService { Terminal.print("# the running service reads \(fileOfService)") }
        return .done
    }

    /// The file that the running service reads; its settings may differ from these.
    private var fileOfService: String? {
        guard let service = configuration.settings.service?.service, service.settings != nil else { return nil }
        return service.settingsFile.map { Text.shown($0) } ?? "no file of settings"
    }

    /// The first day that the mirror has chosen; nil if `since` is set.
    private var chosen: Day? {
        let settings = configuration.settings
        guard settings.since == nil, settings.mayReadCatalog, let catalog = try? settings.catalogToRead(),
            (try? catalog.fact(.since)) != nil, let favorites = try? settings.favoritesToRead()
        else { return nil }
        return try? MirrorRange(settings: settings, catalog: catalog, favorites: favorites, now: time(nil)).since()
    }

    /// The text of a settings file in which all but these keys are commented out.
    private func example(setting given: [String]) -> String {
        let system = ServiceCommands(isSystems: true, systemdRuns: true)
        let own = ServiceCommands(isSystems: false, systemdRuns: true)
        let head = """
            # The settings of apod-mirror. To change one, delete the # before it and write your value.
            # After a change:                   \(system.command("reload") ?? "")
            # After a change of root or state:  \(system.confined ?? "")
            # Where systemd does not run:       \(ServiceCommands.reloadByHand)
            # For a service of your own:        \(own.command("restart") ?? "")
            # More about each:                  man apod-mirror
            """
        var defaults = Settings(root: "~/Pictures/APOD")
        if given.contains("root") { defaults.root = configuration.settings.root }
        let parts = Setting.all.map { setting in
            let (isGiven, usual) = (given.contains(setting.key), setting.show(defaults))
            let value = isGiven ? setting.show(configuration.settings) : setting.example ?? usual
            return "# \(setting.help) (\(setting.value))\n"
                + (setting.example == nil ? "" : "# by default, \(usual)\n")
                + "\(isGiven ? "" : "#")\(setting.key) = \(value)"
        }
        let lists = "# another list of pictures; you can have as many as you like\n#list.hubble = esa-hubble"
        return ([head] + parts + [lists]).joined(separator: "\n\n")
    }

    /// A line for a settings file. A value that a file cannot have becomes a comment.
    private func line(of setting: Setting) -> String {
        let value = setting.show(configuration.settings)
        return (setting.canRead(value) ? "" : "# ") + "\(setting.key) = \(value)"
    }
}
