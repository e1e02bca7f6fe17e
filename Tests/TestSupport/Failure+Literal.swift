package import Apod

/// In tests, words alone make one.
extension Failure: ExpressibleByStringLiteral {
    package init(stringLiteral words: String) { self.init(.other, words) }
}
