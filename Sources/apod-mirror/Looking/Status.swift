import Apod
import Archive
import Catalog
import Concurrency
import Configuration
import Control
import Favorites
import Glibc
import Syncing
import Thumbnails

/// `apod-mirror status`
struct Status {
    private let settings: Settings
    private let asJSON: Bool
    /// Of the window in which it is read; nil if it is in none.
    private let rows: Int?
    private let advice: ServiceAdvice

    private static let mostDates = 3

    init(_ usage: Usage, _ configuration: Configuration) {
        self.init(configuration.settings, asJSON: usage.has("json"), rows: Terminal.outputHeight)
    }

    init(_ settings: Settings, asJSON: Bool, rows: Int?) {
        self.settings = settings
        self.asJSON = asJSON
        self.rows = rows
        advice = ServiceAdvice(settings.root)
    }

    func run() -> ExitStatus {
        if let published = StatusForAll(settings) {
            published.show(asJSON: asJSON)
            return .done
        }
        let (service, others) = ControlClient.survey(root: settings.root, environment: Environment.current)
        return tell(service, others)
    }

    /// `service`: what it says of itself, if it can be asked. `others`: what those say that keep other mirrors.
    func tell(_ status: ServiceStatus?, _ others: [ServiceStatus] = []) -> ExitStatus {
        let service = status.map { $0.at(time(nil)).lookingForRoom() }
        let inForce = service?.settings(in: settings.root) ?? settings
        return Status(inForce, asJSON: asJSON, rows: rows).look(beside: service, others)
    }

    private func look(beside service: ServiceStatus?, _ others: [ServiceStatus]) -> ExitStatus {
        do {
            guard let catalog = try Archive.catalogToRead(root: settings.root, state: settings.state) else {
                guard let service else { return nothingMirrored(in: settings.root) }
                // A service that waits for its mirror makes none, and says what it waits for.
                if service.state.waiting == nil { Terminal.complain(lack) }
                show(service)
                return .incomplete
            }
            let report = try StatusReport(settings, catalog, service, at: time(nil))
            if asJSON {
                Terminal.print(report.json)
            } else {
                show(report, others)
            }
            return .done
        } catch {
            Terminal.complain("\(error)")
            if let service { show(service) }
            return .incomplete
        }
    }

    /// What was deleted under the service, which has not noticed it yet.
    private var lack: String {
        if KnownRoots.isEmpty(settings.root) { return ArchiveError.away(root: settings.root).description }
        return """
            there is no catalog in \(Text.shown(settings.root)) now; the service makes a new one from the files when it \
            looks there next, and at once \(advice.restart)
            """
    }

    /// What the service says, where the mirror itself cannot be seen.
    private func show(_ service: ServiceStatus) {
        if asJSON { return Terminal.print(StatusReport.json(of: service)) }
        StatusLine.show([("folder", service.root)] + service.lines)
    }

