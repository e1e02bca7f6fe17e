import CVips
import Glibc
import TestSupport

/// A sky that nobody has seen: clouds, stars and one thing among them, drawn for a seed.
struct SkyPicture {
    typealias Color = SIMD4<Float>

    /// What the picture is of.
    enum Motif: CaseIterable {
        case nebula, galaxy, planet, comet
    }

    private let width: Int
    private let height: Int
    private let motif: Motif
    private let noise: Noise
    private let seed: UInt64
    /// Two colours of clouds, from the red of hydrogen to the blue of dust.
    private let warm: Color
    private let cold: Color
    /// Where the motif is, its size and its angle.
    private let center: SIMD2<Float>
    private let radius: Float
    private let turn: (sine: Float, cosine: Float)

    init(width: Int, height: Int, seed: UInt64, isInOtherLight: Bool = false) {
        (self.width, self.height, self.seed) = (width, height, seed)
        var random = Random(seed: seed)
        noise = Noise(seed: random.next())
        motif = Motif.allCases[Int(seed % UInt64(Motif.allCases.count))]
        let colors: (warm: Color, cold: Color)
        colors.warm = [[0.95, 0.32, 0.26, 0], [0.98, 0.62, 0.28, 0], [0.86, 0.3, 0.55, 0]].randomElement(
            using: &random)!
        colors.cold = [[0.16, 0.42, 0.82, 0], [0.12, 0.58, 0.62, 0], [0.36, 0.3, 0.8, 0]].randomElement(using: &random)!
        (warm, cold) = isInOtherLight ? (colors.cold, colors.warm) : (colors.warm, colors.cold)
        center = [.random(in: 0.38...0.62, using: &random), .random(in: 0.4...0.6, using: &random)]
        radius = .random(in: 0.2...0.3, using: &random)
        let angle = Float.random(in: -0.9...0.9, using: &random)
        turn = (sin(angle), cos(angle))
    }

    /// Nil where libvips refuses.
    func encoded(_ format: Entry.Format) -> Body? {
        let pixels = pixels()
        let image = pixels.withUnsafeBytes {
            vips_image_new_from_memory_copy($0.baseAddress, $0.count, Int32(width), Int32(height), 3, VIPS_FORMAT_UCHAR)
        }
        guard let image else { return nil }
        defer { release(image) }
        var colored: UnsafeMutablePointer<VipsImage>?
        guard to_colours_of_screens(image, &colored) == 0, let colored else { return nil }
        defer { release(colored) }
        var bytes: UnsafeMutableRawPointer?
        var count = 0
        let code = format == .png ? save_png(colored, &bytes, &count) : save_jpeg(colored, &bytes, &count)
        guard code == 0, let bytes else { return nil }
        defer { g_free(bytes) }
        return Body(Array(UnsafeRawBufferPointer(start: bytes, count: count)))
    }

    /// Red, green and blue of each. What is smooth is drawn at half the size; stars and grain are not smooth.
    private func pixels() -> [UInt8] {
        let (columns, rows) = (width / 2 + 2, height / 2 + 2)
        var smooth = [Color](repeating: .zero, count: columns * rows)
        let unit = 2 / Float(min(width, height))
        for row in 0..<rows {
            for column in 0..<columns {
                smooth[row * columns + column] = color(Float(column) * unit, Float(row) * unit)
            }
        }
        var random = Random(seed: seed &+ 5)
        var pixels = [Color](repeating: .zero, count: width * height)
        for y in 0..<height {
            for x in 0..<width {
                let place = y / 2 * columns + x / 2
                let (right, below) = (x & 1, (y & 1) * columns)
                let sum = smooth[place] + smooth[place + right] + smooth[place + below] + smooth[place + below + right]
                pixels[y * width + x] = sum / 4
            }
        }
        drawStars(on: &pixels, &random)
        return pixels.flatMapToBytes(grain: &random)
    }

    /// At a place, in units of the shorter side.
    private func color(_ x: Float, _ y: Float) -> Color {
        let scale = 1 / Float(min(width, height))
        let offset = SIMD2(x, y) - center * SIMD2(Float(width), Float(height)) * scale
        let turned = SIMD2(
            offset.x * turn.cosine + offset.y * turn.sine, offset.y * turn.cosine - offset.x * turn.sine)
        switch motif {
        case .nebula: return clouds(x, y, strength: 1.5 * fade(length(offset), 0.75))
        case .galaxy: return clouds(x, y, strength: 0.25) + galaxy(turned)
        case .planet: return planet(turned) ?? clouds(x, y, strength: 0.3)
        case .comet: return clouds(x, y, strength: 0.35) + comet(turned)
        }
    }

    private func clouds(_ x: Float, _ y: Float, strength: Float) -> Color {
        let shift = noise.clouds(x * 2.2 + 11, y * 2.2 + 7, layers: 3)
        let glow = noise.clouds(x * 2.6 + shift, y * 2.6 - shift, layers: 6)
        let dust = noise.clouds(x * 3.4 - shift * 1.5 + 40, y * 3.4 + 23, layers: 6)
        let light = max(0, glow - 0.36) * 2.1 * strength
        let color = warm * shift + cold * (1 - shift)
        return [0.006, 0.007, 0.016, 0] + color * light * light * 1.9 * max(0.08, 1.5 - dust * 1.9)
    }

