import Configuration
import Control
import Syncing

/// What the service says for a command that only reads.
enum QueryAnswer {
    /// nil if it is too long, or there is none.
    static func of(_ query: Query, _ settings: Settings, _ service: ServiceStatus) -> [Message]? {
        let page = CapturedOutput()
        let status = Terminal.$page.withValue(page) { fill(query, settings, service) }
        return status == .done ? page.whole : nil
    }

    private static func fill(_ query: Query, _ settings: Settings, _ service: ServiceStatus) -> ExitStatus {
        switch query {
        case .status(let asJSON, let rows): Status(settings, asJSON: asJSON, rows: rows).tell(service)
        case .favorites(let listing): FavoritesCommand(.list, settings, listing).read()
        case .history(let asJSON): FavoritesCommand(.history, settings, asJSON ? .json : .titles).read()
        case .search(let words, let listing): Search(words, settings, listing).look()
        }
    }
}
