internal import Files
import Glibc

/// Keeps a second writer out. The kernel lets go of it when the process ends, however it ends.
final class Lock: Sendable {
    private let file: File
    /// Tells everybody that somebody writes. Whoever can read it can lock it too, but that keeps nobody out.
    private let sign: File

    private static let signName = "running"

    /// nil if another process has it; `holder` then says which.
    init?(in folder: Folder, holder: inout String) throws(DiskError) {
        file = try folder.makeLock("lock")
        sign = try folder.makeFile(Self.signName)
        guard try file.lock(.alone) else {
            let words = String(decoding: try file.bytes(at: 0, count: 200), as: UTF8.self)
            holder = words.split(separator: "\n").first.map(String.init) ?? "another process"
            return nil
        }
        _ = try sign.lock(.shared)
        try file.truncate(to: 0)
        try file.append(Array("process \(getpid())\n".utf8))
    }

    static func isHeld(in folder: Folder) -> Bool { (try? folder.file(signName))?.isLocked == true }
}