    private func show(_ report: StatusReport, _ others: [ServiceStatus]) {
        let summary = report.summary
        var lines = [(name: "folder", words: report.root)]
        if let oldest = summary.oldest, let newest = summary.newest {
            let gaps = oldest.distance(to: newest) + 1 - summary.days
            let lack = gaps > 0 ? " (\(Day.count(gaps)) between \(gaps == 1 ? "is" : "are") not here)" : ""
            lines.append(("days", "\(summary.days), from \(oldest) to \(newest)\(lack)"))
        } else {
            lines.append(("days", "none yet"))
        }
        lines.append(("pictures", "\(summary.pictures)"))
        lines.append(("size", "\(Size.text(summary.bytes)), with videos and JSON"))
        if report.generatedBytes > 0 {
            let size = Size.text(report.generatedBytes)
            let gallery = settings.gallery == .yes ? "the gallery and " : ""
            lines.append(("generated", "\(size), \(gallery)smaller copies of pictures"))
        }
        let fetching = report.watching == nil ? "; `apod-mirror sync` fetches them" : ""
        // What the service says of itself already is not said twice.
        let last = summary.lastFailure.map { FailureGroup.parts(of: $0.words).reason }
        let troubles = report.service?.state.troubles.values.map { FailureGroup.parts(of: $0.why).reason } ?? []
        let isTold = last.map(troubles.contains) ?? false
        let next = summary.lastFailure == nil ? fetching : isTold ? "; see trouble" : "; see last failure"
        let isMaking = report.service?.isMakingThumbnails == true
        let toBeMade =
            if let place = Self.placeOfReason(forThumbnails: report) {
                "to be made; see \(place)"
            } else {
                isMaking ? "the service makes them" : "to be made; `apod-mirror thumbnails` makes them, or says why not"
            }
        let notes = [
            (report.missing, "missing", "\(Self.reason(ofMissing: report))\(next)"),
            (report.failed, "failed", "see below"),
            (report.incomplete.count, "incomplete", "all but a poster or a correction is here; see below"),
            (summary.absent, "no picture", "NASA has none for these days"),
            (summary.downgraded, "worse copy", Self.words(forDowngraded: summary)),
            (summary.placeholder, "text only", "NASA has only their text"),
            (report.replaced, "replaced", Self.words(forReplaced: report.replacements)),
            (report.withoutThumbnails, "no thumbnail", toBeMade),
            (summary.pruned - report.prunedMissing, "deleted", wordsForDeleted),
        ]
        for (count, name, meaning) in notes where count > 0 { lines.append((name, "\(count) (\(meaning))")) }
        if let findings = report.findings {
            let files = findings.count == 1 ? "1 file" : "\(findings.count) files"
            let advice = "`apod-mirror verify --repair` fetches what it can again"
            lines.append(("damaged", "\(files) damaged or missing, found \(Time.local(findings.moment)); \(advice)"))
        }
        if let hold = report.hold { lines.append(("to be deleted", words(for: hold, report))) }
        let favorites = report.favorites
        lines.append(("favorites", "\(favorites.here + favorites.pending)" + Self.words(for: report)))
        lines.append(("service", words(forServiceOf: report, others)))
        if let watching = report.watching { lines.append(("watching", watching)) }
        lines.append(("last refresh", summary.lastRefresh.map(Time.local) ?? "never"))
        if let next = report.nextRefresh { lines.append(("next refresh", Self.words(forRefreshAt: next))) }
        // That the folder is not there is told already.
        lines += report.service?.lines(sparing: report.favoritesLack != nil ? .favorites : nil) ?? []
        if let failure = summary.lastFailure, !isTold {
            lines.append(("last failure", (failure.moment.map { "\(Time.local($0)): " } ?? "") + failure.words))
        }
        if report.lacksThumbnailer { lines.append(("trouble", "no thumbnails: \(Thumbnails.lack)")) }
        if let free = report.freeBytes { lines.append(("free on disk", Size.text(free))) }
        StatusLine.show(lines)
        let immutable = report.immutable.map { name in
            let (shown, path) = name == "." ? ("the folder", report.root) : (name, "\(report.root)/\(name)")
            let isShared = name.contains("/\(Tree.sharedThumbnails)")
            return "\(shown): `sudo chattr -ia \(Text.quoted(path))` lets the mirror keep it up to date"
                + (isShared ? ", and `apod-mirror thumbnails` makes what is missing there" : "")
        }
        let lists = [
            failures(summary.failed), pending(report),
            unnoted(report.unentered, "new in \(Tree.favorites), not entered yet", "enters them"),
            unnoted(report.gone, "gone from \(Tree.favorites), not noted yet", "takes note of it"),
            StatusList("not put in order in \(Tree.favorites)", report.unwritable),
            StatusList(
                "no thumbnails can be made of", report.undecodable.map { "\($0.day)  \($0.refusal ?? "")" },
                advice: "`apod-mirror thumbnails DATE` tries again"),
            StatusList("cannot be changed in \(report.root)", immutable), occupied(report), unwatched(report),
            unrecognised(report),
        ]
        // The last row is for what is typed next.
        StatusList.show(lists, rows: rows.map { $0 - 1 - Terminal.rowsOfComplaints - StatusLine.rows(lines) })
    }

    /// The line that says what keeps thumbnails from being made, if one does: a full disk is the same for all.
    private static func placeOfReason(forThumbnails report: StatusReport) -> String? {
        let troubles = report.service?.state.troubles ?? [:]
        if report.lacksThumbnailer || troubles[.thumbnails] != nil { return "trouble" }
        guard let full = DiskFull.words(forDiskOf: report.service?.root ?? report.root) else { return nil }
        if troubles.values.contains(where: { $0.why == full }) { return "trouble" }
        return report.summary.lastFailure?.words == full ? "last failure" : nil
    }

    private func occupied(_ report: StatusReport) -> StatusList {
        let it = "it is not the mirror's and stays. Rename it"
        let they = "they are not the mirror's and stay. Rename them"
        let advice = "\(report.occupied.count == 1 ? it : they), and the mirror puts its own there within a day"
        let names = Text.names(report.occupied)
        let lines = report.occupied.isEmpty ? [] : [("\(names): \(advice)", report.occupied.count)]
        return StatusList("left alone in \(report.root)", lines)
    }

    private var wordsForDeleted: String {
        settings.limits.isEmpty
            ? "earlier; the texts stay, and `apod-mirror sync DATE` fetches the pictures again"
            : "\(settings.words(notAllowing: "their pictures")); the texts stay"
    }

    private func words(forServiceOf report: StatusReport, _ others: [ServiceStatus]) -> String {
        if Self.isServed(report) { return "running" }
        if report.isInUse { return "none; another command is at work in this folder" }
        if let file = advice.settingsFile, let other = others.first(where: { $0.hasRead(file) }) {
            return "running, but \(advice.keeping(other.root))"
        }
        return "stopped; \(advice.start)"
    }

    private static func reason(ofMissing report: StatusReport) -> String {
        let pruned = report.prunedMissing
        if pruned > 0, pruned == report.missing { return "deleted by other settings than now" }
        let words = "not yet fetched\(beginning(of: report))"
        return pruned == 0 ? words : "\(words); \(pruned) of them deleted by other settings than now"
    }

