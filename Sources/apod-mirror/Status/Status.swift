import Apod
import Archive
import Catalog
import Concurrency
import Configuration
import Control
import Favorites
import Glibc
import Syncing

/// `apod-mirror status`: a table of what is there and what the service does, and below it what is wrong (`Condition`),
/// with what to do about it (`Remedy`). It fails when no new days come to a mirror that a service keeps, as a health check.
struct Status {
    static let command = Command(
        name: "status", summary: "what is there, what is missing and why",
        explanation: """
            Shows what is there, what is missing and why, what the service does at the
            moment, and when it asks for the next day.
            """,
        options: [.json], toleratesMistakes: true
    ) { try Status($0, $1).run() }

    private let settings: Settings
    /// The file that the command reads; nil if none.
    private let file: String?
    private let asJSON: Bool
    private let advice: ServiceAdvice

    private static let mostDates = 3

    typealias Row = StatusLine.Row

    init(_ usage: Usage, _ configuration: Configuration) {
        self.init(configuration.settings, of: configuration.file, asJSON: usage.has("json"))
    }

    init(_ settings: Settings, of file: String?, asJSON: Bool) {
        self.settings = settings
        self.file = file
        self.asJSON = asJSON
        advice = ServiceAdvice(settings.root)
    }

    func run() throws -> ExitStatus {
        let status = settings.service
        if status?.state.waiting == nil, let published = PublishedStatusView(settings, of: file) {
            published.show(asJSON: asJSON)
            return self.status(after: published.outage)
        }
        let service = status?.at(time(nil))
        let inForce = service?.settings(in: settings.root) ?? settings
        return try Status(inForce, of: file, asJSON: asJSON).look(beside: service)
    }

    private func look(beside service: ServiceStatus?) throws -> ExitStatus {
        do {
            guard let catalog = try settings.catalogToRead() else {
                // A service that waits for its mirror says what it waits for.
                if service?.state.waiting == nil { _ = try nothingMirrored(in: settings) }
                show(service)
                return .incomplete
            }
            let report = try StatusReport(settings, catalog, settings.favoritesToRead(), service, at: time(nil))
            if asJSON {
                Terminal.print(report.json)
            } else {
                show(report)
            }
            return status(after: outage(report))
        } catch {
            show(service)
            throw error
        }
    }

    private func status(after outage: String?) -> ExitStatus {
        if let outage, asJSON || !Terminal.hasOneReader { Terminal.complain(outage) }
        return outage == nil ? .done : .incomplete
    }

    /// Why a service that keeps this mirror brings no new days; nil if it does, or none keeps it.
    private func outage(_ report: StatusReport) -> String? {
        if report.isServed {
            return Condition.outage(report.conditions.map(\.code), lastRefresh: report.summary.lastRefresh)
        }
        let isKept = report.isInUse ? Archive.announcement(root: settings.root) != nil : advice.keepsMirror
        return isKept ? "service \(words(forServiceOf: report).replacing("\n", with: "; "))" : nil
    }

    /// Shows what the service says, as the catalog cannot be read; without one the settings, where another file may be meant.
    private func show(_ service: ServiceStatus?) {
        guard let service else {
            let isClear = Configuration.files(Environment.current).allSatisfy { $0 == file }
            return asJSON || isClear ? () : StatusLine.show([rowOfSettings(nil)])
        }
        if asJSON { return Terminal.print(StatusReport.json(of: service)) }
        StatusLine.show([("folder", service.root), rowOfSettings(service)] + work(of: service.state))
        show(service.conditions, isServed: true)
    }

    private func show(_ report: StatusReport) {
        StatusLine.show(lines(of: report))
        show(report.conditions, isServed: report.isServed) { condition in
            switch condition {
            case .unrecognised: report.unrecognised
            case .pending: report.pending
            default: nil
            }
        }
    }

    /// Lists conditions by heading. `total`: how many there are, if only some are listed.
    private func show(_ conditions: [Condition], isServed: Bool, total: (Condition) -> Int? = { _ in nil }) {
        let remedy = Remedy(advice: advice, isServed: isServed)
        var shown: Set<String> = []
        for condition in conditions where shown.insert(condition.heading).inserted {
            let same = conditions.filter { $0.heading == condition.heading }
            let lines = same.flatMap { $0.lines(in: settings.root) }
            StatusLine.show(
                condition.heading, above: lines, of: total(condition) ?? lines.count, remedy.of(condition))
        }
    }

    private func rowOfSettings(_ service: ServiceStatus?) -> Row {
        guard let state = service?.state, state.settings != nil else { return Self.row(ofSettings: file) }
        return Self.row(ofSettings: state.settingsFile, areOld: state.refusedSettings != nil)
    }

    /// Names the file that counts, and those that people may think are read.
    static func row(ofSettings file: String?, areOld: Bool = false) -> Row {
        let others = Configuration.files(Environment.current).filter { $0 != file }.map { Text.shown($0) }
        let read = "from \(file.map { Text.shown($0) } ?? "no file")"
        let rows = [read + (areOld ? ", as the service read them before the mistake" : "")]
        return ("settings", (rows + others.map { "\($0) is there too, and is not read" }).joined(separator: "\n"))
    }

