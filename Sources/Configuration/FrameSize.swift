/// What the folder `frame` has: the favorites, in pixels at most so wide and high.
package struct FrameSize: Sendable, Equatable, CustomStringConvertible {
    package let width, height: Int

    private static let front = "favorites "
    private static let sides = 64...8192

    /// `favorites 1920x1080`, and nothing else.
    init?(_ text: String) {
        let numbers = text.dropFirst(Self.front.count).split(separator: "x").compactMap { Int($0) }
        guard numbers.count == 2, numbers.allSatisfy(Self.sides.contains) else { return nil }
        (width, height) = (numbers[0], numbers[1])
        guard description == text else { return nil }
    }

    package var description: String { "\(Self.front)\(width)x\(height)" }
}
