import Apod
import CSystemd
import Files
import Glibc
package import Store

/// The service manager that started this process, if any: systemd, or one that speaks the same protocol.
package enum Systemd {
    /// What the manager is told, in the lines of sd_notify(3).
    package enum Notification: Sendable {
        case ready, reloading, stopping, alive
        /// Shown by `systemctl status`.
        case status(String)

        var lines: String {
            switch self {
            case .ready: "READY=1"
            case .reloading: "RELOADING=1\nMONOTONIC_USEC=\(monotonicNow() / 1_000)"
            case .stopping: "STOPPING=1"
            case .alive: "WATCHDOG=1"
            case .status(let words): "STATUS=\(Text.shown(words))"
            }
        }
    }

    private static let library = open_libsystemd()

    package static func notify(_ news: Notification) { _ = library.sd_notify(0, news.lines) }

    /// How long the service may be silent before it is killed; nil without a watchdog (sd_watchdog_enabled(3)).
    package static var watchdog: Duration? {
        var microseconds: UInt64 = 0
        guard library.sd_watchdog_enabled(0, &microseconds) > 0 else { return nil }
        return .microseconds(Int64(clamping: microseconds))
    }

    /// Whether standard error goes to the journal, which then gets entries with fields (systemd.exec(5)).
    package static var readsStandardError: Bool {
        var facts = stat()
        guard let stream = getenv("JOURNAL_STREAM"), fstat(STDERR_FILENO, &facts) == 0 else { return false }
        return String(cString: stream) == "\(facts.st_dev):\(facts.st_ino)"
    }

    /// Writes an entry with its fields. Returns false on failure.
    package static func enter(_ entry: JournalEntry, _ words: String) -> Bool {
        var fields = [
            "MESSAGE=\(Text.shown(words))", "PRIORITY=\(entry.grade.rawValue)",
            "APOD_EVENT=\(entry.event.rawValue)", "SYSLOG_IDENTIFIER=apod-mirror",
        ]
        if let day = entry.day { fields.append("APOD_DAY=\(day)") }
        if let user = entry.user { fields.append("APOD_UID=\(user)") }
        let vectors = fields.map { field in
            let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: field.utf8.count, alignment: 1)
            bytes.copyBytes(from: field.utf8)
            return iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
        }
        defer { for vector in vectors { vector.iov_base.deallocate() } }
        return library.sd_journal_sendv(vectors, Int32(vectors.count)) == 0
    }
}
