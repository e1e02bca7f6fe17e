import Configuration
import Control

extension Configuration {
    /// Where the files that should say it cannot be read, a service that has read them before knows where the mirror is.
    mutating func findPlace() {
        let files = filesInDoubt
        if files.isEmpty { return }
        let services = ControlClient.services(Environment.current)
        guard let service = services.first(where: { $0.state.settingsFiles?.contains(where: files.contains) ?? false }),
            let settings = service.settings(in: service.root)
        else { return }
        setPlace(root: settings.root, state: settings.state, knownTo: "the running service")
    }
}
