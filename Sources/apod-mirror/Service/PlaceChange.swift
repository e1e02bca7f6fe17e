import Configuration
import Control
import Syncing

/// Refuses a reload of settings that name other folders: only a start of the service takes them.
enum PlaceChange {
    /// Compares with the folders of the running service that has read the settings' file.
    static func refusal(of configuration: Configuration) -> ConfigurationError? {
        let services = ControlClient.services(Environment.current)
        let service = configuration.file.flatMap { file in services.first { $0.service?.settingsFile == file } }
        return service?.service?.settings.flatMap { refusal(of: configuration, for: $0) }
    }

    /// `kept`: the settings that the service has.
    static func refusal(of configuration: Configuration, for kept: Settings) -> ConfigurationError? {
        let settings = configuration.settings
        if settings.root == kept.root, settings.stateFolder == kept.stateFolder { return nil }
        let key = settings.root == kept.root ? "state" : "root"
        let advice = "a reload does not change `\(key)`; instead, \(ServiceAdvice(kept.root).moving)"
        return ConfigurationError(["\(configuration.origin(of: key)): \(advice)"])
    }
}
