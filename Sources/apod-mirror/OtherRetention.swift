import Configuration
import Control
import Syncing

/// A running service deletes by other settings than those that a command was given or has read.
struct OtherRetention: CustomStringConvertible {
    let description: String
    /// What to do about it.
    let remedy: String

    init?(_ settings: Settings) {
        let service = ControlClient.status(root: settings.root, environment: Environment.current)
        guard let service, let theirs = service.state.settings?.retention, theirs != settings.retention else {
            return nil
        }
        description = "the running service goes by \(theirs), and not by \(settings.retention)"
        let reload = ServiceAdvice(settings.root).reload(process: service.process)
        remedy = "have it read its settings again (\(reload))"
    }
}
