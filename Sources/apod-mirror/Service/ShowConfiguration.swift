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
        options: [Command.Option("check", "only name mistakes")],
        others: Setting.all.map(\.key), mirror: .unused
    ) { try ShowConfiguration($0, $1).run() }

    private let configuration: Configuration
    private let onlyChecks: Bool

    init(_ usage: Usage, _ configuration: Configuration) {
        self.configuration = configuration
        onlyChecks = usage.has("check")
    }

    func run() throws(Usage.Mistake) -> ExitStatus {
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

    /// A line for a settings file. A value that a file cannot have becomes a comment.
    private func line(of setting: Setting) -> String {
        let value = setting.show(configuration.settings)
        return (setting.canRead(value) ? "" : "# ") + "\(setting.key) = \(value)"
    }
}