    /// Where those days begin that are missing, if that is not where those begin that are here.
    private static func beginning(of report: StatusReport) -> String {
        guard let first = report.wanted?.lowerBound, let oldest = report.summary.oldest, first != oldest else {
            return ""
        }
        return ", from \(first) on"
    }

    private static func words(forReplaced replacements: [Replacement]) -> String {
        let days = replacements.map { "\($0.day)\($0.isMuchSmaller ? " by a much smaller one" : "")" }
        let last = days.isEmpty ? "" : "lately \(days.joined(separator: ", ")); "
        return "\(last)`apod-mirror revert DATE` brings back what NASA replaced"
    }

    private static func words(forDowngraded summary: MirrorSummary) -> String {
        let days = dates(summary.newestDowngraded, of: summary.downgraded)
        return "the original is asked for again, `apod-mirror sync DATE` does so at once: \(days)"
    }

    private func words(for hold: PruneHold, _ report: StatusReport) -> String {
        let remedy = Self.isServed(report) ? "correct the settings and reload the service" : "correct the settings"
        return """
            \(hold.extent) (\(hold.rule)): as these are so many, they stay until you say `apod-mirror prune`; to keep \
            them, \(remedy), or make them favorites
            """
    }

    /// Down to the minute, as it stands there.
    private static func words(forRefreshAt moment: Int) -> String {
        moment - time(nil) < 60 ? "within a minute" : Time.local(moment)
    }

    private static func isServed(_ report: StatusReport) -> Bool { report.watching != nil || report.service != nil }

    private static func words(for report: StatusReport) -> String {
        var words: [String] = []
        let favorites = report.favorites
        let isPlain = report.pending.allSatisfy { $0.why == nil }
        if favorites.pending > 0, isPlain {
            let dates = Self.dates(report.pending.map(\.day), of: favorites.pending)
            words.append("\(favorites.pending) still to be fetched: \(dates)")
        }
        let listed = [
            (isPlain ? 0 : favorites.pending, "without a picture"), (report.unentered.count, "new, not entered yet"),
            (report.gone.count, "gone, not noted yet"),
        ]
        words += listed.filter { $0.0 > 0 }.map { "\($0) \($1)" }
        if listed.contains(where: { $0.0 > 0 }) { words.append("see below") }
        if let lack = report.favoritesLack {
            words.append(lack.words(in: report.root, hasFavorites: favorites.here + favorites.pending > 0))
        }
        if let loss = report.loss, report.favoritesLack == nil {
            let restore = "`apod-mirror favorites restore --since \(Time.text(loss.since))`"
            words.append("\(loss.links) links went on \(Time.local(loss.since)): \(restore) brings them back")
        }
        return words.isEmpty ? "" : " (\(words.joined(separator: "; ")))"
    }

    private static func dates(_ days: [Day], of count: Int) -> String {
        Day.names(days, of: count, atMost: mostDates)
    }

    private func pending(_ report: StatusReport) -> StatusList {
        let told = report.pending.filter { $0.why != nil }
        let all = told.isEmpty ? [] : told + report.pending.filter { $0.why == nil }
        var list = StatusList("favorites without a picture", all.map { Text.shown("\($0.day): \($0.words)") })
        list.others = report.favorites.pending - all.count
        list.all = "`apod-mirror favorites` lists all"
        return list
    }

    /// `what`: what a sync does about them, and the service.
    private func unnoted(_ days: [(day: Day, words: String)], _ title: String, _ what: String) -> StatusList {
        var list = StatusList(title, days.map { Text.shown("\($0.day): \($0.words)") }, advice: advice.noting(what))
        list.all = nil
        return list
    }

    private func unrecognised(_ report: StatusReport) -> StatusList {
        let lines = report.unrecognised.map { place, why in "\(Text.shown("\(place)")): \(why)" }
        var list = StatusList("left alone in \(Tree.favorites)", lines)
        list.others = report.favorites.unrecognised - lines.count
        if list.others > 0 { list.all = "`apod-mirror status --json` lists some" }
        return list
    }

    private func unwatched(_ report: StatusReport) -> StatusList {
        let folders = report.unwatched == 1 ? "1 folder" : "\(report.unwatched) folders"
        let path = Text.quoted("\(report.root)/\(Tree.favorites)")
        let line = """
            \(folders): there are too many to watch them all. Favorites there stay favorites, and what changes there is \
            noticed within a few minutes. `find \(path) -mindepth 1 -type d -empty -delete` deletes empty folders
            """
        return StatusList("not watched in \(Tree.favorites)", report.unwatched == 0 ? [] : [(line, report.unwatched)])
    }

    private func failures(_ failed: [MirrorSummary.Failed]) -> StatusList {
        let groups = FailureGroup.groups(of: failed)
        return StatusList(
            "could not be fetched", groups.map { (Text.shown($0.line), $0.days.count) },
            advice: "`apod-mirror sync DATE` tries again at once")
    }
}
