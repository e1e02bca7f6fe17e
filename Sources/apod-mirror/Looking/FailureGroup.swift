import Apod
import Catalog

/// Failed days that have one reason, at one server.
struct FailureGroup {
    /// Newest first.
    private(set) var days: [Day]
    private let reason: String
    private let address: WebAddress?

    private init(_ failed: MirrorSummary.Failed) {
        days = [failed.day]
        (reason, address) = Self.parts(of: failed.reason)
    }

    /// What happened, and the address that stands behind it.
    static func parts(of words: String) -> (reason: String, address: WebAddress?) {
        let parts = words.split(separator: " ")
        let address = parts.last.flatMap { WebAddress(String($0)) }
        return ((address == nil ? parts[...] : parts.dropLast()).joined(separator: " "), address)
    }

    /// In the order of their newest days.
    static func groups(of failures: [MirrorSummary.Failed]) -> [FailureGroup] {
        var groups: [FailureGroup] = []
        var places: [String: Int] = [:]
        for failed in failures {
            let group = FailureGroup(failed)
            let key = "\(group.reason)\n\(group.address?.host ?? "")"
            if let place = places[key] {
                groups[place].days.append(failed.day)
            } else {
                places[key] = groups.count
                groups.append(group)
            }
        }
        return groups
    }

    private static let mostNamed = 6

    var line: String {
        guard let first = days.last, days.count > 1 else {
            return "\(days[0])  \(reason)\(address.map { " \($0)" } ?? "")"
        }
        let isWhole = days.count > Self.mostNamed && days.count > first.distance(to: days[0])
        let names =
            isWhole ? "\(days.count) days from \(first) to \(days[0])" : Day.names(days, atMost: Self.mostNamed)
        return "\(names)  \(reason)\(address.map { " \($0.host)" } ?? "")"
    }
}
