/// How numbers stand in file formats.
extension [UInt8] {
    package static func big16(_ number: Int) -> [UInt8] { [UInt8(number >> 8 & 255), UInt8(number & 255)] }
    package static func big32(_ number: Int) -> [UInt8] { big16(number >> 16) + big16(number & 0xffff) }
    static func little16(_ number: Int) -> [UInt8] { [UInt8(number & 255), UInt8(number >> 8 & 255)] }
    static func seed(_ seed: UInt64) -> [UInt8] { big32(Int(seed >> 32)) + big32(Int(seed & 0xffff_ffff)) }
}

package func nulls(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
