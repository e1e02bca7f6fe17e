/// Values that pass smoothly into each other, from 0 to 1: clouds, when several are laid over each other.
struct Noise {
    let seed: UInt64

    /// Clouds with details down to `1 / 2^layers` of the largest; about 0.5 on average.
    func clouds(_ x: Float, _ y: Float, layers: Int) -> Float {
        var (sum, share, size) = (Float(0), Float(0.5), Float(1))
        for layer in 0..<layers {
            sum += share * value(x * size, y * size, UInt64(layer))
            share *= 0.5
            size *= 2.03
        }
        return sum
    }

    private func value(_ x: Float, _ y: Float, _ layer: UInt64) -> Float {
        let (left, top) = (x.rounded(.down), y.rounded(.down))
        let (column, row) = (Int64(left), Int64(top))
        let (across, down) = (Self.eased(x - left), Self.eased(y - top))
        let upper = Self.between(corner(column, row, layer), corner(column + 1, row, layer), across)
        let lower = Self.between(corner(column, row + 1, layer), corner(column + 1, row + 1, layer), across)
        return Self.between(upper, lower, down)
    }

    private func corner(_ column: Int64, _ row: Int64, _ layer: UInt64) -> Float {
        var word =
            UInt64(bitPattern: column) &* 0x9e37_79b9_7f4a_7c15 ^ UInt64(bitPattern: row) &* 0xc2b2_ae3d_27d4_eb4f
        word = (word ^ seed &+ layer &* 0x1656_67b1_9e37_79f9) &* 0xbf58_476d_1ce4_e5b9
        word = (word ^ (word >> 29)) &* 0x94d0_49bb_1331_11eb
        return Float(word >> 40) / 16_777_216
    }

    private static func eased(_ share: Float) -> Float { share * share * (3 - 2 * share) }

    private static func between(_ first: Float, _ second: Float, _ share: Float) -> Float {
        first + (second - first) * share
    }
}
