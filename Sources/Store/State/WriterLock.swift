import Apod
import Files
import Glibc

/// Keeps a second writer out. The kernel releases it when the process ends, however it ends.
final class WriterLock: Sendable {
    private let file: File
    /// A readable file that is locked while there is a writer, and names its control socket. Readers can lock it too,
    /// but that keeps nobody out.
    private let sign: File

    private static let signName = "running"

    /// Returns nil if another process has the lock; `holder` then names it.
    init?(in folder: Folder, holder: inout String) throws {
        file = try folder.makePrivateFile("lock")
        // Not emptied here: another writer's address may be in it.
        sign = try folder.makeFile(Self.signName, keeping: true)
        guard try file.lock(.alone) else {
            let words = try file.bytes(at: 0, count: 200).text
            holder = words.split(separator: "\n").first.map(String.init) ?? "another process"
            return nil
        }
        // A killed process may have left its address.
        try sign.truncate(to: 0)
        _ = try sign.lock(.shared)
        try file.truncate(to: 0)
        try file.append("process \(getpid())\n".bytes)
    }

    func announce(_ address: String?) throws {
        let line = Array((address.map { "\($0)\n" } ?? "").utf8)
        if try sign.bytes(at: 0, count: line.count + 1) == line { return }
        try sign.truncate(to: 0)
        try sign.append(line)
    }

    static func announcement(in folder: Folder) -> String? {
        guard let sign = try? folder.file(signName), sign.isLocked, let bytes = try? sign.contents(atMost: 1 << 13)
        else { return nil }
        let lines = bytes.text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.count == 2 && lines[0].hasPrefix("/") && lines[1].isEmpty ? String(lines[0]) : nil
    }

    static func isHeld(in folder: Folder) -> Bool { (try? folder.file(signName))?.isLocked == true }
}
