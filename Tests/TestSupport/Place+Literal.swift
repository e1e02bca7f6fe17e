import Apod
import Store

/// `Comets/Orion.jpg`, below the favorites folder.
extension Place: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    package init(stringLiteral path: String) { self.init(path: path.bytes)! }
}

extension Album: ExpressibleByStringLiteral {
    package init(stringLiteral path: String) { self.init(path.bytes)! }
}
