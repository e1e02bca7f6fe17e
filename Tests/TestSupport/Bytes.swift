/// How numbers stand in file formats.
extension [UInt8] {
    static func big16(_ number: Int) -> [UInt8] { [UInt8(number >> 8 & 255), UInt8(number & 255)] }
    static func big32(_ number: Int) -> [UInt8] { big16(number >> 16) + big16(number & 0xffff) }
    static func little16(_ number: Int) -> [UInt8] { [UInt8(number & 255), UInt8(number >> 8 & 255)] }
    static func seed(_ seed: UInt64) -> [UInt8] { big32(Int(seed >> 32)) + big32(Int(seed & 0xffff_ffff)) }
}

/// Codes of any width, the least significant bit first, as in PNG and GIF.
struct BitWriter {
    private(set) var bytes: [UInt8] = []
    private var pending = 0
    private var width = 0

    mutating func write(_ code: Int, width: Int) {
        pending |= code << self.width
        self.width += width
        while self.width >= 8 { flushByte() }
    }

    mutating func finish() { if width > 0 { flushByte() } }

    private mutating func flushByte() {
        bytes.append(UInt8(pending & 255))
        pending >>= 8
        width = Swift.max(0, width - 8)
    }
}
