import Synchronization

/// Tells of a full disk once, whatever parts of the service find no room, until something has found some again.
final class FullDiskFilter: Sendable {
    private let isTold = Mutex(false)
    private let next: NoticeHandler

    init(_ next: @escaping NoticeHandler) { self.next = next }

    @Sendable func tell(_ notice: Notice) {
        let isNews = isTold.withLock { isTold in
            defer { if notice.isOfFullDisk { isTold = true } else if notice.event.meansRoom { isTold = false } }
            return !(isTold && notice.isOfFullDisk)
        }
        if isNews { next(notice) }
    }
}

extension Notice.Event {
    fileprivate var meansRoom: Bool { [.mirrored, .refreshed, .backfilled].contains(self) }
}
