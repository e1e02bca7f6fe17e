import Configuration
import Control
import Syncing

/// What the service says for a command that only reads.
enum Readout {
    /// nil if it is too long, or there is none.
    static func of(_ reading: Query, _ settings: Settings, _ service: ServiceStatus) -> [Message]? {
        let page =
            if case .search(_, true) = reading { CapturedOutput(isForPerson: true) } else {
                CapturedOutput(isForPerson: false)
            }
        let status = Terminal.$page.withValue(page) { fill(reading, settings, service) }
        return status == .done ? page.whole : nil
    }

    private static func fill(_ reading: Query, _ settings: Settings, _ service: ServiceStatus) -> ExitStatus {
        switch reading {
        case .status(let asJSON): Status(settings, asJSON: asJSON).tell(service)
        case .favorites(let asJSON): FavoritesCommand(.list, settings, asJSON: asJSON).read()
        case .history(let asJSON): FavoritesCommand(.history, settings, asJSON: asJSON).read()
        case .search(let words, _): Search(words, settings).look()
        }
    }
}
