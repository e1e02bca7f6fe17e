import Apod
import Configuration
import Favorites
import Files
import Glibc
import Service
import Store
import Syncing

/// `apod-mirror status`: a table of what is there and what the service does, and below it what is wrong (`Condition`),
/// with what to do about it (`Remedy`). It fails when no new days come to a mirror that a service keeps, as a health check.
///
/// Users who cannot read the catalog are shown the report that the service has published.
struct Status {
    static let command = Command(
        name: "status", summary: "what is there, what is missing and why",
        explanation: """
            Shows what is there, what is missing and why, what the service does now, and
            when it asks for the next day.
            """,
        options: [.json], toleratesMistakes: true
    ) { try Status($0, $1).run() }

    private let settings: Settings
    /// The file that the command reads; nil if none.
    private let file: String?
    private let asJSON: Bool
    private let keeping: Keeping

    private static let mostDates = 3

    init(_ usage: Usage, _ configuration: Configuration) {
        self.init(configuration.settings, of: configuration.file, asJSON: usage.has("json"))
    }

    init(_ settings: Settings, of file: String?, asJSON: Bool) {
        self.settings = settings
        self.file = file
        self.asJSON = asJSON
        keeping = Keeping(settings.root)
    }

    func run() throws -> ExitStatus {
        let service = settings.service
        do {
            guard let report = try report(beside: service) else {
                // A service that waits for its mirror says what it waits for.
                if service?.isWaiting != true { _ = try nothingMirrored(in: settings) }
                show(service)
                return .incomplete
            }
            show(report, lines(of: report))
            guard let outage = outage(report) else { return .done }
            if asJSON || !Terminal.hasOneReader { Terminal.complain(outage) }
            return .incomplete
        } catch {
            show(service)
            throw error
        }
    }

    /// nil if there is no catalog.
    private func report(beside service: StatusReport?) throws -> StatusReport? {
        if service?.isWaiting != true, settings.hasCatalog, !settings.mayReadCatalog,
            let published = StatusReport(publishedIn: settings.root)
        {
            return Archive.isInUse(root: settings.root) ? published : published.withoutService
        }
        let inForce = service?.settings(in: settings.root) ?? settings
        guard let catalog = try inForce.catalogToRead() else { return nil }
        return try StatusReport(inForce, catalog, inForce.favoritesToRead(), service, at: time(nil))
    }

    /// Why a service that keeps this mirror brings no new days; nil if it does, or none keeps it.
    private func outage(_ report: StatusReport) -> String? {
        if report.isServed { return Condition.outage(report.conditions, lastRefresh: report.lastRefresh) }
        return isKept ? "service \(words(forServiceOf: report).replacing("\n", with: "; "))" : nil
    }

    private var isKept: Bool {
        Archive.isInUse(root: settings.root) ? Archive.announcement(root: settings.root) != nil : keeping.keepsMirror
    }

    /// Shows what the service says, as the catalog cannot be read; without one the settings, where another file may be meant.
    private func show(_ service: StatusReport?) {
        if let service {
            return show(service, [("folder", service.root), rowOfSettings(service)] + Self.work(of: service))
        }
        let isClear = Configuration.files(Environment.current).allSatisfy { $0 == file }
        if !asJSON, !isClear { StatusLine.show([Self.row(ofSettings: file)]) }
    }

    /// Shows the report in JSON, or else these lines, and below them what is wrong, by heading.
    private func show(_ report: StatusReport, _ lines: [StatusLine.Cell]) {
        if asJSON { return Terminal.print(report.json) }
        StatusLine.show(lines)
        let remedy = Remedy(keeping)
        var shown: Set<String> = []
        for condition in report.conditions where shown.insert(condition.heading).inserted {
            let same = report.conditions.filter { $0.heading == condition.heading }
            let lines = same.flatMap { $0.lines(in: settings.root) }
            // Only some of these are listed.
            let total =
                switch condition {
                case .unrecognised: report[.unrecognised]
                case .pending: report[.pending]
                default: lines.count
                }
            StatusLine.show(condition.heading, above: lines, of: total, remedy.of(condition, isServed: report.isServed))
        }
    }

