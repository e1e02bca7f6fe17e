import Apod
import Configuration
import Decoders
import Favorites
import Files
import Gallery
import Store
import Syncing
import Thumbnails

/// What there is to say of a mirror at one moment, from its catalog, its folder and its service.
struct MirrorFacts {
    let settings: Settings
    let catalog: Catalog
    let favorites: FavoritesLog
    /// The root; nil if it cannot be opened.
    let folder: Folder?
    /// What the service says of itself; nil if none answers.
    let service: StatusReport?
    let now: Int
    let summary: MirrorSummary
    let lists: [StatusReport.OfList]
    private let range: MirrorRange
    /// nil where it cannot be made now.
    private let plan: PruneRound?
    /// The days to be mirrored.
    private let wanted: ClosedRange<Day>?
    /// The favorites whose pictures are not here.
    private let awaited: [Item]
    /// What is wrong with the favorites folder as a whole.
    private let lack: Problem?

    /// The most pending favorites, and the most unrecognised things, that are listed.
    private static let most = 100

    init(
        _ settings: Settings, _ catalog: Catalog, _ favorites: FavoritesLog, _ service: StatusReport?, at now: Int
    ) throws {
        (self.settings, self.catalog, self.favorites) = (settings, catalog, favorites)
        (self.service, self.now, folder) = (service, now, try? Folder.open(settings.root))
        summary = try catalog.summary()
        range = MirrorRange(settings: settings, catalog: catalog, favorites: favorites, now: now)
        plan = try? range.pruning()
        lists = try Self.lists(of: settings, catalog, plan?.holds ?? [])
        wanted = try range.wantedHere()
        awaited = try catalog.pending(among: favorites.known.keys)
        // The service has seen it, where it watches.
        lack =
            service?.watching == nil
            ? favorites.lack(in: settings.root)
            : service?.conditions.firstValue { if case .folderLost(let lack) = $0 { lack } else { nil } }
    }

    func counts() throws -> [StatusReport.Count: Int] {
        let incomplete = summary.failed.count(where: \.hasMain)
        let bytes = if let total = plan?.total { total } else { try catalog.bytes() }
        let generated = try catalog.thumbnailBytes() + (folder.flatMap { try? Gallery.bytes(in: $0) } ?? 0)
        var counts: [StatusReport.Count: Int] = [
            .pictures: summary.pictures, .days: summary.days, .missing: try catalog.countMissing(in: wanted),
            .failed: summary.failed.count - incomplete,
            .incomplete: incomplete, .absent: summary.absent, .downgraded: summary.downgraded,
            .withoutPicture: summary.placeholder, .withoutThumbnails: try withoutThumbnails(),
            .pruned: summary.pruned, .replaced: try catalog.countVersions(),
            .favorites: favorites.known.keys.count - awaited.count, .pending: awaited.count,
            // The catalog's count is of a folder that is lost.
            .unrecognised: lack == nil ? try catalog.leftAlone().count : 0,
            .bytes: bytes, .generatedBytes: generated,
        ]
        counts[.freeBytes] = (try? folder?.space())?.free
        return counts
    }

    func more() throws -> StatusReport.More {
        let since = try range.since()
        let oldest = try catalog.oldest(from: since)
        return StatusReport.More(
            missingPruned: try catalog.prunedMissing(in: wanted),
            older: oldest == nil ? 0 : try catalog.countDays(before: since), oldestSince: oldest,
            firstWanted: wanted?.lowerBound, downgraded: summary.newestDowngraded)
    }

    /// The other lists in the settings, and those of which something is here.
    private static func lists(
        of settings: Settings, _ catalog: Catalog, _ holds: [PruneHold]
    ) throws -> [StatusReport.OfList] {
        var lists: [StatusReport.OfList] = []
        for name in Set(settings.lists.map(\.name) + Archive.lists(root: settings.root)).sorted() {
            let summary = try catalog.summary(of: name)
            let silentSince = try catalog.fact(.silentSince, of: name)
            let failing = try catalog.failing(of: name)
            lists.append(
                StatusReport.OfList(
                    name: name, pictures: summary.pictures, bytes: summary.bytes, failed: summary.failed.count,
                    failing: failing?.name.stem, why: failing?.why,
                    held: holds.first { $0.list == name }?.days ?? 0, lastRefresh: summary.lastRefresh.map(Moment.init),
                    failure: summary.lastFailure?.failure,
                    silentSince: silentSince.flatMap { $0 == 0 ? nil : Moment($0) }))
        }
        return lists
    }

    /// A list that is silent for so many seconds is a condition; at once, where its folder is to blame.
    private static let patience = 3 * 86_400

    private func ofLists() -> [Condition] {
        lists.compactMap { list in
            guard settings[list: list.name] != nil, let since = list.silentSince, let failure = list.failure,
                failure.path != nil || since.seconds < now - Self.patience
            else { return nil }
            return .listSilent(list: list.name, since: since, failure: failure)
        }
    }

