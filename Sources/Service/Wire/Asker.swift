import Apod
import Files
import Glibc
import Syncing

/// Who asks the service, by the socket and the user who has connected there.
enum Asker: Sendable, Equatable {
    /// Root, or the user whose service it is.
    case owner(UInt32)
    /// Any other user whom the socket lets in.
    case member(UInt32)
    /// Anyone at the web's socket.
    case web

    init(_ user: UInt32, isOfWeb: Bool) {
        self = isOfWeb ? .web : [0, geteuid()].contains(user) ? .owner(user) : .member(user)
    }

    /// Members name the days to fetch, a year at most. Lists and settings are the owner's.
    func may(_ request: ControlRequest) -> Bool {
        switch (request, self) {
        case (.status, .owner), (.status, .member), (.job, .owner): true
        case (.job(.favorites), .member), (.job(.thumbnails), .member): true
        case (.job(.sync(let order)), .member):
            order.settings.isEmpty && order.list == nil && order.isByName
                && (order.range.map { $0.count } ?? order.days.count) <= 366
        // A single favorite is made or ended, in an album too, or brought back.
        case (.job(.favorites(let order)), .web):
            order.keys.count == 1 && order.since == nil && order.action != .restore
                && (order.album == nil || order.action != .undo)
        case (.job(.revert), .member), (.job(.prune), .member), (.job(.repair), .member), (.job(.remember), .member),
            (.status, .web), (.job, .web):
            false
        }
    }

    /// The answer to what they may not ask.
    var refusal: Problem {
        if self == .web { return Problem(.nonsense) }
        let service = geteuid()
        return Problem(.forbiddenJob, service == 0 ? nil : FileOwner(user: service, group: getegid()).name)
    }
}
