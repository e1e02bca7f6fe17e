internal import Files
import Glibc

/// The service that all share, as systemd knows it.
enum SystemService {
    private static let unit = "/etc/systemd/system/apod-mirror.service"
    /// What the installer writes where the mirror is not in its usual place.
    private static let additions = "\(unit).d/folders.conf"

    /// How a mirror begins in folders that a command makes. What was not there when the service was started, systemd does
    /// not let it write in.
    static func beginning(by command: String) -> String {
        guard access(unit, F_OK) == 0 else { return "`\(command)`" }
        let words = "`\(command) && sudo systemctl restart apod-mirror`"
        return isHeldToDisk ? "\(words). If its disk is gone for good, run `systemd/install` after that" : words
    }

    /// Without that disk, systemd does not start it.
    private static var isHeldToDisk: Bool {
        guard let bytes = try? File.reading(additions).contents(atMost: 1 << 16) else { return false }
        let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
        return lines.contains { $0.hasPrefix("BindsTo=") }
    }
}
