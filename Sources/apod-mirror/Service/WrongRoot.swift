import Apod
import Archive
import Files
import Glibc

/// A root that can hold no mirror, or hardly is the one that was meant.
enum WrongRoot {
    /// What is wrong, and what to do; nil where nothing is. `begins`: a mirror is made there if there is none.
    static func complaint(about root: String, begins: Bool) -> String? {
        if let file = file(on: root) {
            let folder = file == root ? "" : "there can be no \(Text.shown(root)): "
            let advice = "set `root` to the folder of the mirror, or move that elsewhere"
            return "\(folder)\(Text.shown(file)) is no folder; \(advice)"
        }
        // One that is away is told of as such.
        guard KnownRoots.isEmpty(root), !KnownRoots(environment: Environment.current).haveLost(root) else { return nil }
        if let link = brokenLink(on: root) {
            let advice = "mount the disk that it leads to, or set `root` to the folder of the mirror"
            return "\(Text.shown(link)) is a link that leads nowhere; \(advice)"
        }
        if let mirror = mirror(around: root) {
            return "\(Text.shown(root)) is inside the mirror in \(Text.shown(mirror)): set `root` to that"
        }
        // Who may not write there is told that.
        return begins && access(root, W_OK) == 0 ? otherThings(in: root) : nil
    }

    /// nil where a mirror may be begun.
    static func otherThings(in root: String) -> String? {
        guard let thing = OtherThings.first(in: root) else { return nil }
        return """
            there is no mirror in \(Text.shown(root)), but there are other things, like “\(Text.shown(thing))”; set \
            `root` to the mirror's own folder, like \(Text.shown("\(root)/APOD")). To begin a mirror of yours \
            among them: `\(FolderAdvice.command("\(root)/\(Tree.ownFolder)"))`
            """
    }

    /// It, or the first part of the way to it that is there and leads no further.
    private static func file(on root: String) -> String? {
        var status = stat()
        if stat(root, &status) == 0 { return status.st_mode & S_IFMT == S_IFDIR ? nil : root }
        return errno == ENOTDIR ? parent(of: root).flatMap(file) : nil
    }

    /// On the way to it.
    private static func brokenLink(on root: String) -> String? {
        var status = stat()
        if stat(root, &status) == 0 || errno != ENOENT { return nil }
        return lstat(root, &status) == 0 ? root : parent(of: root).flatMap(brokenLink)
    }

    private static func mirror(around root: String) -> String? {
        let real = FileSystem.resolved(root.utf8).map { String(decoding: $0, as: UTF8.self) }
        let above = parent(of: real ?? root)
        return above.flatMap { KnownRoots.isRoot($0) ? $0 : mirror(around: $0) }
    }

    /// By bytes: a slash and the letter behind it can be one character. nil for the last one.
    private static func parent(of path: String) -> String? {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).flatMap { $0 == path.startIndex ? nil : String(path[..<$0]) }
    }
}
