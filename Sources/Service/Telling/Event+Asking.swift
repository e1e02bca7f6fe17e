import Apod
import Files
import Store
import Syncing

extension Event {
    /// Who asked the service for what.
    static func asked(_ asker: Asker, _ job: Job, isAllowed: Bool) -> Event {
        let user: UInt32? =
            switch asker {
            case .owner(let user), .member(let user): user
            case .web: nil
            }
        let name = user.map { "\(FileOwner.login(of: $0)) (uid \($0))" } ?? "the web"
        let words = "\(name) \(isAllowed ? "asks" : "may not ask") for: \(job.words)"
        return .asked(words, by: user.map(Int.init), isAllowed: isAllowed)
    }
}

extension Job {
    /// As somebody would type it.
    fileprivate var words: String {
        let parts: [String?] =
            switch self {
            case .sync(let order):
                [
                    "sync", Self.names(order.days), order.since.map { "--since \($0)" },
                    order.until.map { "--until \($0)" }, order.list.map { "--list \($0)" },
                ] + order.settings.sorted { $0.key < $1.key }.map { "--\($0) \($1)" }
            case .revert(let day): ["revert \(day)"]
            case .prune(let list): ["prune", list.map { "--list \($0)" }]
            case .favorites(let order):
                [
                    "favorites \(order.action)", Self.names(order.keys),
                    order.since.map { "--since \(Time.text($0))" }, order.album.map { "in \($0)" },
                ]
            case .repair(let days, let lists):
                ["verify --repair", Self.names(days), lists.isEmpty ? nil : Text.names(lists.map(\.description))]
            case .remember: ["keeping what verify found"]
            case .thumbnails(let days): ["thumbnails", Self.names(days)]
            }
        return parts.compactMap(\.self).joined(separator: " ")
    }

    private static func names<Named: Comparable & CustomStringConvertible>(_ days: Set<Named>) -> String? {
        days.isEmpty ? nil : Day.names(days.sorted(), atMost: 3)
    }
}
