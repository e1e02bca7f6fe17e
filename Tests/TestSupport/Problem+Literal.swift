import Apod

/// In tests, words alone make one.
extension Problem: ExpressibleByStringLiteral {
    package init(stringLiteral words: String) { self.init(.other, words) }
}
