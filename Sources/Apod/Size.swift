/// Numbers of bytes as people write and read them: `512M`, `2.9 MB`.
package enum Size {
    package static func text(_ bytes: Int) -> String {
        var value = Double(bytes)
        for unit in ["bytes", "KB", "MB", "GB"] {
            if value < 1000 || unit == "GB" {
                let tenths = Int((value * 10).rounded())
                let whole = unit == "bytes" || tenths >= 1000
                return whole ? "\((tenths + 5) / 10) \(unit)" : "\(tenths / 10).\(tenths % 10) \(unit)"
            }
            value /= 1000
        }
        return ""
    }

    /// The shortest that `bytes` reads as the same: `512M`.
    package static func short(_ bytes: Int) -> String {
        for (unit, size) in [("T", 1_000_000_000_000), ("G", 1_000_000_000), ("M", 1_000_000), ("K", 1000)]
        where bytes > 0 && bytes % size == 0 {
            return "\(bytes / size)\(unit)"
        }
        return "\(bytes)"
    }

    /// Bytes, or thousands of them with K, M, G or T.
    package static func bytes(_ text: String) -> Int? {
        let units: [Character: Int] = ["K": 1000, "M": 1_000_000, "G": 1_000_000_000, "T": 1_000_000_000_000]
        let unit = text.uppercased().last.flatMap { units[$0] }
        guard let count = Int(unit == nil ? text[...] : text.dropLast()), count >= 0 else { return nil }
        let (bytes, overflow) = count.multipliedReportingOverflow(by: unit ?? 1)
        return overflow ? nil : bytes
    }
}
