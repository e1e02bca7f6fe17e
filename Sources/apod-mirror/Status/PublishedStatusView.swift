import Apod
import Archive
import Configuration
import Control
import Favorites
import Glibc

/// `apod-mirror status` for users who cannot read the catalog: shows the status that the service has published.
struct PublishedStatusView {
    private let published: PublishedStatus
    private let root: String
    /// The file that the command reads.
    private let file: String?
    private let isRunning: Bool

    /// nil if the user can read the catalog, or it or the published status is missing.
    init?(_ settings: Settings, of file: String?) {
        guard settings.hasCatalog, !settings.mayReadCatalog, let published = PublishedStatus(root: settings.root)
        else { return nil }
        (self.published, root, self.file) = (published, settings.root, file)
        isRunning = Archive.isInUse(root: root)
    }

    func show(asJSON: Bool) {
        if asJSON { return Terminal.print(json) }
        StatusLine.show(lines)
    }

    /// Why a service that keeps this mirror brings no new days; nil if it does, or none keeps it.
    var outage: String? {
        if isRunning {
            return Condition.outage(
                conditions.compactMap { $0["code"]?.string },
                lastRefresh: published.status["last_refresh"]?.moment)
        }
        return advice.keepsMirror ? "service \(stopped.replacing("\n", with: "; "))" : nil
    }

    private var advice: ServiceAdvice { ServiceAdvice(root) }

    private var stopped: String { "stopped, or waits for the mirror\n\(advice.start)" }

    /// The members about the service are null if it has stopped.
    private var json: JSON {
        let stale = isRunning ? [] : ["watching", "next_refresh", "service"]
        var members = (published.status.members ?? [:]).sorted { $0.key < $1.key }.map { name, text in
            (name, stale.contains(name) ? JSON.null : .text(text))
        }
        members.removeAll { $0.0 == "conditions" }
        members.append(("conditions", .array(conditions.map { .text($0) })))
        return .object(members + [("published", .moment(published.moment))])
    }

    private var conditions: [JSONText] {
        (published.status["conditions"]?.elements ?? []).filter { condition in
            isRunning || !Condition.codesOfService.contains(condition["code"]?.string ?? "")
        }
    }

    private var lines: [StatusLine.Row] {
        func words(_ name: String) -> String? { published.status[name]?.string }
        func number(_ name: String) -> Int { published.status[name]?.integer ?? 0 }
        func moment(_ name: String) -> String? { published.status[name]?.moment.map(Time.local) }
        var lines = [(name: "folder", words: root)]
        let extent = words("oldest").flatMap { oldest in words("newest").map { ", from \(oldest) to \($0)" } } ?? ""
        lines.append(("days", "\(number("days"))\(extent)"))
        lines.append(("pictures", "\(number("pictures"))"))
        lines.append(("size", "\(Size.text(number("bytes"))), with videos and JSON"))
        for name in ["missing", "failed", "incomplete"] where number(name) > 0 {
            lines.append((name, "\(number(name))"))
        }
        lines.append(("favorites", "\(number("favorites") + number("pending"))"))
        lines.append(("service", isRunning ? "running" : stopped))
        lines.append(("last refresh", moment("last_refresh") ?? "never"))
        if isRunning, let next = moment("next_refresh") { lines.append(("next refresh", next)) }
        for condition in conditions {
            switch condition["code"]?.string {
            case "trouble": lines.append(("trouble", Failure(condition["failure"])?.words ?? ""))
            case "unfinished": lines.append(("last failure", Failure(condition["failure"])?.words ?? ""))
            case "folder-lost":
                let failure = FavoritesLack(condition).map { lack in
                    Failure(lack, in: root, hasFavorites: number("favorites") + number("pending") > 0)
                }
                lines.append(("favorites", failure?.words ?? ""))
            case "damaged": lines.append(("damaged", "\(condition["count"]?.integer ?? 0)"))
            default: break
            }
        }
        let service = isRunning ? published.status["service"] : nil
        lines.append(Status.row(ofSettings: service.map { $0["settings_file"]?.string } ?? file))
        lines.append(("as of", "\(Time.local(published.moment)); members of the mirror's group see more"))
        return lines
    }
}
