/// A call that changed something on the disk, or that waited until it was there.
package struct DiskStep: Sendable, CustomStringConvertible {
    package enum Kind: String, Sendable {
        /// The bytes or the time of a file.
        case write
        case shorten
        case sync
        case makeFolder = "make"
        case symlink, link, rename, exchange, remove
    }

    package let kind: Kind
    /// Below the mirror's root, which itself is `.`.
    package let path: String
    /// Of what is renamed, exchanged or gets a second name.
    package let newPath: String?
    let thread: String

    package var description: String { "\(kind.rawValue) \(path)\(newPath.map { " → \($0)" } ?? "")" }

    /// The folders in which it changes names.
    package var folders: Set<String> {
        switch kind {
        case .write, .shorten, .sync: []
        case .makeFolder, .symlink, .remove: [Self.folder(of: path)]
        case .link: [Self.folder(of: newPath!)]
        case .rename, .exchange: [Self.folder(of: path), Self.folder(of: newPath!)]
        }
    }

    private static func folder(of path: String) -> String { path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "." }
}

extension DiskStep {
    /// From a call as strace writes it; nil for one that failed, or that is about something outside of the root.
    init?(_ call: DiskCall, by thread: String, below root: String) {
        func path(_ index: Int, in folder: Int? = nil) -> String? {
            guard let path = call.path(index, in: folder) else { return nil }
            if path == root { return "." }
            return path.hasPrefix(root + "/") ? String(path.dropFirst(root.count + 1)) : nil
        }
        func step(_ kind: Kind, _ from: String?, _ to: String? = nil) -> DiskStep? {
            from.map { DiskStep(kind: kind, path: $0, newPath: to, thread: thread) }
        }
        let step: DiskStep? =
            switch call.name {
            case "write", "pwrite64", "writev", "utimensat": step(.write, path(0))
            case "ftruncate": step(.shorten, path(0))
            case "fsync", "fdatasync": step(.sync, path(0))
            case "mkdir": step(.makeFolder, path(0))
            case "mkdirat": step(.makeFolder, path(1, in: 0))
            case "symlinkat": step(.symlink, path(2, in: 1))
            case "linkat": step(.link, path(1, in: 0), path(3, in: 2))
            case "rename": step(.rename, path(0), path(1))
            case "renameat": step(.rename, path(1, in: 0), path(3, in: 2))
            case "renameat2":
                step(call.has("RENAME_EXCHANGE") ? .exchange : .rename, path(1, in: 0), path(3, in: 2))
            case "unlink": step(.remove, path(0))
            case "unlinkat": step(.remove, path(1, in: 0))
            default: nil
            }
        guard let step, !call.hasFailed else { return nil }
        self = step
    }
}
