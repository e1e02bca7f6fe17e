import Apod
import Archive
import Configuration
import Control
import Files

/// The root of settings that a service is to read, beside the one that it keeps.
struct RootChange {
    let configuration: Configuration
    /// nil where no service is known that would read them.
    let serviceRoot: String?

    /// What keeps the service from going there, and where that stands.
    var refusal: ConfigurationError? {
        guard let complaint else { return nil }
        let origin = configuration.origin(of: "root")
        return ConfigurationError(description: "\(origin): \(complaint)")
    }

    private var complaint: String? {
        WrongRoot.complaint(about: configuration.settings.root, begins: true) ?? complaintAboutNewMirror
    }

    /// Who mistypes `root` does not mean a second mirror; nor one that was there once, as long as there is another.
    private var complaintAboutNewMirror: String? {
        let root = configuration.settings.root
        guard let serviceRoot, serviceRoot != root, !KnownRoots.isMirror(root) else { return nil }
        if KnownRoots(environment: Environment.current).haveLost(root) {
            // Where the service is not let, it can lose nothing.
            let isHidden = FileSystem.closedFolder(onWayTo: root) != nil
            if isHidden || !KnownRoots.isMirror(serviceRoot) { return nil }
            return """
                the mirror in \(Text.shown(root)) is gone, or its disk is not mounted, and the service keeps the one in \
                \(Text.shown(serviceRoot)): mount the disk, or correct `root`
                """
        }
        return """
            there is no mirror in \(Text.shown(root)), and the service keeps the one in \(Text.shown(serviceRoot)): \
            correct `root`. To begin a new mirror, \(ServiceAdvice(serviceRoot).beginning)
            """
    }
}

extension ControlClient {
    /// The service that goes by these settings, as far as it runs.
    static func service(reading configuration: Configuration, _ environment: [String: String]) -> ServiceStatus? {
        guard let file = configuration.file else { return nil }
        return services(environment).first { $0.hasRead(file) }
    }
}
