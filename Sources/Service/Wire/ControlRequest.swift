import Apod
import Syncing

/// What a command asks of the service.
enum ControlRequest: Sendable, Equatable {
    case status
    case job(Job)
}

extension ControlRequest {
    init(_ request: ServiceRequest) throws(Problem) {
        switch request.line {
        case ServiceRequest.status.line: self = .status
        case ServiceRequest.jobLine:
            guard let job = (try? JSONText(request.body))?.decoded(Job.self) else { throw Problem(.nonsense) }
            self = .job(job)
        default: throw Problem(.otherVersion)
        }
    }
}

extension ServiceRequest {
    private static let longestHead = 16 << 10

    /// nil while more of it is to come. What is no request has an empty line.
    init?(heard: [UInt8]) {
        guard let first = heard.firstIndex(of: "\n") else { return nil }
        let words = heard[..<first].text.split(whereSeparator: \.isWhitespace)
        guard words.count == 3, words[2].hasPrefix("HTTP/1.") else {
            self.init("")
            return
        }
        guard let end = heard.prefix(Self.longestHead).firstRange(of: "\r\n\r\n".utf8) else {
            if heard.count < Self.longestHead { return nil }
            self.init("")
            return
        }
        let fields = heard[..<end.lowerBound].text.lowercased().split(
            separator: "\r\n")
        let length = fields.firstValue { $0.hasPrefix("content-length: ") ? UInt32($0.dropFirst(16)) : nil } ?? 0
        let body = heard[end.upperBound...].prefix(Int(length))
        guard body.count == length else { return nil }
        self.init("\(words[0]) \(words[1])", body: Array(body))
    }
}
