import Apod
import Configuration
import Control

/// Settings that the service has refused, and that were corrected since.
enum MendedSettings {
    /// Without the refusal, if what it was about is right now.
    static func corrected(_ service: ServiceStatus) -> ServiceStatus {
        guard let path = service.state.refusedSettings?.file, isRight(path, service) else { return service }
        let reload = ServiceAdvice(service.root).reload(process: service.process)
        return service.withoutRefusal(
            "those in \(Text.shown(path)) are right now; the service reads them when it is reloaded: \(reload)")
    }

    private static func isRight(_ path: String, _ service: ServiceStatus) -> Bool {
        let configuration = try? Configuration(arguments: [], environment: Environment.current, file: path)
        return configuration.map { RootChange(configuration: $0, kept: service.root).refusal == nil } ?? false
    }
}
