import Apod
import Configuration
import Favorites
import Files
import Store
import Synchronization
import Syncing

/// Does a command's job, and reports its progress. What the job leaves to be done is its `ServiceParts`' work.
struct JobRunner: Sendable {
    private let parts: ServiceParts
    private let report: EventHandler

    /// The pause between two reports of received bytes.
    private static let beat = Duration.milliseconds(250)

    init(_ parts: ServiceParts, _ report: @escaping EventHandler) {
        self.parts = parts
        self.report = report
    }

    private var mirror: OpenMirror { parts.context.mirror }

    /// Runs until the job is done or the task is cancelled. Throws a `SyncOrder.Contradiction`, or why the job did not
    /// finish.
    func run(_ job: Job) async throws {
        switch job {
        case .sync(let order): try await sync(order)
        case .revert(let day): try await revert(day)
        case .prune(let list): try await prune(list)
        case .favorites(let order): try await change(order)
        case .repair(let days, let lists): try await repair(days, lists)
        case .remember(let findings):
            try await blocking { [mirror] in
                try mirror.archive.catalog.setVerifyFindings(findings)
            }
        case .thumbnails(let days):
            if mirror.settings.thumbnailUses.isEmpty {
                return report(.complained("nothing is made: the settings `gallery` and `thumbnails` are both `no`"))
            }
            let count = try await parts.thumbnails.makeMissing(of: days, changed: nil, isAsked: true, report)
            if count == 0, !Task.isCancelled { report(.said("nothing to make")) }
        }
    }

    private func sync(_ order: SyncOrder) async throws {
        let lists = try order.lists(among: mirror.settings.lists)
        if order.list != nil { return report(.refreshEnded(try await refresh(lists, for: order))) }
        let plan = try await blocking { [mirror] in try mirror.plan(for: order) }
        var failure: Problem?
        let request = try plan.request()
        if let request {
            failure = try await refresh(request, with: mirror.refresh(for: order), named: order.days)
        } else {
            report(.said(plan.nothing))
        }
        let favorites = order.days.isEmpty && failure == nil && !Task.isCancelled ? await dueFavorites() : []
        if !favorites.isEmpty {
            // A favorite of today may not be published yet, which is no failure.
            let named = favorites.filter { $0 < mirror.today }
            failure = try await refresh(.favorites(favorites), with: mirror.refresh(for: order), named: named)
        }
        if !lists.isEmpty, !Task.isCancelled, failure?.code != .full {
            failure = try await refresh(lists, for: order) ?? failure
        }
        if request != nil || !favorites.isEmpty || !lists.isEmpty { report(.refreshEnded(failure)) }
        if Task.isCancelled { return }
        if order.isByName { await tellUnkept(order) } else { try await applyRetention() }
    }

    /// Warns of fetched days that retention deletes again. Errors are ignored: the sync itself is done.
    private func tellUnkept(_ order: SyncOrder) async {
        let plan = await blocking { [mirror] in try? mirror.range.pruning() }
        let unkept = order.named(among: plan?.days.compactMap(\.key.day) ?? [])
        if !unkept.isEmpty { report(.noted(mirror.settings.words(forUnkept: unkept))) }
    }

    private func revert(_ day: Day) async throws {
        switch try await mirror.archive.revert(day, at: mirror.moment) {
        case .done: report(.said(await standing(day)))
        case .nothing: report(.complained("nothing of \(day) was replaced"))
        case .damaged(let path):
            let advice = "a backup may have it; where its folder is deleted, the version before it comes back"
            report(
                .complained("nothing is changed: \(path), a former file of \(day), is damaged or missing; \(advice)"))
        case .deleted:
            report(.complained("nothing is changed: the former files of \(day) were deleted by `keep` or `max-total`"))
        case .absent: report(.complained("\(day) is not here; `apod-mirror sync \(day)` fetches it"))
        }
    }

    /// Says which version of a day is there, after `revert`.
    private func standing(_ day: Day) async -> String {
        let change = await blocking { [root = mirror.archive.tree.root] in
            (try? Document.of(.day(day), root: root.path)).flatMap { Change.all(of: $0, in: root).first }
        }
        let moment = change.map { " on \(Time.local($0.moment))" } ?? ""
        return change?.isApplied == true
            ? "\(day) is as NASA corrected it\(moment); `apod-mirror revert \(day)` brings back what was before"
            : "\(day) is as it was before NASA corrected it\(moment); `apod-mirror revert \(day)` changes it back"
    }