    /// What is wrong, in the order of `status`.
    func conditions() throws -> [Condition] {
        var conditions = (service?.conditions ?? []).filter(\.endsWithService)
        conditions += ofRefresh(summary.lastFailure)
        conditions += ofThumbnailer()
        conditions += try [lack.map(Condition.folderLost), catalog.verifyFindings().map(Condition.damaged)].compactMap(
            \.self)
        conditions += waitingForPerson()
        conditions += Self.groups(of: summary.failed)
        conditions += ofLists()
        conditions += try ofFavorites()
        conditions += try ofTree()
        return conditions
            + Replacement.last(3, root: settings.root, try catalog.lastReplaced(atMost: 30), in: catalog).compactMap {
                one in
                one.key.day.map {
                    .replaced(
                        date: $0, replaced: Moment(one.moment), role: one.former?.role.word ?? "text",
                        text: one.former == nil, smaller: one.isMuchSmaller)
                }
            }
    }

    /// The failure of the last refresh, unless it is over or a trouble of the service says the same.
    private func ofRefresh(_ last: LastFailure?) -> [Condition] {
        guard let last else { return [] }
        if last.failure.isOver(in: [settings.root, settings.stateFolder]) { return [] }
        let isTold = service?.conditions.contains { condition in
            if case .trouble(_, let failure, _) = condition { failure.cause == last.failure.cause } else { false }
        }
        return isTold == true ? [] : [.unfinished(last)]
    }

    private func ofThumbnailer() -> [Condition] {
        let isWanted = !settings.thumbnailUses.isEmpty || settings.frame != nil
        return isWanted && Worker.path == nil ? [.noThumbnailer] : []
    }

    /// Deletions that a person has to decide on, and lost links that can be restored.
    private func waitingForPerson() -> [Condition] {
        let loss = lack == nil ? favorites.known.loss(at: now) : nil
        let excess = plan?.isOutOfReach == true ? settings.maxTotal : nil
        let others: [Condition?] = [
            excess.map { .outOfReach(maxTotal: $0, total: plan?.total ?? 0) }, loss.map(Condition.ended),
        ]
        let edited = plan.flatMap { $0.edited.isEmpty ? nil : Condition.edited(paths: $0.edited) }
        return (plan?.holds ?? []).map(Condition.held) + (others + [edited]).compactMap(\.self)
    }

    /// Groups failed days by cause, in the order of their newest days.
    static func groups(of failed: [Item]) -> [Condition] {
        var groups: [(days: [Day], failure: Problem, isIncomplete: Bool)] = []
        var places: [[Problem: Int]] = [[:], [:]]
        for item in failed {
            guard let day = item.key.day else { continue }
            let (failure, kind) = (item.failure ?? Problem(.other), item.hasMain ? 1 : 0)
            if let place = places[kind][failure.cause] {
                groups[place].days.append(day)
            } else {
                places[kind][failure.cause] = groups.count
                groups.append(([day], failure, item.hasMain))
            }
        }
        return groups.map { days, failure, isIncomplete in
            isIncomplete ? .incomplete(dates: days, failure: failure) : .failed(dates: days, failure: failure)
        }
    }

    /// The number of pictures that lack thumbnails.
    private func withoutThumbnails() throws -> Int {
        var uses = settings.thumbnailUses
        if let folder, (try? GalleryFolder.isOwn(in: folder)) == false { uses.remove(.screens) }
        return try catalog.picturesWithoutThumbnails(version: Worker.version, for: uses, in: .days(Day.all)).count
    }

    private func ofFavorites() throws -> [Condition] {
        let today = NewYork.day(at: now)
        let pending = awaited.prefix(Self.most).map { [known = favorites.known] in
            PendingFavorite($0, id: known.id(of: $0.key), today: today)
        }
        // Days with a known reason come first.
        let sorted = pending.filter { $0.reason != .due } + pending.filter { $0.reason == .due }
        var conditions = sorted.map { Condition.pending($0) }
        let unwritable = try catalog.unwritable().sorted { $0.key < $1.key }
        conditions += unwritable.map { .unwritable(album: $0.key, error: $0.value) }
        if lack != nil { return conditions }
        return conditions
            + (try catalog.leftAlone()).first.prefix(Self.most).map {
                .unrecognised(link: $0.place, reason: $0.why)
            }
    }

    private func ofTree() throws -> [Condition] {
        var conditions: [Condition] = []
        if !settings.thumbnailUses.isEmpty {
            conditions += try catalog.refusedThumbnails(version: Worker.version).compactMap { refused in
                refused.picture.key.day.map { .undecodable(date: $0, reason: refused.refusal ?? "") }
            }
        }
        guard let folder else { return conditions }
        let pages = settings.gallery == .yes ? (try? Gallery.occupied(in: folder)) ?? [] : []
        let occupied =
            Tree.occupied(in: folder, by: catalog) + pages + (FavoritesFile.occupied(in: folder).map { [$0] } ?? [])
        if !occupied.isEmpty { conditions.append(.nameTaken(paths: occupied)) }
        return conditions
    }
}
