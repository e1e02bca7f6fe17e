import Synchronization

/// Tells of a full disk once, whatever parts of the service find no room, until something has found some again.
final class FullDiskFilter: Sendable {
    /// They name the disk.
    private let told = Mutex<String?>(nil)
    private let next: NoticeHandler

    init(_ next: @escaping NoticeHandler) { self.next = next }

    @Sendable func tell(_ notice: Notice) {
        let isNews = told.withLock { told in
            let isNews = !notice.isOfFullDisk || told != notice.words
            if notice.isOfFullDisk { told = notice.words } else if notice.event.meansRoom { told = nil }
            return isNews
        }
        if isNews { next(notice) }
    }
}

extension Notice.Event {
    fileprivate var meansRoom: Bool { [.mirrored, .refreshed, .backfilled].contains(self) }
}