    private func prune(_ list: ListName?) async throws {
        let retention = try list.map { try mirror.retention(ofFormer: $0) }
        let round = try await applyRetention(retention, isAsked: true)
        if round.isEmpty, round.refused.isEmpty, !Task.isCancelled {
            let hint = list == nil ? "; `apod-mirror prune --dry-run` says why" : ""
            report(.said("nothing to delete\(hint)"))
        }
    }

    @discardableResult
    private func applyRetention(_ retention: Retention? = nil, isAsked: Bool = false) async throws -> PruneRound {
        let round = try await (retention ?? mirror.retention).apply(isAsked: isAsked)
        for event in round.told {
            report(event)
            if !event.isOfPruner { parts.context.tell(event) }
        }
        for hold in round.holds { report(.held(hold.words)) }
        parts.pruneSoon()
        return round
    }

    private func change(_ order: FavoritesOrder) async throws {
        let archive = mirror.archive
        // What could not be noted is not told as done.
        let events = Mutex<[Event]>([])
        do {
            try await parts.favorites.carryOut { [mirror] in
                let editor = try FavoritesEditor(
                    root: archive.tree.root.path, catalog: archive.catalog, favorites: archive.favorites)
                return try order.run(by: editor, lists: mirror.settings.lists) { event in
                    events.withLock { $0.append(event) }
                }
            }
        } catch {
            for case .complained(let words) in events.withLock(\.self) { report(.complained(words)) }
            throw error
        }
        for event in events.withLock(\.self) { report(event) }
    }

    private func repair(_ days: Set<Day>, _ lists: [ListName]) async throws {
        var failure: Problem?
        if !days.isEmpty { failure = try await refresh(.again(days)) }
        if !lists.isEmpty {
            let ended = try await runLists { round in try await round.repair(lists) }
            failure = ended ?? failure
        }
        if !days.isEmpty || !lists.isEmpty { report(.refreshEnded(failure)) }
    }

    private func dueFavorites() async -> Set<Day> {
        await blocking { [mirror] in ((try? mirror.dueFavorites()) ?? []).days }
    }

    /// Runs a refresh, with reports. Returns why it did not finish.
    private func refresh(
        _ request: RefreshRequest, with refresh: Refresh? = nil, named: Set<Day> = []
    ) async throws -> Problem? {
        report(.refreshBegan(named: named))
        mirror.forgive()
        return try await reportingProgress {
            try await parts.context.priorityGate.urgently {
                try await parts.context.refresh(request, with: refresh, report)
            }
        }
    }

    /// Asks for other lists in the same way.
    private func refresh(_ lists: [PictureList], for order: SyncOrder) async throws -> Problem? {
        try await runLists(for: order) { round in try await round.refresh(lists) }
    }

    /// Runs work on other lists, with reports. Returns why it did not finish. What the service does with lists by itself
    /// gives way.
    private func runLists(
        for order: SyncOrder = SyncOrder(), _ work: (ListRound) async throws -> Void
    ) async throws -> Problem? {
        report(.refreshBegan(named: []))
        mirror.forgive()
        return try await reportingProgress {
            try await parts.context.listGate.urgently {
                try await parts.context.run(report) { report in
                    try await work(ListRound(mirror, for: order, report))
                }
            }
        }
    }

    private func reportingProgress(_ work: () async throws -> Problem?) async throws -> Problem? {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await reportProgress() }
            defer { group.cancelAll() }
            let error = try await work()
            return Task.isCancelled ? Problem(.stopped) : error
        }
    }

    private func reportProgress() async {
        let before = mirror.received
        var told = 0
        var delay: Problem?
        while (try? await sleep(for: Self.beat)) != nil {
            // The count is 0 again when the fetcher is released.
            let received = max(0, mirror.received - before)
            if received != told { report(.received(received)) }
            told = received
            if mirror.delay != delay {
                delay = mirror.delay
                report(.delayed(delay))
            }
        }
    }
}
