/// What the folder `frame` has: the favorites, in pixels at most so wide and high, with their titles drawn in or not.
package struct FrameSize: Sendable, Equatable, CustomStringConvertible {
    package let width, height: Int
    package let hasTitles: Bool

    private static let front = "favorites "
    private static let end = " titles"
    private static let sides = 64...8192

    /// `favorites 1920x1080` or `favorites 1920x1080 titles`, and nothing else.
    package init?(_ text: String) {
        hasTitles = text.hasSuffix(Self.end)
        let numbers = text.dropLast(hasTitles ? Self.end.count : 0).dropFirst(Self.front.count).split(separator: "x")
            .compactMap { Int($0) }
        guard numbers.count == 2, numbers.allSatisfy(Self.sides.contains) else { return nil }
        (width, height) = (numbers[0], numbers[1])
        guard description == text else { return nil }
    }

    package var description: String { "\(Self.front)\(width)x\(height)\(hasTitles ? Self.end : "")" }
}
