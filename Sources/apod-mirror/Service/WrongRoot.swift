import Apod
import Archive
import Files
import Glibc

/// Finds roots that cannot hold a mirror, or are probably a mistake.
enum WrongRoot {
    /// Says what is wrong and what to do; nil if nothing is. `begins`: the command makes a missing mirror.
    static func complaint(about root: String, begins: Bool) -> String? {
        // A mirror whose disk is away is reported elsewhere.
        guard KnownRoots.isEmpty(root), !KnownRoots(environment: Environment.current).haveLost(root) else { return nil }
        if let mirror = mirror(around: root) {
            return "\(Text.shown(root)) is inside the mirror in \(Text.shown(mirror)): set `root` to that"
        }
        // A user who cannot write there is told so elsewhere.
        return begins && access(root, W_OK) == 0 ? otherThings(in: root) : nil
    }

    /// Says that the folder has other things; nil if a mirror may begin there.
    static func otherThings(in root: String) -> String? {
        guard let thing = KnownRoots.otherThing(in: root) else { return nil }
        return """
            there is no mirror in \(Text.shown(root)), but there are other things, like “\(Text.shown(thing))”; set \
            `root` to the mirror's own folder, like \(Text.shown("\(root)/APOD")). To begin a mirror of yours \
            among them: `\(FolderAdvice.command(Tree.ownPath(in: root)))`
            """
    }

    private static func mirror(around root: String) -> String? {
        let real = FileSystem.resolved(root).map { String(decoding: $0, as: UTF8.self) }
        let above = FileSystem.parent(of: real ?? root)
        return above.flatMap { KnownRoots.isRoot($0) ? $0 : mirror(around: $0) }
    }
}