    private func rowOfSettings(_ report: StatusReport) -> StatusLine.Cell {
        guard let service = report.service, service.settings != nil else { return Self.row(ofSettings: file) }
        let isRefused = report.conditions.contains { if case .settings = $0 { true } else { false } }
        return Self.row(ofSettings: service.settingsFile, areOld: isRefused)
    }

    /// Names the file that counts, and those that people may think are read.
    private static func row(ofSettings file: String?, areOld: Bool = false) -> StatusLine.Cell {
        let others = Configuration.files(Environment.current).filter { $0 != file }.map { Text.shown($0) }
        let variables = Environment.current.keys.filter(Configuration.isSetting).sorted().map { Text.shown($0) }
        // As in a container.
        let elsewhere = variables.isEmpty ? "no file" : "the environment: \(variables.joined(separator: ", "))"
        let read = "from \(file.map { Text.shown($0) } ?? elsewhere)"
        let rows = [read + (areOld ? ", as the service read them before the mistake" : "")]
        return ("settings", (rows + others.map { "\($0) is there too, and is not read" }).joined(separator: "\n"))
    }

    private static func work(of report: StatusReport) -> [StatusLine.Cell] {
        (report.service?.doing ?? []).map { work in
            let words =
                switch work {
                case .refresh: "asking for new days"
                case .sync: "fetching what `sync` asked for"
                case .backfill: report.service?.backfill?.words ?? ""
                case .thumbnails: "making thumbnails"
                }
            return ("doing", words)
        }
    }

    func lines(of report: StatusReport) -> [StatusLine.Cell] {
        var lines = [(name: "folder", words: settings.root)]
        lines.append(("days", Self.words(forDays: report)))
        lines.append(("pictures", "\(report[.pictures])"))
        lines.append(("size", "\(Size.text(report[.bytes])), with videos and JSON"))
        let settings = report.service?.settings ?? settings
        if report[.generatedBytes] > 0 {
            let gallery = settings.gallery == .yes ? "the gallery and " : ""
            lines.append(("generated", "\(Size.text(report[.generatedBytes])), \(gallery)smaller copies of pictures"))
        }
        for (count, name, words) in Self.counts(in: report, by: settings) where count > 0 {
            let rows = words.split(separator: "\n")
            lines.append((name, (["\(count) (\(rows[0]))"] + rows.dropFirst()).joined(separator: "\n")))
        }
        lines += report.lists.map { ("list \($0.name)", Self.words(for: $0, isAsked: settings[list: $0.name] != nil)) }
        let pending = report[.pending]
        let waiting = pending > 0 ? " (\(pending) without a picture)" : ""
        lines.append(("favorites", "\(report[.favorites] + pending)\(waiting)"))
        lines.append(("service", words(forServiceOf: report)))
        if let watching = report.watching { lines.append(("watching", watching.rawValue)) }
        lines.append(("last refresh", report.lastRefresh.map(Time.local) ?? "never"))
        if let next = report.nextRefresh { lines.append(("next refresh", Time.local(next))) }
        lines.append(rowOfSettings(report))
        lines += Self.work(of: report)
        if let free = report.freeBytes { lines.append(("free on disk", Size.text(free))) }
        if let published = report.published { lines.append(("as of", Time.local(published))) }
        return lines
    }

    private static func words(forDays report: StatusReport) -> String {
        guard let oldest = report.more.oldestSince ?? report.oldest, let newest = report.newest
        else {
            return "none yet"
        }
        let older = report.more.older
        return "\(report[.days] - older), from \(oldest) to \(newest)\(older > 0 ? ", and \(older) older" : "")"
    }

