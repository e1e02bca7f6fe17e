/// An estimate of how long work still takes. It counts down, and is corrected only when it is far off.
package struct TimeLeft: Sendable {
    private var told: (left: Double, at: Double)?
    /// Seconds of work before the first estimate.
    private static let sample = 10.0

    package init() {}

    /// The seconds left, when `done` took `seconds`; nil until an estimate is possible.
    package mutating func seconds(done: Int, left: Int, after seconds: Double) -> Int? {
        guard seconds >= Self.sample else { return nil }
        let estimate = seconds * Double(left) / Double(max(done, 1))
        if let told {
            let rest = told.left - (seconds - told.at)
            if (estimate - rest).magnitude <= max(rest, 0) / 4 { return Int(rest) }
        }
        told = (estimate, seconds)
        return Int(min(estimate, 1e9))
    }

    /// Minutes below an hour and a half, hours below a day and a half: `about 25 minutes left`.
    package static func words(_ seconds: Int) -> String {
        let minutes = (seconds + 30) / 60
        let words =
            switch minutes {
            case ...1: "a minute"
            case ..<10: "\(minutes) minutes"
            case ..<90: "\((minutes + 2) / 5 * 5) minutes"
            case ..<(36 * 60): "\((minutes + 30) / 60) hours"
            default: "\((minutes + 720) / 1440) days"
            }
        return "about \(words) left"
    }
}
