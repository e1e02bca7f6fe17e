internal import Files
import Glibc

/// Keeps a second writer out. The kernel lets go of it when the process ends, however it ends.
final class Lock: Sendable {
    private let file: File

    /// nil if another process has it; `holder` then says which.
    init?(in folder: Folder, as name: String, holder: inout String) throws(DiskError) {
        file = try folder.makeFile(name, keeping: true)
        guard flock(file.descriptor, LOCK_EX | LOCK_NB) == 0 else {
            guard errno == EWOULDBLOCK else { throw DiskError("lock", file.path) }
            let words = String(decoding: try file.bytes(at: 0, count: 200), as: UTF8.self)
            holder = words.split(separator: "\n").first.map(String.init) ?? "another process"
            return nil
        }
        try file.truncate(to: 0)
        try file.append(Array("process \(getpid())\n".utf8))
    }

    static func isHeld(_ file: File) -> Bool {
        guard flock(file.descriptor, LOCK_SH | LOCK_NB) == 0 else { return errno == EWOULDBLOCK }
        flock(file.descriptor, LOCK_UN)
        return false
    }
}
