import Apod
import Configuration
import Control
import Files
import Glibc
import Syncing

/// Checks before a reload whether the service can write in the folders that the settings name.
///
/// systemd runs this as the service itself, with the same write access (ExecReload).
struct ReloadCheck {
    private let configuration: Configuration
    private let environment = Environment.current

    init(_ configuration: Configuration) { self.configuration = configuration }

    /// What is wrong, where it is set, and what to do. Write access is checked only under systemd.
    var refusals: [String] {
        let settings = configuration.settings
        let wrongRoot = RootChange(configuration).refusal?.mistakes
        // systemd.exec(5): set for commands of ExecReload.
        guard environment["MAINPID"] != nil else { return wrongRoot ?? [] }
        // Folders in use are not checked: the service may be waiting for a disk.
        let service = settings.service
        let hasState = service?.state.settings?.stateFolder == settings.stateFolder
        // One complaint about the root is enough.
        let root = service == nil && wrongRoot == nil ? settings.root : nil
        let folders = [("root", root), ("state", hasState ? nil : settings.state)]
        let closed = folders.compactMap { key, folder in
            folder.flatMap { Self.isClosed($0) ? words(key, $0) : nil }
        }
        return (wrongRoot ?? []) + closed
    }

    private func words(_ key: String, _ folder: String) -> String {
        // A person's own service has no STATE_DIRECTORY.
        let advice = environment["STATE_DIRECTORY"] == nil ? "name another folder" : ServiceAdvice.allowing
        return "\(configuration.origin(of: key)): the service may not write in \(Text.shown(folder)); \(advice)"
    }

    /// Whether permissions forbid writing in the folder or, if missing, in the nearest one above it.
    static func isClosed(_ path: String) -> Bool {
        let folder = FileSystem.nearest(path)
        if access(folder, W_OK | X_OK) == 0 { return false }
        // A disk that is read-only for everybody may become writable again.
        return errno == EACCES || errno == EROFS && !FileSystem.isDiskReadOnly(folder)
    }
}