    private func work(of state: Activity.State) -> [Row] {
        state.work.map { work in
            let words =
                switch work {
                case .refresh: "asking for new days"
                case .sync: "fetching what `sync` asked for"
                case .backfill: state.backfill?.words ?? ""
                case .thumbnails: "making thumbnails"
                }
            return ("doing", words)
        }
    }

    func lines(of report: StatusReport) -> [Row] {
        let summary = report.summary
        var lines = [(name: "folder", words: report.root)]
        lines.append(("days", Self.words(forDays: report)))
        lines.append(("pictures", "\(summary.pictures)"))
        lines.append(("size", "\(Size.text(summary.bytes)), with videos and JSON"))
        if report.generatedBytes > 0 {
            let gallery = settings.gallery == .yes ? "the gallery and " : ""
            lines.append(("generated", "\(Size.text(report.generatedBytes)), \(gallery)smaller copies of pictures"))
        }
        for (count, name, words) in counts(in: report) where count > 0 {
            let rows = words.split(separator: "\n")
            lines.append((name, (["\(count) (\(rows[0]))"] + rows.dropFirst()).joined(separator: "\n")))
        }
        let pending = report.pending
        let waiting = pending > 0 ? " (\(pending) without a picture)" : ""
        lines.append(("favorites", "\(report.favorites + pending)\(waiting)"))
        lines.append(("service", words(forServiceOf: report)))
        if let watching = report.watching { lines.append(("watching", watching.name)) }
        lines.append(("last refresh", summary.lastRefresh.map(Time.local) ?? "never"))
        if let next = report.nextRefresh { lines.append(("next refresh", Time.local(next))) }
        lines.append(rowOfSettings(report.service))
        lines += report.service.map { work(of: $0.state) } ?? []
        if let free = report.freeBytes { lines.append(("free on disk", Size.text(free))) }
        return lines
    }

    private static func words(forDays report: StatusReport) -> String {
        let summary = report.summary
        guard let oldest = report.oldestSince ?? summary.oldest, let newest = summary.newest else { return "none yet" }
        let older = report.older > 0 ? ", and \(report.older) older" : ""
        return "\(summary.days - report.older), from \(oldest) to \(newest)\(older)"
    }

    /// What to do is on a row of its own.
    private func counts(in report: StatusReport) -> [(Int, String, String)] {
        let summary = report.summary
        return [
            (report.missing, "missing", Self.words(forMissing: report)),
            (report.failed, "failed", "see below"),
            (report.incomplete, "incomplete", "all but a poster or a correction is here; see below"),
            (summary.absent, "no picture", "NASA has none for these days"),
            (summary.downgraded, "worse copy", Self.words(forDowngraded: summary)),
            (summary.placeholder, "text only", "NASA has only their text"),
            (report.replaced, "replaced", "the former ones are kept"),
            (report.withoutThumbnails, "no thumbnail", Self.words(forBare: report)),
            (summary.pruned - report.prunedMissing, "deleted", wordsForDeleted),
        ]
    }

    private static func words(forMissing report: StatusReport) -> String {
        let pruned = report.prunedMissing
        let begin = report.wanted?.lowerBound
        // The first day to mirror, unless the days here begin there.
        let from = begin.flatMap { begin in
            report.summary.oldest.map { $0 == begin } ?? true ? nil : ", from \(begin) on"
        }
        let reason =
            pruned > 0 && pruned == report.missing
            ? "deleted by other settings than now"
            : "not yet fetched\(from ?? "")"
                + (pruned > 0 ? "; \(pruned) of them deleted by other settings than now" : "")
        let isUnfinished = report.conditions.contains { if case .unfinished = $0 { true } else { false } }
        if isUnfinished { return "\(reason); see below" }
        return reason + (report.isServed ? "" : "\n`apod-mirror sync` fetches them")
    }

    private static func words(forDowngraded summary: MirrorSummary) -> String {
        let days = Day.names(summary.newestDowngraded, of: summary.downgraded, atMost: mostDates)
        let day = summary.newestDowngraded.first.map { " \($0)" } ?? ""
        return "the original is asked for again: \(days)\n`apod-mirror sync\(day)` asks at once"
    }

    private static func words(forBare report: StatusReport) -> String {
        if report.conditions.contains(where: \.blocksThumbnails) { return "to be made; see below" }
        return report.service?.state.isMakingThumbnails == true
            ? "the service makes them" : "to be made\n`apod-mirror thumbnails` makes them, or says why not"
    }

    private var wordsForDeleted: String {
        settings.limits.isEmpty
            ? "earlier; the texts stay\n`apod-mirror sync DATE` fetches the pictures again"
            : "\(settings.words(notAllowing: "their pictures")); the texts stay"
    }

    private func words(forServiceOf report: StatusReport) -> String {
        if report.isServed { return "running" }
        if report.isInUse, Archive.announcement(root: settings.root) != nil {
            return "running, and does not answer; it may be busy, or of another version\n\(advice.restart)"
        }
        if report.isInUse { return "none; another command is at work in this folder" }
        if let kept = advice.kept { return "running, but \(kept)" }
        return "stopped\n\(advice.start)"
    }
}

extension StatusReport {
    fileprivate var isServed: Bool { service != nil }
}
