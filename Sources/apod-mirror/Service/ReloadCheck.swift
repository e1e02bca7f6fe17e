import Apod
import Configuration
import Control
import Files
import Glibc
import Syncing

/// Whether the service whose settings are read again could write where they want it to.
///
/// systemd starts this as the service itself, and lets it write in the same folders.
struct ReloadCheck {
    private let configuration: Configuration
    private let environment: [String: String]

    init(_ configuration: Configuration, _ environment: [String: String]) {
        self.configuration = configuration
        self.environment = environment
    }

    /// Where each setting stands, what is wrong with it, and what to do. Where the service may write, only it can tell.
    var refusals: [String] {
        let settings = configuration.settings
        let wrongRoot = RootChange(configuration: configuration, serviceRoot: reader?.root).refusal?.mistakes
        // systemd.exec(5): set for what is started by ExecReload.
        guard environment["MAINPID"] != nil else { return wrongRoot ?? [] }
        // Where it is already, it may be waiting for a disk.
        let service = ControlClient.status(root: settings.root, environment: environment)
        let hasState = service?.state.settings?.stateFolder == settings.stateFolder
        // Of what is wrong with the root, the first thing is enough.
        let root = service == nil && wrongRoot == nil ? settings.root : nil
        let folders = [("root", root), ("state", hasState ? nil : settings.state)]
        let closed = folders.compactMap { key, folder in
            folder.flatMap { Self.isClosed($0) ? words(key, $0, advice) : nil }
        }
        return (wrongRoot ?? []) + closed
    }

    private func words(_ key: String, _ folder: String, _ advice: String) -> String {
        "\(configuration.origin(of: key)): the service may not write in \(Text.shown(folder)); \(advice)"
    }

    /// The service that is to read these settings, as far as systemd has started it.
    private var reader: ServiceStatus? {
        guard let process = environment["MAINPID"] else {
            return ControlClient.service(reading: configuration, environment)
        }
        return ControlClient.services(environment).first { "\($0.process)" == process }
    }

    private var advice: String {
        // A service of a person's own has none.
        environment["STATE_DIRECTORY"] == nil
            ? "name another folder"
            : ServiceAdvice.install
    }

    /// Whether nothing can be made in the folder, or else where it is to be.
    static func isClosed(_ path: String) -> Bool {
        var folder = path
        while folder != "/", access(folder, F_OK) != 0, errno == ENOENT || errno == ENOTDIR,
            let slash = folder.utf8.lastIndex(of: UInt8(ascii: "/"))
        {
            folder = slash == folder.startIndex ? "/" : String(folder[..<slash])
        }
        if access(folder, W_OK | X_OK) == 0 { return false }
        // A disk that is read-only for everybody may become another again.
        return errno == EACCES || errno == EROFS && !FileSystem.isDiskReadOnly(folder)
    }
}
