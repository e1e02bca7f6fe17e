import Apod
import Configuration
import Control
import Syncing

/// A running service deletes by other settings than those that a command was given or has read.
struct OtherRetention: CustomStringConvertible {
    let description: String
    /// What to do about it.
    let remedy: String

    /// `configuration`: where the settings are from.
    init?(_ settings: Settings, _ configuration: Configuration? = nil) {
        let service = ControlClient.status(root: settings.root, environment: Environment.current)
        guard let service, let theirs = service.state.settings?.retention, theirs != settings.retention else {
            return nil
        }
        description = "the running service goes by \(theirs), and not by \(settings.retention)"
        let reload = ServiceAdvice(settings.root).reload(process: service.process)
        let files = service.state.settingsFiles ?? []
        let foreign = configuration.map { Self.foreign(to: files, $0) } ?? []
        remedy =
            foreign.isEmpty
            ? "have it read its settings again (\(reload))"
            : "the service does not read \(Text.names(foreign)): set that in \(Text.names(files)), then \(reload)"
    }

    /// Where limits stand that the service would not read again.
    private static func foreign(to files: [String], _ configuration: Configuration) -> [String] {
        if files.isEmpty { return [] }
        let origins = ["keep", "max-total"].compactMap { key -> String? in
            let origin = configuration.origin(of: key)
            guard let file = configuration.file(of: key) else { return origin == "default" ? nil : origin }
            return files.contains(file) ? nil : origin
        }
        return origins
    }
}
