/// Tells of a full disk once, whatever parts of the service find no room, until something has found some again.
final class FullDiskFilter: Sendable {
    /// The words that name it.
    private let told = ToldOnce<String>()
    private let next: NoticeHandler

    init(_ next: @escaping NoticeHandler) { self.next = next }

    @Sendable func tell(_ notice: Notice) {
        if notice.isOfFullDisk {
            guard told.change(to: notice.words) else { return }
        } else if notice.event.meansRoom {
            told.change(to: nil)
        }
        next(notice)
    }
}

extension Notice.Event {
    fileprivate var meansRoom: Bool { [.mirrored, .refreshed, .backfilled].contains(self) }
}
