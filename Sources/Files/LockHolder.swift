/// Whoever has locked something in a file.
package enum LockHolder: Sendable {
    /// All who have it open together.
    case openFile
    /// A program that this person has started, whatever it may do besides.
    case process(user: UInt32, groups: Set<UInt32>)
    /// Somebody of whom the system does not tell.
    case hidden

    /// Nothing is opened: who closes a file loses all locks that the same process has in it (fcntl_locking(2)).
    package static func all(of file: File.Identity) -> [LockHolder] {
        lines(of: "/proc/locks").compactMap { line in
            // `1: POSIX  ADVISORY  READ 1234 08:01:5678 0 EOF` (proc_locks(5))
            let fields = line.split(separator: " ")
            guard fields.count == 8, fields[5].hasSuffix(":\(file.inode)") else { return nil }
            return switch fields[1] {
            case "POSIX": process(fields[4])
            case "OFDLCK": .openFile
            default: nil
            }
        }
    }

    private static func process(_ id: Substring) -> LockHolder {
        var numbers: [Substring: [UInt32]] = [:]
        for line in lines(of: "/proc/\(id)/status") {
            let words = line.split { $0 == "\t" || $0 == " " }
            if let name = words.first { numbers[name] = words.dropFirst().compactMap { UInt32($0) } }
        }
        guard let user = numbers["Uid:"]?.first, let group = numbers["Gid:"]?.first else { return .hidden }
        return .process(user: user, groups: Set([group] + (numbers["Groups:"] ?? [])))
    }

    private static func lines(of path: String) -> [Substring] {
        String(decoding: (try? File.reading(path).stream()) ?? [], as: UTF8.self).split(separator: "\n")
    }
}
