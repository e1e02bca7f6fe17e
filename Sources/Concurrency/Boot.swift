import Glibc

package enum Boot {
    /// A new text after each boot (random(4)); nil where the system does not tell.
    package static let identifier: String? = {
        var line = [CChar](repeating: 0, count: 64)
        guard let file = fopen("/proc/sys/kernel/random/boot_id", "re") else { return nil }
        defer { fclose(file) }
        guard let text = fgets(&line, Int32(line.count), file) else { return nil }
        return String(String(cString: text).prefix { $0.isHexDigit || $0 == "-" })
    }()
}
