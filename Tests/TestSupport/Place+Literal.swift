import Store

/// `Comets/Orion.jpg`, below the favorites folder.
extension Place: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    package init(stringLiteral path: String) { self.init(path: Array(path.utf8))! }
}

extension Album: ExpressibleByStringLiteral {
    package init(stringLiteral path: String) { self.init(Array(path.utf8))! }
}
