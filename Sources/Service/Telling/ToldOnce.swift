import Apod
import Store
import Synchronization

/// A state that is told when it begins or changes, and not again while it stays.
package final class ToldOnce<Value: Equatable & Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)

    package init() {}

    var isThere: Bool { value.withLock { $0 != nil } }

    /// Returns whether that is a change. nil: the state has ended.
    @discardableResult
    package func change(to new: Value?) -> Bool {
        value.withLock { value in
            defer { value = new }
            return value != new
        }
    }
}

/// Tells of a full disk once, whatever parts of the service meet it, until something could be written again.
final class FullDiskFilter: Sendable {
    /// The folder told of.
    private let told = ToldOnce<String>()
    private let next: EventHandler

    init(_ next: @escaping EventHandler) { self.next = next }

    @Sendable func tell(_ event: Event) {
        if case .workFailed(_, let why, _, _) = event, why.code == .full {
            guard told.change(to: why.path) else { return }
        } else if event.meansRoom {
            told.change(to: nil)
        }
        next(event)
    }
}

extension Event {
    fileprivate var meansRoom: Bool {
        switch self {
        case .mirrored, .refreshed, .backfilled: true
        default: false
        }
    }
}
