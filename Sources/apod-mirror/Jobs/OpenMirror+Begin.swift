import Apod
import Archive
import Concurrency
import Configuration
import Files
import Glibc
import Syncing

extension ArchiveError {
    /// The cause of a refusal: a read-only disk, a mirror of another user, or a closed folder.
    func explained(for settings: Settings) -> ArchiveError {
        let root = settings.root
        if case .foreign = self { return FileSystem.isReadOnly(root) ? .readOnly(path: root) : self }
        guard case .storage(let refusal) = self, refusal.isRefusal else { return self }
        if FileSystem.isReadOnly(refusal.path) { return .readOnly(path: refusal.path) }
        if let owner = FileOwner(of: Tree.ownPath(in: root)), owner.user != geteuid() {
            return .foreign(root: root, owner: owner.name)
        }
        return .closed(to: settings) ?? self
    }

    /// The error if the current user cannot write in a folder of the mirror.
    static func closed(to settings: Settings) -> ArchiveError? {
        let own = Tree.ownPath(in: settings.root)
        guard let folder = [own, settings.state].compactMap(\.self).first(where: isClosed) else {
            return nil
        }
        func refusal(_ path: String) -> StorageError { StorageError("write in", path, code: EACCES) }
        let isMirrors = folder == own || settings.hasCatalog
        if access(folder, F_OK) == 0, isMirrors || !holdsOtherThings(folder) {
            return .refused(folder: folder, refusal(folder))
        }
        let wanted = folder == own ? settings.root : folder
        return .closed(folder: wanted, refusal(wanted))
    }

    /// Whether permissions forbid writing in the folder or, if missing, in the nearest one above it.
    private static func isClosed(_ folder: String) -> Bool {
        access(FileSystem.nearest(folder), W_OK | X_OK) != 0 && errno == EACCES
    }
}

extension OpenMirror {
    static func begin(_ settings: Settings, since: Day? = nil) throws(ArchiveError) -> OpenMirror {
        let mirror: OpenMirror
        try Archive.checkVisible(root: settings.root, state: nil)
        do throws(ArchiveError) {
            mirror = try opened(settings, since)
        } catch {
            throw error.explained(for: settings)
        }
        for words in mirror.news { Terminal.complain(words) }
        return mirror
    }

    /// Waits some seconds for another command that writes: most take only a moment.
    private static func opened(_ settings: Settings, _ since: Day?) throws(ArchiveError) -> OpenMirror {
        let deadline = ContinuousClock.now + .seconds(3)
        while true {
            do throws(ArchiveError) {
                return try OpenMirror(
                    settings, since: since, version: Version.number, environment: Environment.current,
                    time: SystemClock())
            } catch {
                guard case .inUse = error, .now < deadline, !Signals.isAsked else { throw error }
                usleep(50_000)
            }
        }
    }
}
