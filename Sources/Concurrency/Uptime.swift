internal import CLinux
import Glibc

/// For how long the system has run since it was started: a time that nobody can set. It stands still while the machine
/// sleeps.
package struct Uptime: Sendable, Equatable {
    /// Another one after each start; empty where the system does not tell.
    package let boot: String
    package let seconds: Int

    package init(boot: String, seconds: Int) {
        self.boot = boot
        self.seconds = seconds
    }

    package static var now: Uptime {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return Uptime(boot: currentBoot ?? "", seconds: now.tv_sec)
    }

    /// nil where the system does not tell.
    package static let currentBoot: String? = {
        var line = [CChar](repeating: 0, count: 64)
        guard let file = fopen("/proc/sys/kernel/random/boot_id", "re") else { return nil }
        defer { fclose(file) }
        guard let text = fgets(&line, Int32(line.count), file) else { return nil }
        return String(String(cString: text).prefix { $0.isHexDigit || $0 == "-" })
    }()
}
