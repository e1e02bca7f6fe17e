/// Numbers of bytes as people write and read them: `512M`, `2.9 MB`.
package enum Size {
    package static func text(_ bytes: Int) -> String {
        if bytes < 1000 { return bytes == 1 ? "1 byte" : "\(bytes) bytes" }
        var tenths = Double(bytes) / 100
        var unit = "KB"
        // 1000 of a unit, after rounding, is 1 of the next.
        for next in ["MB", "GB"] where tenths.rounded() >= 9995 { (unit, tenths) = (next, tenths / 1000) }
        let rounded = Int(tenths.rounded())
        return rounded >= 1000 ? "\((rounded + 5) / 10) \(unit)" : "\(rounded / 10).\(rounded % 10) \(unit)"
    }

    /// A short text that `bytes` reads back as the same number: `512M`, `50GiB`.
    package static func short(_ bytes: Int) -> String {
        let units = letters.reversed().map { ($0, 1000) } + letters.reversed().map { ("\($0)iB", 1024) }
        for (name, base) in units {
            let unit = size(of: name.prefix(1), base)
            if bytes > 0, bytes % unit == 0 { return "\(bytes / unit)\(name)" }
        }
        return "\(bytes)"
    }

    /// Reads bytes with units in steps of 1000 (`50G`, `50 GB`, `7.1 GB`) or of 1024 (`50GiB`).
    package static func bytes(_ text: String) -> Int? {
        let text = Text.collapsed(text)
        let number = text.prefix { $0.isASCII && $0.isNumber || $0 == "." }
        guard let unit = unit(text[number.endIndex...].drop { $0 == " " }) else { return nil }
        let parts = number.split(separator: ".", omittingEmptySubsequences: false)
        // Bytes have no fractions.
        guard parts.count == 1 || parts.count == 2 && unit > 1, let whole = Int(parts[0]) else { return nil }
        let digits = parts.count == 2 ? parts[1] : "0"
        guard digits.utf8.count <= 18, let fraction = Int(digits) else { return nil }
        let part = (0..<digits.utf8.count).reduce(Int128(fraction) * Int128(unit)) { part, _ in part / 10 }
        return Int(exactly: Int128(whole) * Int128(unit) + part)
    }

    private static let letters = ["K", "M", "G", "T"]

    private static func size(of letter: some StringProtocol, _ base: Int) -> Int {
        letters.prefix { $0 != letter }.reduce(base) { size, _ in size * base }
    }

    private static func unit(_ text: Substring) -> Int? {
        let name = text.uppercased()
        if ["", "B", "BYTE", "BYTES"].contains(name) { return 1 }
        let letter = name.prefix(1)
        guard letters.contains(String(letter)), ["", "B", "I", "IB"].contains(name.dropFirst()) else { return nil }
        return size(of: letter, name.dropFirst().first == "I" ? 1024 : 1000)
    }
}
