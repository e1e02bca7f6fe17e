import Apod
import Archive
import Files
import Glibc

/// Finds roots that cannot hold a mirror, or are probably a mistake.
enum WrongRoot {
    /// Says what is wrong and what to do; nil if nothing is. `begins`: the command makes a missing mirror.
    static func complaint(about root: String, begins: Bool) -> String? {
        if let file = file(on: root) {
            let folder = file == root ? "" : "there can be no \(Text.shown(root)): "
            let advice = "set `root` to the folder of the mirror, or move that elsewhere"
            return "\(folder)\(Text.shown(file)) is no folder; \(advice)"
        }
        // A mirror whose disk is away is reported elsewhere.
        guard KnownRoots.isEmpty(root), !KnownRoots(environment: Environment.current).haveLost(root) else { return nil }
        if let link = brokenLink(on: root) {
            let advice = "mount the disk that it leads to, or set `root` to the folder of the mirror"
            return "\(Text.shown(link)) is a link that leads nowhere; \(advice)"
        }
        if let mirror = mirror(around: root) {
            return "\(Text.shown(root)) is inside the mirror in \(Text.shown(mirror)): set `root` to that"
        }
        // A user who cannot write there is told so elsewhere.
        return begins && access(root, W_OK) == 0 ? otherThings(in: root) : nil
    }

    /// Says that the folder has other things; nil if a mirror may begin there.
    static func otherThings(in root: String) -> String? {
        guard let thing = OtherThings.first(in: root) else { return nil }
        return """
            there is no mirror in \(Text.shown(root)), but there are other things, like “\(Text.shown(thing))”; set \
            `root` to the mirror's own folder, like \(Text.shown("\(root)/APOD")). To begin a mirror of yours \
            among them: `\(FolderAdvice.command(Tree.ownPath(in: root)))`
            """
    }

    /// The root, or a part of its path, if that is a file.
    private static func file(on root: String) -> String? {
        var status = stat()
        if stat(root, &status) == 0 { return status.st_mode & S_IFMT == S_IFDIR ? nil : root }
        return errno == ENOTDIR ? FileSystem.parent(of: root).flatMap(file) : nil
    }

    /// The root, or a part of its path, if that is a link that leads nowhere.
    private static func brokenLink(on root: String) -> String? {
        var status = stat()
        if stat(root, &status) == 0 || errno != ENOENT { return nil }
        return lstat(root, &status) == 0 ? root : FileSystem.parent(of: root).flatMap(brokenLink)
    }

    private static func mirror(around root: String) -> String? {
        let real = FileSystem.resolved(root).map { String(decoding: $0, as: UTF8.self) }
        let above = FileSystem.parent(of: real ?? root)
        return above.flatMap { KnownRoots.isRoot($0) ? $0 : mirror(around: $0) }
    }
}
