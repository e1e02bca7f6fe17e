package import Apod
package import Syncing

/// What the service tells whoever has asked it for something: a JSON object on each line, the last being the end.
package enum ControlAnswer: Sendable, Equatable {
    case status(ServiceStatus)
    /// It will be done, whatever time that takes.
    case taken
    case message(Message)
    /// What was asked for is done, or could not be done.
    case end(Failure?)
    /// What was asked for makes no sense.
    case mistake(String)
    /// The other side is of another version of this program, which is to be told that.
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
        // The same in all versions.
        case .otherVersion: .object([("version", .integer(ControlRequest.version))])
        }
    }

    var line: [UInt8] { json.compact + [UInt8(ascii: "\n")] }

    /// nil for what is none of these.
    init?(_ line: [UInt8]) {
        guard let members = (try? JSONText(line))?.members, let answer = Self.parse(members) else { return nil }
        self = answer
    }

    private static func parse(_ members: [String: JSONText]) -> Self? {
        if let message = Message(members) { return .message(message) }
        guard let (name, value) = members.first, members.count == 1 else { return nil }
        return switch name {
        case "status": ServiceStatus(value).map { .status($0) }
        case "taken": .taken
        case "end": value.isNull || Failure(value) != nil ? .end(Failure(value)) : nil
        case "mistake": value.string.map { .mistake($0) }
        case "version": .otherVersion
        default: nil
        }
    }
}
