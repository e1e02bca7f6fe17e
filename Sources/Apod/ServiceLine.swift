/// What the service is asked, by commands and by the web: one line of JSON, with the version of the protocol.
package struct ServiceLine<Request: Encodable>: Encodable {
    private let version: Int
    private let request: Request

    package init(_ request: Request) { (version, self.request) = (serviceVersion, request) }

    package var bytes: [UInt8] { JSON(self).compact + [UInt8(ascii: "\n")] }
}

/// A service of another version refuses the line. Raised with every change of what is said.
package let serviceVersion = 14
