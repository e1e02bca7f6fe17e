import Apod
import Store
import Syncing

/// A line of the service's answer to a job: one JSON object. The last line is `end` or `mistake`.
enum ControlAnswer: Sendable, Equatable, Codable {
    /// The job is accepted. It may take any time.
    case taken
    case event(Event)
    /// The job is done, or why it is not.
    case end(Problem?)
    /// The job makes no sense.
    case mistake(String)
}

extension ControlAnswer {
    var line: [UInt8] { JSON(self).compact + ["\n"] }

    init?(_ line: [UInt8]) {
        guard let answer = (try? JSONText(line))?.decoded(ControlAnswer.self) else { return nil }
        self = answer
    }
}
