import Apod
package import Syncing

/// What a command asks of the service: one line, one JSON object (`ServiceLine`).
package enum ControlRequest: Sendable, Equatable, Codable {
    case status
    case job(Job)

    enum Failure: Error, Equatable {
        case nonsense
        case otherVersion
    }
}

extension ControlRequest {
    var line: [UInt8] { ServiceLine(self).bytes }

    init(_ line: [UInt8]) throws(Failure) {
        guard let members = (try? JSONText(line))?.members else { throw .nonsense }
        guard members["version"]?.integer == serviceVersion else { throw .otherVersion }
        guard let request = members["request"]?.decoded(ControlRequest.self) else { throw .nonsense }
        self = request
    }
}
