import Apod
import Archive
import Configuration
import Control

/// Compares the root in settings that a service is to read with the root that it keeps.
struct RootChange {
    let configuration: Configuration
    /// nil if no running service reads these settings.
    let serviceRoot: String?

    /// Why the root is refused, and where it is set; nil if it is not.
    var refusal: ConfigurationError? {
        guard let complaint else { return nil }
        return ConfigurationError(["\(configuration.origin(of: "root")): \(complaint)"])
    }

    private var complaint: String? {
        WrongRoot.complaint(about: configuration.settings.root, begins: true) ?? complaintAboutNewMirror
    }

    /// Refuses a root without a mirror while the service keeps another one: it is probably mistyped.
    var complaintAboutNewMirror: String? {
        let root = configuration.settings.root
        guard let serviceRoot, serviceRoot != root, !KnownRoots.isMirror(root) else { return nil }
        if KnownRoots(environment: Environment.current).haveLost(root) {
            if !KnownRoots.isMirror(serviceRoot) { return nil }
            return """
                the mirror in \(Text.shown(root)) is gone, or its disk is not mounted, and the service keeps the one in \
                \(Text.shown(serviceRoot)): mount the disk, or correct `root`
                """
        }
        return """
            there is no mirror in \(Text.shown(root)), and the service keeps the one in \(Text.shown(serviceRoot)): \
            correct `root`. To begin a new mirror, \(ServiceAdvice(serviceRoot).moving)
            """
    }
}

extension RootChange {
    /// Compares with the root of the running service that has read this configuration's file.
    init(_ configuration: Configuration) {
        let services = ControlClient.services(Environment.current)
        let service = configuration.file.flatMap { file in services.first { $0.hasRead(file) } }
        self.init(configuration: configuration, serviceRoot: service?.root)
    }
}