    /// `isAsked`: whether the settings name the list.
    private static func words(for list: StatusReport.OfList, isAsked: Bool) -> String {
        guard list.lastRefresh != nil || list.pictures > 0 || list.failure != nil else { return "not yet asked for" }
        let newest = list.failing.map { ", the newest \($0): \(list.why?.words ?? "")" } ?? ""
        let failed =
            list.failed > 0 ? "\(list.failed) failed\(newest); `apod-mirror sync --list \(list.name)` tries again" : nil
        let last = list.lastRefresh.map { "came \($0.local)" } ?? (list.pictures > 0 ? nil : "has not come yet")
        let state =
            isAsked
            ? [last, list.failure?.words, failed]
            : ["not in the settings; it stays; `apod-mirror prune --list \(list.name)` deletes all but favorites"]
        let rows = ["\(Picture.count(list.pictures)), \(Size.text(list.bytes))"] + state.compactMap(\.self)
        return rows.joined(separator: "\n")
    }

    /// What to do is on a row of its own.
    private static func counts(in report: StatusReport, by settings: Settings) -> [(Int, String, String)] {
        [
            (report[.missing], "missing", words(forMissing: report)),
            (report[.failed], "failed", "see below"),
            (report[.incomplete], "incomplete", "a poster, second picture or correction is missing; see below"),
            (report[.absent], "no picture", "NASA has none for these days"),
            (report[.downgraded], "worse copy", words(forDowngraded: report)),
            (report[.withoutPicture], "text only", "NASA has only their text"),
            (report[.replaced], "replaced", "the former ones are kept"),
            (report[.withoutThumbnails], "no thumbnail", words(forBare: report)),
            (report[.pruned] - report.more.missingPruned, "deleted", words(forDeletedBy: settings)),
        ]
    }

    private static func words(forMissing report: StatusReport) -> String {
        let pruned = report.more.missingPruned
        // The first day to mirror, unless the days here begin there.
        let (oldest, begin) = (report.oldest, report.more.firstWanted)
        let from = oldest == nil || oldest == begin ? nil : begin.map { ", from \($0) on" }
        let reason =
            pruned > 0 && pruned == report[.missing]
            ? "deleted by other settings than now"
            : "not yet fetched\(from ?? "")"
                + (pruned > 0 ? "; \(pruned) of them deleted by other settings than now" : "")
        let isUnfinished = report.conditions.contains { if case .unfinished = $0 { true } else { false } }
        if isUnfinished { return "\(reason); see below" }
        return reason + (report.isServed ? "" : "\n`apod-mirror sync` fetches them")
    }

    private static func words(forDowngraded report: StatusReport) -> String {
        let days = Day.names(report.more.downgraded, of: report[.downgraded], atMost: mostDates)
        let day = report.more.downgraded.first.map { " \($0)" } ?? ""
        return "the original is asked for again: \(days)\n`apod-mirror sync\(day)` asks at once"
    }

    private static func words(forBare report: StatusReport) -> String {
        if report.conditions.contains(where: \.blocksThumbnails) { return "to be made; see below" }
        return report.service?.doing.contains(.thumbnails) == true
            ? "the service makes them" : "to be made\n`apod-mirror thumbnails` makes them, or says why not"
    }

    private static func words(forDeletedBy settings: Settings) -> String {
        settings.limits.isEmpty
            ? "earlier; the texts stay\n`apod-mirror sync DATE` fetches the pictures again"
            : "\(settings.words(notAllowing: "their pictures")); the texts stay"
    }

    private func words(forServiceOf report: StatusReport) -> String {
        if report.isServed { return "running" }
        // Who cannot ask a service does not see whether it waits.
        if report.published != nil { return "stopped, or waits for the mirror\n\(keeping.start)" }
        if Archive.isInUse(root: settings.root) {
            return Archive.announcement(root: settings.root) == nil
                ? "none; another command is at work in this folder"
                : "running, and does not answer; it may be busy, or of another version\n\(keeping.commands.restart)"
        }
        if let conflict = keeping.conflict { return "running, but \(conflict)" }
        return "stopped\n\(keeping.start)"
    }
}

extension StatusReport {
    fileprivate var isServed: Bool { service != nil }
}
