/// Tells of a full disk once, whatever parts of the service meet it, until something could be written again.
final class FullDiskFilter: Sendable {
    /// The words told, which name the disk.
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
