import Apod
import Configuration
import Control

/// Settings that the service has refused, and that were corrected since.
enum MendedSettings {
    /// Without the refusal, if what it was about is right now.
    static func corrected(_ service: ServiceStatus) -> ServiceStatus {
        let files = service.state.refusedSettings?.files ?? []
        guard !files.isEmpty, files.allSatisfy({ isRight($0, service) }) else { return service }
        let reload = ServiceAdvice(service.root).reload(process: service.process)
        return service.withoutRefusal(
            "those in \(Text.names(files)) are right now; the service reads them when it is reloaded: \(reload)")
    }

    private static func isRight(_ path: String, _ service: ServiceStatus) -> Bool {
        let configuration = Configuration(arguments: [], environment: Environment.current, file: path)
        if configuration.refusal(of: .everything) != nil { return false }
        let hasRoot = configuration.file(of: "root") != nil
        return !hasRoot || RootChange(configuration: configuration, serviceRoot: service.root).refusal == nil
    }
}
