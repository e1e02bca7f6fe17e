import TestSupport
import Testing

@testable import Archive

struct PlaceTests {
    private func album(_ path: String) -> Album { Album(Array(path.utf8))! }

    @Test("An album is inside those above it, in itself and in none whose name only begins like its own")
    func inside() {
        for (inner, outer, isInside) in [
            ("a", "", true), ("", "", true), ("a", "a", true), ("a/b", "a", true), ("a/b/c", "a/b", true),
            ("ab", "a", false), ("a b", "a", false), ("a/bc", "a/b", false), ("a", "a/b", false), ("", "a", false),
        ] { #expect(album(inner).isInside(album(outer)) == isInside, "\(inner) \(outer)") }
    }
}
