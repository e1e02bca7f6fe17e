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
    private let next: NoticeHandler

    init(_ next: @escaping NoticeHandler) { self.next = next }

    @Sendable func tell(_ notice: Notice) {
        if let folder = notice.fullFolder {
            guard told.change(to: folder) else { return }
        } else if notice.event.meansRoom {
            told.change(to: nil)
        }
        next(notice)
    }
}

extension Notice.Event {
    fileprivate var meansRoom: Bool { [.mirrored, .refreshed, .backfilled].contains(self) }
}
