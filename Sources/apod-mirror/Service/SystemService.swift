import Files
import Glibc

/// The service that all share, as systemd knows it.
enum SystemService {
    private static let unit = "/etc/systemd/system/apod-mirror.service"
    /// What the installer writes where the mirror is not in its usual place.
    private static let additions = "\(unit).d/folders.conf"

    static var isInstalled: Bool { access(unit, F_OK) == 0 }

    /// How a mirror begins in folders that a command makes. What was not there when the service was started, systemd does
    /// not let it write in.
    static func beginning(by command: String) -> String {
        guard isInstalled else { return "`\(command)`" }
        let words = "`\(command) && sudo systemctl restart apod-mirror`"
        return isHeldToDisk ? "\(words). If its disk is gone for good, run `systemd/install` after that" : words
    }

    /// Without that disk, systemd does not start it.
    private static var isHeldToDisk: Bool { lines(additions)?.contains { $0.hasPrefix("BindsTo=") } ?? false }

    private static func lines(_ path: String) -> [String]? {
        guard let bytes = try? File.reading(path).contents(atMost: 1 << 16) else { return nil }
        return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
    }
}
