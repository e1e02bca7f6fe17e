internal import Apod
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
        let bytes = (try? File.reading("/proc/sys/kernel/random/boot_id").stream()) ?? []
        return bytes.isEmpty ? nil : Text.clean(String(decoding: bytes, as: UTF8.self))
    }()
}
