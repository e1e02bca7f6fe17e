import Apod
import Archive
import Configuration
import Control

/// The root of settings that a service is to read, beside the one that it keeps.
struct RootChange {
    let configuration: Configuration
    /// nil where no service is known that would read them.
    let kept: String?

    /// nil where the root has a mirror, or no service that runs has read these settings and keeps another one.
    init?(_ configuration: Configuration) {
        guard KnownRoots.isEmpty(configuration.settings.root),
            let service = ControlClient.service(reading: configuration, Environment.current),
            service.root != configuration.settings.root
        else { return nil }
        self.init(configuration: configuration, kept: service.root)
    }

    init(configuration: Configuration, kept: String?) {
        self.configuration = configuration
        self.kept = kept
    }

    /// What keeps the service from going there, and where that stands.
    var refusal: ConfigurationError? {
        guard let complaint else { return nil }
        let origin = configuration.origin(of: "root")
        return ConfigurationError(description: "\(origin): \(complaint)", file: configuration.file(of: "root"))
    }

    private var complaint: String? {
        WrongRoot.complaint(about: configuration.settings.root, begins: true) ?? complaintAboutNewMirror
    }

    /// Who mistypes `root` does not mean a second mirror; nor one that was there once, as long as there is another.
    private var complaintAboutNewMirror: String? {
        let root = configuration.settings.root
        guard let kept, kept != root, !KnownRoots.isMirror(root) else { return nil }
        if KnownRoots(environment: Environment.current).haveLost(root) {
            if !KnownRoots.isMirror(kept) { return nil }
            return """
                the mirror in \(Text.shown(root)) is gone, or its disk is not mounted, and the service keeps the one in \
                \(Text.shown(kept)): mount the disk, or correct `root`
                """
        }
        return """
            there is no mirror in \(Text.shown(root)), and the service keeps the one in \(Text.shown(kept)): correct \
            `root`. To begin a new mirror, \(ServiceAdvice(kept).beginAnew)
            """
    }
}

extension ControlClient {
    /// The service that goes by these settings, as far as it runs.
    static func service(reading configuration: Configuration, _ environment: [String: String]) -> ServiceStatus? {
        guard let file = configuration.file(of: "root") else { return nil }
        return services(environment).first { $0.state.settingsFiles?.contains(file) ?? false }
    }
}