    /// Two arms that wind around a bright middle, seen at an angle.
    private func galaxy(_ place: SIMD2<Float>) -> Color {
        let flat = SIMD2(place.x, place.y * 2.1)
        let distance = length(flat) / radius
        guard distance < 3 else { return .zero }
        let wind = cos(2 * (atan2(flat.y, flat.x) - 2.6 * log(distance + 0.08)))
        let knots = noise.clouds(flat.x * 14 + 60, flat.y * 14 + 60, layers: 5)
        let disk = exp(-distance * 1.7) * (0.35 + 0.65 * max(0, wind)) * (0.35 + knots * 1.6)
        let middle = exp(-distance * distance * 14)
        return (cold + warm * 0.35) * disk * 1.5 + [1, 0.86, 0.62, 0] * middle
    }

    /// Nil beside it.
    private func planet(_ place: SIMD2<Float>) -> Color? {
        let ring = length(SIMD2(place.x, place.y * 4.6)) / radius
        let distance = length(place) / radius
        let isInFront = place.y > 0 || distance > 1
        if ring > 1.35, ring < 2.25, isInFront {
            let band = noise.clouds(ring * 26, 3, layers: 3)
            let gap: Float = ring > 1.86 && ring < 1.93 ? 0.1 : 1
            return [0.78, 0.7, 0.58, 0] * (band * 0.95 * gap + 0.02)
        }
        guard distance < 1 else { return nil }
        let depth = (1 - distance * distance).squareRoot()
        let sphere = place / radius
        let light = max(0.01, sphere.x * -0.62 + sphere.y * -0.3 + depth * 0.72)
        let wave = noise.clouds(sphere.x * 3 + 9, sphere.y * 9, layers: 5) - 0.5
        let bands = noise.clouds(2, sphere.y * 7 + wave * 1.6 + 30, layers: 4)
        return (warm * bands + [0.72, 0.6, 0.46, 0] * (1 - bands)) * light * 1.15
    }

    private func comet(_ place: SIMD2<Float>) -> Color {
        let head = exp(-length(place) / radius * 16)
        let tail = max(0, place.x)
        let streaks = 0.55 + noise.clouds(place.y * 60 / (tail + 0.25), tail * 1.5, layers: 4)
        let spread = place.y / (0.03 + tail * 0.2)
        let light = exp(-spread * spread) * exp(-tail * 2.6) * streaks * (place.x > 0 ? 1 : 0)
        let glow: Color = [0.75, 1, 0.85, 0] * head * 1.4
        let blue: Color = cold * 0.9 + [0.15, 0.2, 0.2, 0]
        return glow + blue * light * 0.8
    }

    private func drawStars(on pixels: inout [Color], _ random: inout Random) {
        for _ in 0..<(width * height / 900) {
            let (x, y) = (Int.random(in: 0..<width, using: &random), Int.random(in: 0..<height, using: &random))
            let size = 0.45 + min(3.2, 0.16 / Float.random(in: 0.02...1, using: &random)) * Float(width) / 1600
            let tint = Float.random(in: 0...1, using: &random)
            let faint = Float.random(in: 0...1, using: &random)
            // No star shines through the planet and its rings.
            guard motif != .planet || pixels[y * width + x].max() < 0.05 else { continue }
            drawStar(
                on: &pixels, x, y, size, [1, 0.84 + 0.1 * tint, 0.7 + 0.3 * tint, 0] * (0.12 + 0.88 * faint * faint))
        }
    }

    private func drawStar(on pixels: inout [Color], _ x: Int, _ y: Int, _ size: Float, _ color: Color) {
        let reach = Int(size * 3) + 1
        for row in max(0, y - reach)...min(height - 1, y + reach) {
            for column in max(0, x - reach)...min(width - 1, x + reach) {
                let distance = SIMD2(Float(column - x), Float(row - y)) / size
                pixels[row * width + column] += color * exp(-(distance * distance).sum()) * min(1, size)
            }
        }
    }

    private func length(_ vector: SIMD2<Float>) -> Float { (vector * vector).sum().squareRoot() }

    private func fade(_ distance: Float, _ reach: Float) -> Float { max(0, 1 - distance / reach * 0.6) }
}

extension [SkyPicture.Color] {
    /// With the grain of a camera, so that they are no easier to pack than photographs.
    fileprivate func flatMapToBytes(grain random: inout Random) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count * 3)
        for color in self {
            let word = random.next()
            // Light as the eye sees it, on a screen.
            let seen = color.clamped(lowerBound: .zero, upperBound: .one).squareRoot() * 238
            for channel in 0..<3 {
                let grain = Float(UInt8(truncatingIfNeeded: word >> (UInt64(channel) * 8))) / 32
                bytes.append(UInt8(Swift.max(0, Swift.min(255, seen[channel] + grain))))
            }
        }
        return bytes
    }
}
