import Apod
import Configuration
import Files
import Glibc
import Store
import Syncing

extension Problem {
    /// The cause of a refusal: a read-only disk, a mirror of another user, or a closed folder.
    func explained(for settings: Settings) -> Problem {
        let root = settings.root
        guard let path = code == .foreign ? root : isRefusal ? path : nil else { return self }
        if FileSystem.isReadOnly(path) { return Problem("write in", path, code: EROFS) }
        if code == .foreign { return self }
        if let owner = FileOwner(of: Tree.ownPath(in: root)), owner.user != geteuid() {
            return Problem(.foreign, owner.name, path: root)
        }
        return .closed(to: settings) ?? self
    }

    /// The error if the current user cannot write in a folder of the mirror.
    static func closed(to settings: Settings) -> Problem? {
        let own = Tree.ownPath(in: settings.root)
        guard let folder = [own, settings.state].compactMap(\.self).first(where: isClosed) else {
            return nil
        }
        if access(folder, F_OK) == 0, folder == own || settings.hasCatalog {
            return Problem("write in", folder, code: EACCES)
        }
        return Problem(.closed, "write in", path: folder == own ? settings.root : folder, number: Int(EACCES))
    }

    /// Whether permissions forbid writing in the folder or, if missing, in the nearest one above it.
    private static func isClosed(_ folder: String) -> Bool {
        access(FileSystem.nearest(folder), W_OK | X_OK) != 0 && errno == EACCES
    }
}

extension OpenMirror {
    static func begin(_ settings: Settings, since: Day? = nil) throws -> OpenMirror {
        let mirror: OpenMirror
        try Archive.checkVisible(root: settings.root, state: nil)
        do {
            mirror = try opened(settings, since)
        } catch {
            throw error.problem.explained(for: settings)
        }
        for words in mirror.news { Terminal.complain(words) }
        return mirror
    }

    /// Waits some seconds for another command that writes: most take only a moment.
    private static func opened(_ settings: Settings, _ since: Day?) throws -> OpenMirror {
        let deadline = ContinuousClock.now + .seconds(3)
        while true {
            do {
                return try OpenMirror(
                    settings, since: since, version: ProgramVersion.number, environment: Environment.current,
                    time: SystemClock())
            } catch {
                guard error.problem.code == .used, .now < deadline, !Signals.isAsked else { throw error }
                usleep(50_000)
            }
        }
    }
}
