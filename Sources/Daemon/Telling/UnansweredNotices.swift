internal import Synchronization

/// Notices of requests without an answer. The first is told at once. The others are held until the refresh goes on; if
/// they end it, that end is told instead.
final class UnansweredNotices: Sendable {
    private let state = Mutex((isFirstTold: false, held: [Notice]()))
    private let tell: NoticeHandler

    init(_ tell: @escaping NoticeHandler) { self.tell = tell }

    func enter(_ notice: Notice) {
        let isFirst = state.withLock { state in
            defer { state.isFirstTold = true }
            if state.isFirstTold { state.held.append(notice) }
            return !state.isFirstTold
        }
        if isFirst { tell(notice) }
    }

    func tellHeld() {
        for notice in state.withLock({ exchange(&$0.held, with: []) }) { tell(notice) }
    }
}
