package import Apod
package import Syncing

/// A line of the service's answer to a request: one JSON object. The last line is `end`, `mistake` or `otherVersion`.
package enum ControlAnswer: Sendable, Equatable, Codable {
    case status(StatusReport)
    /// The job is accepted. It may take any time.
    case taken
    case message(Message)
    /// The request is done, or why it is not.
    case end(Problem?)
    /// The request makes no sense.
    case mistake(String)
    /// Command and service speak different versions of the protocol.
    case otherVersion
}

extension ControlAnswer {
    var line: [UInt8] {
        // Must stay the same in all versions.
        let json = self == .otherVersion ? .object([("version", .integer(serviceVersion))]) : JSON(self)
        return json.compact + [UInt8(ascii: "\n")]
    }

    init?(_ line: [UInt8]) {
        guard let text = try? JSONText(line), let answer = text["version"] == nil ? text.decoded() : Self.otherVersion
        else { return nil }
        self = answer
    }
}
