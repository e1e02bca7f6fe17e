import Archive
import Concurrency
import Configuration
import Files
import Glibc
import Syncing

extension ArchiveError {
    /// Who may not write in a service's mirror wants the service, which can do no more where nobody can write.
    fileprivate func explained(for root: String) -> ArchiveError {
        if case .foreign = self, FileSystem.isReadOnly(root) { return .readOnly(path: root) }
        guard case .disk(let refusal) = self, refusal.isRefusal else { return self }
        if FileSystem.isReadOnly(refusal.path) { return .readOnly(path: refusal.path) }
        guard let owner = FileOwner(of: "\(root)/\(Tree.ownFolder)"), owner.user != geteuid()
        else { return self }
        return .foreign(root: root, owner: owner.name)
    }
}

extension OpenMirror {
    static func begin(_ settings: Settings) throws(ArchiveError) -> OpenMirror {
        do throws(ArchiveError) {
            return try OpenMirror(
                settings, version: Version.number, environment: Environment.current, time: SystemClock())
        } catch {
            throw error.explained(for: settings.root)
        }
    }
}
