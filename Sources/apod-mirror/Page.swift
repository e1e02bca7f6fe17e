import Apod
import Archive
import Favorites
import Service
import Synchronization

/// What a command says that only reads, as the running service says it to those who may not look into the catalog.
final class Page: Sendable {
    let isForPerson: Bool
    private let state = Mutex((entries: [AccountEntry](), room: Page.most))

    /// More is for those who have the time to read a copy.
    private static let most = 512 << 10

    private init(isForPerson: Bool) { self.isForPerson = isForPerson }

    func add(_ entry: AccountEntry) {
        state.withLock { state in
            state.room -= entry.words.utf8.count + 64
            if state.room >= 0 { state.entries.append(entry) } else { state.entries = [] }
        }
    }

    /// nil if it is too long, or there is none.
    static func of(_ reading: Reading, _ settings: Settings, _ service: ServiceStatus) -> [AccountEntry]? {
        let page = if case .search(_, true) = reading { Page(isForPerson: true) } else { Page(isForPerson: false) }
        let status = Terminal.$page.withValue(page) { fill(reading, settings, service) }
        return page.state.withLock { status == .done && $0.room >= 0 ? $0.entries : nil }
    }

    private static func fill(_ reading: Reading, _ settings: Settings, _ service: ServiceStatus) -> ExitStatus {
        switch reading {
        case .status(let asJSON): Status(settings, asJSON: asJSON).tell(service)
        case .favorites(let asJSON): FavoritesCommand(.list, settings, asJSON: asJSON).read()
        case .history(let asJSON): FavoritesCommand(.history, settings, asJSON: asJSON).read()
        case .search(let words, _): Search(words, settings).look()
        }
    }

    /// Shows what the service says; nil if whoever asks is to look themselves.
    static func show(_ reading: Reading, _ settings: Settings) -> ExitStatus? {
        guard !Archive.sharesCatalog(root: settings.root, state: settings.state),
            let entries = ControlClient.read(reading, root: settings.root)
        else { return nil }
        for entry in entries {
            switch (entry, reading) {
            case (.said(let words), .search): Terminal.print(marked: words)
            case (.said(let words), _): Terminal.print(words)
            default: Terminal.complain(entry.words)
            }
        }
        return .done
    }
}

extension AccountEntry {
    fileprivate var words: String {
        switch self {
        case .said(let words), .warned(let words), .complained(let words): words
        case .changed: ""
        }
    }
}
