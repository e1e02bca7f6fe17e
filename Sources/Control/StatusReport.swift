package import Apod
package import Archive
package import Catalog
package import Configuration
package import Favorites
package import Files
internal import Gallery
package import Syncing
internal import Thumbnails

/// How the mirror stands.
package struct StatusReport: Sendable {
    package let root: String
    package let summary: MirrorSummary
    /// Days to be mirrored that the upstream should have and the tree has not; `failed` ones are not among them.
    package let missing: Int
    /// Of those, the ones that were deleted by other settings, and are to be fetched again.
    package let prunedMissing: Int
    /// Those are counted in here; nil if none are to be mirrored.
    package let wanted: ClosedRange<Day>?
    package let freeBytes: Int?
    package let favorites: FavoritesSummary
    /// The links that went together last, if they are more than a few, and that was within a week.
    package let loss: LinkLoss?
    /// The first favorites whose pictures are not here.
    package let pending: [PendingFavorite]
    /// The days of links that nobody has taken note of, as no service watches, oldest first; and what is known of them.
    package let unentered: [(day: Day, words: String)]
    /// The same of favorites whose links are gone.
    package let gone: [(day: Day, words: String)]
    /// What there is instead of the favorites folder.
    package let favoritesLack: FavoritesLack?
    /// What is in the favorites folder without being understood, the first of it.
    package let unrecognised: [(place: Place, why: String)]
    /// Albums in which the service may not write, what therefore stays as it is, and what to do.
    package let unwritable: [String]
    /// So many folders in the favorites folder are looked at every few minutes only.
    package let unwatched: Int
    /// What is not the mirror's, where it would put something; below the root.
    package let occupied: [String]
    /// What is the mirror's, and cannot be changed; below the root.
    package let immutable: [String]
    /// Somebody writes in the mirror at the moment: a service, or a command.
    package let isInUse: Bool
    /// Pictures of which no thumbnails can be made, newest first.
    package let undecodable: [Catalog.ThumbnailState]
    /// So many have none yet.
    package let withoutThumbnails: Int
    /// What `verify` has found and nobody has mended; nil if that is nothing.
    package let findings: VerifyFindings?
    /// Of the gallery, the feed and the smaller copies, which are not among the mirror's files.
    package let generatedBytes: Int
    /// Somebody wants thumbnails, and nothing is installed that makes them.
    package let lacksThumbnailer: Bool
    /// `inotify`, `polling: why` or `lost: why`; nil while nobody watches.
    package let watching: String?
    /// Seconds since 1970; nil while nobody refreshes.
    package let nextRefresh: Int?

    /// What retention is about to delete, but not yet.
    package let hold: PruneHold?
    /// How often files were replaced that are kept.
    package let replaced: Int
    /// The last of them, as far as who asks may look.
    package let replacements: [Replacement]

    /// nil if none could be asked.
    package let service: ServiceStatus?

    private static let mostUnrecognised = 100

    /// Of the days that failed, those that have their picture and lack a poster or a correction.
    package let incomplete: Set<Day>
    /// How many days could not be had.
    package var failed: Int { summary.failed.count - incomplete.count }

    private static let mostReplacements = 3

    package init(
        _ settings: Settings, _ catalog: Catalog, _ service: ServiceStatus? = nil, at now: Int
    ) throws(StorageError) {
        root = settings.root
        self.service = service
        var summary = try catalog.summary()
        // Another server has had no chance yet. Whoever writes now may have settings of its own.
        if let asked = summary.lastFailure?.upstream, asked != settings.upstream.description,
            !Archive.isInUse(root: settings.root)
        {
            summary.lastFailure = nil
        }
        let folders = [settings.root] + [settings.state].compactMap(\.self)
        if let words = summary.lastFailure?.words, folders.contains(where: { DiskFull.isOver(words, on: $0) }) {
            summary.lastFailure = nil
        }
        self.summary = summary
        let mirrorRange = MirrorRange(settings: settings, catalog: catalog, now: now)
        let today = NewYork.day(at: now)
        // What is newer than the newest may not be published yet.
        let newest = summary.newest.map { min($0, today) } ?? today
        wanted = try mirrorRange.wanted(until: today).flatMap { wanted in
            wanted.lowerBound <= newest ? wanted.lowerBound...newest : nil
        }
        missing = try catalog.missing(in: wanted)
        prunedMissing = try catalog.prunedMissing(in: wanted)
        let folder = try? Folder.open(settings.root)
        favoritesLack = try folder.flatMap { folder throws(StorageError) in try catalog.favoritesLack(in: folder) }
        var favorites = try catalog.favoritesSummary()
        // What was in a folder that is not there is neither here nor there.
        if favoritesLack != nil { favorites.unrecognised = 0 }
        self.favorites = favorites
        loss = try catalog.loss(since: now - 7 * 86_400)
        let left = favoritesLack != nil ? [] : try catalog.unrecognised(atMost: Self.mostUnrecognised)
        unrecognised = left.map { ($0, LeftAlone.words(for: $0, $1)) }
        pending = try catalog.pendingFavorites(atMost: Self.mostUnrecognised).map {
            PendingFavorite($0.day, $0.state, $0.reason, today: today)
        }
        unwritable = (try catalog.remark(.unwritable) ?? "").split(separator: "\n").map(String.init)
        // Who was killed could not take it back, until somebody else writes.
        isInUse = Archive.isInUse(root: settings.root)
        watching = isInUse ? try catalog.remark(.watching) : nil
        // A service that begins to watch is about to say it.
        if !isInUse, let folder {
            let changes = try FavoritesSnapshot.changes(at: folder, catalog, comparing: true)
            unentered = try Self.described(changes.new, catalog, at: now)
            gone = favoritesLack == nil ? try Self.described(changes.gone, catalog, at: now) : []
        } else {
            (unentered, gone) = ([], [])
        }
        unwatched = watching == nil ? 0 : try catalog.fact(.unwatched) ?? 0
        // What is due already is asked for now.
        nextRefresh = watching == nil ? nil : try catalog.fact(.nextRefresh).map { max($0, now) }
        var uses = settings.thumbnailUses
        undecodable = uses.isEmpty ? [] : try catalog.refusedThumbnails(version: Worker.version)
        if let folder, (try? GalleryFolder.isOwn(in: folder)) == false { uses.remove(.screens) }
        let bare = try catalog.daysWithoutThumbnails(version: Worker.version, for: uses)
        lacksThumbnailer = !uses.isEmpty && Worker.path == nil
        generatedBytes = try catalog.thumbnailBytes() + (folder.flatMap { try? Gallery.bytes(in: $0) } ?? 0)
        findings = try folder.flatMap { folder throws(StorageError) in
            try catalog.verifyFindings()?.left(in: folder, by: catalog)
        }.flatMap { $0.count > 0 ? $0 : nil }
        // Of what is damaged, none can be made.
        withoutThumbnails = Set(bare).subtracting(findings?.daysOfMedia ?? []).count
        hold = (try? SyncPreview.pruning(settings, catalog, at: now))?.hold
        replaced = try catalog.fact(.replaced) ?? 0
        replacements = replaced == 0 ? [] : Replacement.all(root: settings.root, mostDays: Self.mostReplacements)
        freeBytes = (try? folder?.space())?.free
        incomplete = Set(
            summary.failed.filter(\.hadView).map(\.day).filter { day in
                guard let folder, let stored = try? catalog.status(of: day)?.stored else { return false }
                let damaged = (try? catalog.undecodable(of: day)) ?? [:]
                if stored.files.contains(where: { damaged[$0.sha256] != nil }) { return false }
                return Tree.hasView(of: stored, in: folder)
            })
        let obstacles = try folder.map { folder throws(StorageError) in try Tree.obstacles(in: folder, by: catalog) }
        immutable = obstacles?.immutable ?? []
        let pages = settings.gallery == .yes ? folder.flatMap { try? Gallery.occupied(in: $0) } ?? [] : []
        let list = folder.flatMap(FavoritesFile.occupied).map { [$0] } ?? []
        occupied = (obstacles?.occupied ?? []) + pages + list
    }

    package var json: JSON {
        .object([
            ("root", .string(root)),
            ("pictures", .integer(summary.pictures)),
            ("days", .integer(summary.days)),
            ("oldest", .optional(summary.oldest?.description)),
            ("newest", .optional(summary.newest?.description)),
            ("missing", .integer(missing)),
            ("failed", .integer(failed)),
            ("incomplete", .integer(incomplete.count)),
            ("absent", .integer(summary.absent)),
            ("downgraded", .integer(summary.downgraded)),
            ("without_picture", .integer(summary.placeholder)),
            ("pruned", .integer(summary.pruned)),
            ("replaced", .integer(replaced)),
            ("replacements", .array(replacements.map(json))),
            ("held", hold?.json ?? .null),
            ("favorites", .integer(favorites.here)),
            ("pending", .integer(favorites.pending)),
            ("pending_favorites", .array(pending.map(\.json))),
            ("new_favorites", .array(unentered.map { .object([("date", .string("\($0.day)"))]) })),
            ("gone_favorites", .array(gone.map { .object([("date", .string("\($0.day)"))]) })),
            ("favorites_folder", .string(favoritesLack?.rawValue ?? "there")),
            (
                "ended_links",
                loss.map { .object([("count", .integer($0.links)), ("since", .string(Time.text($0.since)))]) } ?? .null
            ),
            ("unrecognised", .integer(favorites.unrecognised)),
            ("watching", .optional(watching.map { String($0.prefix { $0 != ":" }) })),
            ("watching_note", .optional(watching.flatMap(Self.note))),
            ("unwatched", .integer(unwatched)),
            ("damaged", .integer(findings?.count ?? 0)),
            ("last_refresh", .optional(summary.lastRefresh.map(Time.text))),
            ("last_failure", .optional(summary.lastFailure?.words)),
            ("last_failure_at", .optional(summary.lastFailure?.moment.map(Time.text))),
            ("next_refresh", .optional(nextRefresh.map(Time.text))),
            ("service", service?.json ?? .null),
            ("bytes", .integer(summary.bytes)),
            ("generated_bytes", .integer(generatedBytes)),
            ("free_bytes", .optional(freeBytes)),
            ("failures", .array(summary.failed.map(json))),
            ("strangers", .array(unrecognised.map(json))),
            ("unwritable", .array(unwritable.map(JSON.string))),
            ("without_thumbnails", .integer(withoutThumbnails)),
            ("undecodable", .array(undecodable.map(json))),
            ("occupied", .array(occupied.map(JSON.string))),
            ("immutable", .array(immutable.map(JSON.string))),
        ])
    }

    private static func described(
        _ days: Set<Day>, _ catalog: Catalog, at now: Int
    ) throws(StorageError) -> [(day: Day, words: String)] {
        var known: [(day: Day, words: String)] = []
        for day in days.sorted() {
            let status = try catalog.status(of: day)
            let pending = PendingFavorite(day, status?.state, status?.reason, today: NewYork.day(at: now))
            known.append((day, status?.whole?.view == nil ? pending.words : status?.stored?.title ?? ""))
        }
        return known
    }

    /// Where nothing but the service can be asked.
    package static func json(of service: ServiceStatus) -> JSON {
        .object([("root", .string(service.root)), ("service", service.json)])
    }

    private static func note(_ watching: String) -> String? {
        watching.firstIndex(of: ":").map { String(watching[$0...].dropFirst(2)) }
    }

    private func json(_ place: Place, _ why: String) -> JSON {
        .object([("link", .string("\(place)")), ("reason", .string(why))])
    }

    private func json(_ refused: Catalog.ThumbnailState) -> JSON {
        .object([("date", .string("\(refused.day)")), ("reason", .optional(refused.refusal))])
    }

    private func json(_ replacement: Replacement) -> JSON {
        .object([
            ("date", .string("\(replacement.day)")), ("replaced", .string(Time.text(replacement.moment))),
            ("smaller", .bool(replacement.isMuchSmaller)),
        ])
    }

    private func json(_ failed: MirrorSummary.Failed) -> JSON {
        .object([
            ("date", .string("\(failed.day)")),
            ("reason", .string(failed.reason)),
            ("attempts", .integer(failed.attempts)),
            ("here", .bool(incomplete.contains(failed.day))),
        ])
    }
}
