package import Apod
package import Syncing

/// A line of the service's answer to a request: one JSON object. The last line is `end`, `mistake` or `otherVersion`.
package enum ControlAnswer: Sendable, Equatable {
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
    var json: JSON {
        switch self {
        case .status(let status): .object([("status", status.json)])
        case .taken: .object([("taken", .bool(true))])
        case .message(let message): message.json
        case .end(let failure): .object([("end", failure?.json ?? .null)])
        case .mistake(let words): .object([("mistake", .string(words))])
        // Must stay the same in all versions.
        case .otherVersion: .object([("version", .integer(ControlRequest.version))])
        }
    }

    var line: [UInt8] { json.compact + [UInt8(ascii: "\n")] }

    init?(_ line: [UInt8]) {
        guard let members = (try? JSONText(line))?.members, let answer = Self.parse(members) else { return nil }
        self = answer
    }

    private static func parse(_ members: [String: JSONText]) -> Self? {
        if let message = Message(members) { return .message(message) }
        guard let (name, value) = members.first, members.count == 1 else { return nil }
        return switch name {
        case "status": StatusReport(value).map { .status($0) }
        case "taken": .taken
        case "end": members[name].optional({ Problem($0) }).map { .end($0) }
        case "mistake": value.string.map { .mistake($0) }
        case "version": .otherVersion
        default: nil
        }
    }
}
