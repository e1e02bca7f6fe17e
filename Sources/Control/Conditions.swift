internal import Apod
internal import Archive
internal import Catalog
internal import Configuration
internal import Decoders
internal import Favorites
internal import Files
internal import Gallery
internal import Syncing
internal import Thumbnails

/// Finds what is wrong: in the service's status, in the catalog, and in the tree.
struct Conditions {
    let settings: Settings
    let catalog: Catalog
    let favorites: FavoritesLog
    /// The root; nil if it cannot be opened.
    let folder: Folder?
    let service: ServiceStatus?
    let now: Int

    /// The most pending favorites, and the most unrecognised things, that are listed.
    private static let most = 100

    /// All, in the order of `status`. `lack`: what is wrong with the favorites folder as a whole. `awaited`: the favorites
    /// whose pictures are not here.
    func all(
        in summary: MirrorSummary, _ lack: Condition?, _ awaited: [Catalog.Awaited]
    ) throws(StorageError) -> [Condition] {
        var conditions = service.map { Self.of($0.state) } ?? []
        conditions += ofRefresh(summary.lastFailure)
        conditions += try ofThumbnailer() + [lack, damage()].compactMap(\.self)
        conditions += waitingForPerson(isFolderLost: lack != nil)
        conditions += Self.groups(of: summary.failed)
        conditions += try ofFavorites(awaited, isFolderLost: lack != nil)
        conditions += try ofTree()
        guard try catalog.fact(.replaced) ?? 0 > 0 else { return conditions }
        return conditions + Replacement.all(root: settings.root, mostDays: 3).map { .replaced($0) }
    }

    static func of(_ state: Activity.State) -> [Condition] {
        let troubles = ServicePart.allCases.compactMap { name in
            state.troubles[name].map { (key: name, value: $0) }
        }
        var conditions: [Condition] = state.waiting.map { [.waiting($0)] } ?? []
        conditions += state.refusedSettings.map { [.settings($0)] } ?? []
        conditions += Activity.State.grouped(troubles).map { .trouble($0.parts, $0.trouble) }
        if case .polling(let why, let limit)? = state.watching { conditions.append(.polling(why, limit: limit)) }
        return conditions
    }

    /// The failure of the last refresh, unless it is over or a trouble of the service says the same.
    private func ofRefresh(_ last: LastFailure?) -> [Condition] {
        guard let last else { return [] }
        if last.failure.isOver(in: [settings.root, settings.stateFolder]) { return [] }
        let troubles = service?.state.troubles.values.map(\.failure) ?? []
        return troubles.contains(where: last.failure.hasCause) ? [] : [.unfinished(last)]
    }

    private func ofThumbnailer() -> [Condition] {
        !settings.thumbnailUses.isEmpty && Worker.path == nil ? [.noThumbnailer] : []
    }

    /// As the service sees it, where it watches.
    func folderLost() -> Condition? {
        let lack: FavoritesLack? =
            if let watching = service?.state.watching { watching.lack } else {
                favorites.lack(in: settings.root)
            }
        return lack.map { .folderLost($0, hasFavorites: !favorites.known.isEmpty) }
    }

    /// Deletions that a person has to decide on, and lost links that can be restored.
    private func waitingForPerson(isFolderLost: Bool) -> [Condition] {
        let hold = try? MirrorRange(settings: settings, catalog: catalog, favorites: favorites, now: now).pruning().hold
        let loss = isFolderLost ? nil : favorites.known.loss(at: now)
        return [hold.map(Condition.held), loss.map(Condition.ended)].compactMap(\.self)
    }

    /// Groups failed days by reason and server, in the order of their newest days.
    static func groups(of failed: [MirrorSummary.Failed]) -> [Condition] {
        var groups: [(days: [Day], failure: Failure, isIncomplete: Bool)] = []
        var places: [String: Int] = [:]
        for failed in failed {
            let failure = failed.failure
            let key = "\(failed.isIncomplete) \(failure.code) \(failure.words)\n\(failure.address?.host ?? "")"
            if let place = places[key] {
                groups[place].days.append(failed.day)
            } else {
                places[key] = groups.count
                groups.append(([failed.day], failure, failed.isIncomplete))
            }
        }
        return groups.map { .failed($0.days, $0.failure, isIncomplete: $0.isIncomplete) }
    }

    /// The number of pictures that lack thumbnails.
    func withoutThumbnails() throws(StorageError) -> Int {
        var uses = settings.thumbnailUses
        if let folder, (try? GalleryFolder.isOwn(in: folder)) == false { uses.remove(.screens) }
        return try catalog.daysWithoutThumbnails(version: Worker.version, for: uses).count
    }

    private func damage() throws(StorageError) -> Condition? {
        try catalog.verifyFindings().map { .damaged($0.count, at: $0.moment) }
    }

    private func ofFavorites(
        _ awaited: [Catalog.Awaited], isFolderLost: Bool
    ) throws(StorageError) -> [Condition] {
        let today = NewYork.day(at: now)
        let pending = awaited.prefix(Self.most).map {
            PendingFavorite($0.day, $0.state, $0.failure, today: today)
        }
        // Days with a known reason come first.
        let sorted = pending.filter { $0.why != nil } + pending.filter { $0.why == nil }
        var conditions = sorted.map { Condition.pending($0) }
        let unwritable = try catalog.unwritable().sorted { $0.key.path.lexicographicallyPrecedes($1.key.path) }
        conditions += unwritable.map { .unwritable($0.key, $0.value) }
        if isFolderLost { return conditions }
        return conditions + (try catalog.leftAlone()).first.prefix(Self.most).map { .unrecognised($0.place, $0.why) }
    }

    private func ofTree() throws(StorageError) -> [Condition] {
        var conditions: [Condition] = []
        if !settings.thumbnailUses.isEmpty {
            conditions += try catalog.refusedThumbnails(version: Worker.version).map {
                .undecodable($0.day, $0.refusal ?? "")
            }
        }
        guard let folder else { return conditions }
        let pages = settings.gallery == .yes ? (try? Gallery.occupied(in: folder)) ?? [] : []
        let occupied =
            Tree.occupied(in: folder, by: catalog) + pages + (FavoritesFile.occupied(in: folder).map { [$0] } ?? [])
        if !occupied.isEmpty { conditions.append(.nameTaken(occupied)) }
        return conditions
    }
}
