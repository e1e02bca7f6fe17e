/// What the service is asked, by commands and by the web: as much of HTTP/1.1 as that takes. The answer ends with the
/// connection.
package struct ServiceRequest: Sendable, Equatable {
    /// The method and the path.
    package let line: String
    package let body: [UInt8]

    package init(_ line: String, body: [UInt8] = []) { (self.line, self.body) = (line, body) }

    package static let status = ServiceRequest("GET /status")

    /// A service of another version does not know the path. The number is raised with every change of what is said.
    package static let jobLine = "POST /17/job"

    package static func job(_ job: some Encodable) -> ServiceRequest {
        ServiceRequest(jobLine, body: JSON(job).compact)
    }

    package var bytes: [UInt8] {
        "\(line) HTTP/1.1\r\nHost: mirror\r\nContent-Length: \(body.count)\r\n\r\n".bytes + body
    }
}
