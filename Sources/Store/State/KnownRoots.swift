import Apod
package import Files
import Glibc

/// A list of the roots with a mirror, kept outside of them: where the mirror is missing, its disk is not mounted, and
/// nothing must be written.
package struct KnownRoots {
    private static let name = "roots"
    /// The state folder of the system service.
    static let systems = "/var/lib/apod-mirror"
    private let folder: String?

    /// `environment`: of a service, or of a person (XDG base directories).
    package init(environment: [String: String]) {
        func path(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        // systemd names several folders, separated by colons.
        let own = path("STATE_DIRECTORY").map { String($0.prefix { $0 != ":" }) }
        let persons = path("XDG_STATE_HOME") ?? path("HOME").map { $0 + "/.local/state" }
        folder = own ?? persons.map { $0 + "/apod-mirror" }
    }

    /// Whether this service or person has kept a mirror in the root.
    package func contain(_ root: String) -> Bool { roots(in: folder).contains(root) }

    package func haveLost(_ root: String) -> Bool {
        Self.isEmpty(root) && (roots(in: folder).contains(root) || roots(in: Self.systems).contains(root))
    }

    /// The user of the system service, if it has kept a mirror in this root; nil otherwise.
    package static func keeper(of root: String) -> FileOwner? {
        let systems = KnownRoots(environment: ["STATE_DIRECTORY": systems])
        return systems.roots(in: systems.folder).contains(root) ? FileOwner(of: Self.systems) : nil
    }

    /// The other roots, of the same service or person, that have a mirror now.
    package func others(than root: String) -> [String] {
        roots(in: folder).filter { $0 != root && Self.isRoot($0) }
    }

    /// False where permissions hide what is there.
    package static func isEmpty(_ root: String) -> Bool {
        access(Tree.ownPath(in: root), F_OK) != 0 && errno != EACCES
    }

    /// Whether a mirror was begun there. A folder with nothing but another mirror's state has no lock.
    package static func isRoot(_ path: String) -> Bool { access("\(path)/\(Tree.ownFolder)/lock", F_OK) == 0 }

    /// Whether a mirror was begun there, or there is at least a day from which a catalog can be made.
    package static func isMirror(_ path: String) -> Bool {
        if !isEmpty(path) { return true }
        guard let root = try? Folder.open(path), let months = try? Tree.months(in: root) else { return false }
        return months.contains { (try? Tree.days(in: $0.folder, $0.path))?.isEmpty == false }
    }

    /// Something visible beside which no mirror is begun; nil if there is none, or a mirror.
    package static func otherThing(in path: String) -> String? {
        guard !isMirror(path), let names = try? Folder.open(path).names() else { return nil }
        let allowed = [Tree.favorites, Tree.favoritesList, "lost+found"]
        return names.filter { !$0.hasPrefix(".") && !allowed.contains($0) }.min()
    }

    /// Adds a root to the list. Errors are ignored: the home folder may be read-only.
    package func remember(_ root: String) {
        let roots = roots(in: folder)
        guard let folder, !root.utf8.contains("\n"), !roots.contains(root) else { return }
        let text = (roots + [root]).map { $0 + "\n" }.joined()
        guard let home = try? Folder.make(folder) else { return }
        try? Staged(text.bytes, in: home, as: "\(Self.name).new").publishDurably(in: home, as: Self.name)
    }

    private func roots(in folder: String?) -> [String] {
        guard let folder, let file = try? Folder.open(folder).file(Self.name),
            let bytes = try? file.contents(atMost: 1 << 20)
        else { return [] }
        return bytes.split(separator: "\n").map(\.text)
    }
}
