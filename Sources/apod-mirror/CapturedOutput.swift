import Synchronization
import Syncing

/// What a command says that only reads, as the running service says it to those who may not look into the catalog.
final class CapturedOutput: Sendable {
    private let state = Mutex((messages: [Message](), room: CapturedOutput.most))

    /// More is for those who have the time to read a copy.
    private static let most = 512 << 10

    func add(_ message: Message) {
        state.withLock { state in
            state.room -= message.words.utf8.count + 64
            if state.room >= 0 { state.messages.append(message) } else { state.messages = [] }
        }
    }

    /// nil if it is too long.
    var whole: [Message]? { state.withLock { $0.room >= 0 ? $0.messages : nil } }
}

extension Message {
    var words: String {
        switch self {
        case .said(let words), .deleted(let words), .warned(let words), .complained(let words): words
        default: ""
        }
    }
}
