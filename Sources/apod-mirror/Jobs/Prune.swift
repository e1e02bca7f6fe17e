import Apod
import Configuration
import Glibc
import Store
import Syncing

/// `apod-mirror prune`
struct Prune {
    static let command = Command(
        name: "prune", summary: "delete now what `keep` and `max-total` do not allow",
        explanation: """
            Deletes now the pictures that `keep` and `max-total` do not allow, however many
            they are. Favorites, those that ended in the last 90 days, the newest picture,
            covers of lists and all JSON files stay. Other lists follow their own `keep`.
            With --list, deletes all pictures of a list that the settings do not name.
            """,
        options: [
            Command.Option("dry-run", "only list what would be deleted"),
            Command.Option("list", "only this list, which the settings do not name", taking: "NAME"),
        ],
        explained: ["keep", "max-total"].map { Command.Option($0, "with --dry-run: use this value", taking: "VALUE") }
    ) { try await Prune($0, $1).run() }

    private let jobs: JobCommand
    private let isDry: Bool
    private let list: ListName?
    /// By which it deletes.
    private let settings: Settings

    init(_ usage: Usage, _ configuration: Configuration) throws(Usage.Mistake) {
        jobs = JobCommand(usage, configuration)
        (isDry, list) = (usage.has("dry-run"), try usage.list)
        do { settings = try list.map(jobs.settings.ending) ?? jobs.settings } catch {
            throw .init(error.description)
        }
        if !isDry, let (key, _) = usage.settings.first(where: { Self.command.explained.map(\.name).contains($0.key) }) {
            throw .init("prune has the option --\(key) only with --dry-run; it deletes by the settings")
        }
    }

    func run() async throws -> ExitStatus {
        // `prune` must not begin a mirror.
        if KnownRoots.isEmpty(settings.root) { return try nothingMirrored(in: settings) }
        if let list, try settings.catalogToRead()?.knows(list) == false {
            Terminal.complain("there is no list \(list) in \(Text.shown(settings.root))")
            return .incomplete
        }
        return try await isDry ? preview() : jobs.run(.prune(list))
    }

    /// The preview only reads, so it works beside a running service.
    private func preview() throws -> ExitStatus {
        let catalog =
            try settings.catalogToRead() ?? Archive.catalogOfTree(root: settings.root, state: settings.state)
        guard let catalog else { return try nothingMirrored(in: settings) }
        let favorites = try settings.favoritesToRead()
        let range = MirrorRange(settings: settings, catalog: catalog, favorites: favorites, now: time(nil))
        let pruning = try range.pruning()
        show(pruning)
        if pruning.isEmpty { Terminal.print("nothing to delete: \(reason(pruning))") }
        return .done
    }

    private func show(_ pruning: PruneRound) {
        if !pruning.replaced.isEmpty {
            Terminal.print("\(Size.text(pruning.replaced.bytes)) to delete of what was replaced")
        }
        let days = pruning.days
        if let first = days.first?.key.day, let last = days.last?.key.day {
            let extent = Day.extent(of: days.count, first, last)
            Terminal.print("\(Day.count(days.count)) to delete, \(extent), \(Size.text(days.bytes)):")
            for one in days { Terminal.print("  \(one.key)  \(Text.shown(one.title)) (\(Size.text(one.bytes)))") }
        }
        for list in pruning.lists.sorted() {
            let gone = pruning.pictures(of: list)
            Terminal.print("\(list): \(Picture.count(gone.count)) to delete, \(Size.text(gone.bytes)):")
            for one in gone { Terminal.print("  \(Text.shown(one.name.stem)) (\(Size.text(one.bytes)))") }
        }
        if !pruning.isEmpty, let excess = excess(pruning) { Terminal.print(excess) }
    }

    private func reason(_ pruning: PruneRound) -> String {
        let lists = settings.lists.contains { $0.keep != nil } ? ["no list has more than its own keep allows"] : []
        if settings.keep == nil, settings.maxTotal == nil {
            return (["keep is forever", "max-total none"] + lists).joined(separator: ", and ")
        }
        if let excess = excess(pruning) { return excess }
        var reasons = lists
        if let keep = settings.keep { reasons.append("no picture that may be deleted is older than \(keep) (keep)") }
        if let limit = settings.maxTotal {
            reasons.append("\(Size.text(pruning.total ?? 0)) are within \(Size.text(limit)) (max-total)")
        }
        return reasons.joined(separator: ", and ")
    }

    /// Says that all that may go would not be enough for `max-total`; nil if it would.
    private func excess(_ pruning: PruneRound) -> String? {
        guard pruning.isOutOfReach, let limit = settings.maxTotal else { return nil }
        return "nothing goes by max-total: all that may go would leave more than \(Size.text(limit))"
    }
}
