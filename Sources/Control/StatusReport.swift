package import Apod
package import Archive
package import Catalog
package import Configuration
package import Favorites
package import Files
internal import Gallery
internal import Syncing
internal import Thumbnails

/// What `status` tells: what is there, what the service does, and what is wrong.
package struct StatusReport: Sendable {
    package let root: String
    package let summary: MirrorSummary
    /// Days to be mirrored that the upstream should have and the tree has not; `failed` ones are not among them.
    package let missing: Int
    /// The missing days that were deleted by other settings, and are to be fetched again.
    package let prunedMissing: Int
    /// The days to be mirrored, among which `missing` counts; nil if there are none.
    package let wanted: ClosedRange<Day>?
    /// The oldest day here that is not older than `since`; nil if all are.
    package let oldestSince: Day?
    /// How many days are older than that, as those that somebody asked for.
    package let older: Int
    /// How many days could not be fetched.
    package let failed: Int
    /// How many days have their picture, and lack a poster or a correction.
    package let incomplete: Int
    /// How often NASA replaced files; the former ones are kept.
    package let replaced: Int
    /// Favorites whose picture is here.
    package let favorites: Int
    /// Favorites whose picture is still to come.
    package let pending: Int
    /// How many things in the favorites folder are not understood.
    package let unrecognised: Int
    /// Pictures that are to have thumbnails and have none.
    package let withoutThumbnails: Int
    /// The size of the gallery, the feed and the thumbnails, which the summary does not count.
    package let generatedBytes: Int
    package let freeBytes: Int?
    /// Whether a service or a command has the mirror open for writing.
    package let isInUse: Bool
    /// nil if no service could be asked.
    package let service: ServiceStatus?
    package let conditions: [Condition]

    /// nil if no service could be asked, or it does not watch.
    package var watching: WatchState? { service?.state.watching }
    /// Seconds since 1970; nil if no service could be asked, or it waits.
    package var nextRefresh: Int? { service?.state.nextRefresh }

    package init(
        _ settings: Settings, _ catalog: Catalog, _ favorites: FavoritesLog, _ service: ServiceStatus? = nil,
        at now: Int
    ) throws(StorageError) {
        let folder = try? Folder.open(settings.root)
        let summary = try catalog.summary()
        let range = MirrorRange(settings: settings, catalog: catalog, favorites: favorites, now: now)
        let wanted = try range.wantedHere()
        root = settings.root
        self.summary = summary
        self.wanted = wanted
        let since = try range.since()
        oldestSince = try catalog.oldest(from: since)
        older = oldestSince == nil ? 0 : try catalog.countDays(before: since)
        self.service = service
        missing = try catalog.missing(in: wanted)
        prunedMissing = try catalog.prunedMissing(in: wanted)
        isInUse = Archive.isInUse(root: settings.root)
        freeBytes = (try? folder?.space())?.free
        replaced = try catalog.fact(.replaced) ?? 0
        generatedBytes = try catalog.thumbnailBytes() + (folder.flatMap { try? Gallery.bytes(in: $0) } ?? 0)
        let wrong = Conditions(
            settings: settings, catalog: catalog, favorites: favorites, folder: folder, service: service, now: now)
        incomplete = summary.failed.count(where: \.isIncomplete)
        failed = summary.failed.count - incomplete
        let (all, lack) = (favorites.known.days, wrong.folderLost())
        let awaited = try catalog.pending(among: all)
        pending = awaited.count
        self.favorites = all.count - pending
        // The catalog's count is of the folder that is lost.
        unrecognised = lack == nil ? try catalog.leftAlone().count : 0
        withoutThumbnails = try wrong.withoutThumbnails()
        conditions = try wrong.all(in: summary, lack, awaited)
    }

    package var json: JSON {
        let counts: [(String, Int)] = [
            ("pictures", summary.pictures), ("days", summary.days), ("missing", missing), ("failed", failed),
            ("incomplete", incomplete), ("absent", summary.absent), ("downgraded", summary.downgraded),
            ("without_picture", summary.placeholder), ("without_thumbnails", withoutThumbnails),
            ("pruned", summary.pruned), ("replaced", replaced),
            ("favorites", favorites), ("pending", pending), ("unrecognised", unrecognised),
            ("bytes", summary.bytes), ("generated_bytes", generatedBytes),
        ]
        let words: [(String, String?)] = [
            ("oldest", summary.oldest?.description), ("newest", summary.newest?.description),
            ("last_refresh", summary.lastRefresh.map(Time.text)), ("next_refresh", nextRefresh.map(Time.text)),
            ("watching", watching?.name),
        ]
        var members: [(String, JSON)] = [("root", .string(root))]
        members += counts.map { name, count in (name, .integer(count)) }
        members += words.map { name, words in (name, .optional(words)) }
        members.append(("free_bytes", .optional(freeBytes)))
        members.append(("service", service?.summary ?? .null))
        members.append(("conditions", .array(conditions.map(\.json))))
        return .object(members)
    }

    /// The report where only the service can be asked.
    package static func json(of service: ServiceStatus) -> JSON {
        .object([
            ("root", .string(service.root)), ("service", service.summary),
            ("conditions", .array(service.conditions.map(\.json))),
        ])
    }
}
