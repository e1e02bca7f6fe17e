import Service
import Synchronization

/// What a command says that only reads, as the running service says it to those who may not look into the catalog.
final class Page: Sendable {
    let isForPerson: Bool
    private let state = Mutex((entries: [AccountEntry](), room: Page.most))

    /// More is for those who have the time to read a copy.
    private static let most = 512 << 10

    init(isForPerson: Bool) { self.isForPerson = isForPerson }

    func add(_ entry: AccountEntry) {
        state.withLock { state in
            state.room -= entry.words.utf8.count + 64
            if state.room >= 0 { state.entries.append(entry) } else { state.entries = [] }
        }
    }

    /// nil if it is too long.
    var whole: [AccountEntry]? { state.withLock { $0.room >= 0 ? $0.entries : nil } }
}

extension AccountEntry {
    var words: String {
        switch self {
        case .said(let words), .warned(let words), .complained(let words): words
        case .changed: ""
        }
    }
}
