import Configuration
import Control
import Syncing

/// A running service deletes by other settings than those that a command was given or has read.
struct OtherRetention: CustomStringConvertible {
    static let remedy = "have it read its settings again (`systemctl reload apod-mirror`, or SIGHUP)"

    let description: String

    init?(_ settings: Settings) {
        let service = ControlClient.status(root: settings.root, environment: Environment.current)
        guard let theirs = service?.state.retention, theirs != settings.retention else { return nil }
        description = "the running service goes by \(theirs), and not by \(settings.retention)"
    }
}
