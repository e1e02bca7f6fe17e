import Files
import Glibc

/// The system-wide service, as systemd knows it.
enum SystemService {
    private static let unit = "/etc/systemd/system/apod-mirror.service"
    /// Written by the installer if the mirror is not in its usual place.
    private static let additions = "\(unit).d/folders.conf"

    static var isInstalled: Bool { access(unit, F_OK) == 0 }

    /// Adds a restart to the command that makes a mirror's folders: systemd lets a service write only in folders that
    /// existed at its start.
    static func beginning(by command: String) -> String {
        guard isInstalled else { return "`\(command)`" }
        let words = "`\(command) && sudo systemctl restart apod-mirror`"
        return isHeldToDisk ? "\(words). If its disk is gone for good, run `systemd/install` after that" : words
    }

    /// Whether systemd starts the service only with the mirror's disk.
    private static var isHeldToDisk: Bool { lines(additions)?.contains { $0.hasPrefix("BindsTo=") } ?? false }

    private static func lines(_ path: String) -> [String]? {
        guard let bytes = try? File.reading(path).contents(atMost: 1 << 16) else { return nil }
        return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
    }
}
