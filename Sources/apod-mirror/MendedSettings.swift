import Configuration
import Control

/// Settings that the service has refused, and that were corrected since.
enum MendedSettings {
    /// Without the refusal, if what it was about is right now.
    static func corrected(_ service: ServiceStatus) -> ServiceStatus {
        guard let refused = service.state.refusedSettings, let path = file(in: refused), isRight(path) else {
            return service
        }
        return service.withoutRefusal(
            "the settings in \(path) are right now; the service reads them when it is reloaded: "
                + "`systemctl reload apod-mirror`, or SIGHUP")
    }

    /// The complaint begins with it, and with the line.
    private static func file(in complaint: String) -> String? {
        complaint.firstMatch(of: #/^(/.*?):[0-9]+: /#).map { String($0.1) }
    }

    private static func isRight(_ path: String) -> Bool {
        (try? Configuration(arguments: [], environment: Environment.current, file: path)) != nil
    }
}
