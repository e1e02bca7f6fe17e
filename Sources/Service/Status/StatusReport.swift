package import Apod
package import Configuration
import Files
import Glibc
package import Store

/// How a mirror is: what is there (`MirrorFacts`), what its service does (`Activity`), and what is wrong (`Condition`).
/// There is one such value, with one form in JSON, and `apod-mirror status` shows it in one way:
///
/// | made by | has | seen by |
/// |---|---|---|
/// | the service, asked over its socket | the service, and what it waits for | the owner and members of the group |
/// | a command that may read the catalog | the mirror, and the answer of the service | the same, by `status` |
/// | the service, in `status.json` | both, without `contact`, as they were then | everybody, by `status` and the web |
///
/// Of the last, `/metrics` shows the counts, and `/health` the first failure.
package struct StatusReport: Sendable, Equatable {
    /// What is counted in a mirror, by its name in JSON.
    package enum Count: String, Sendable, CaseIterable {
        /// Files: a day can have several, or only a video.
        case pictures
        /// Days with JSON.
        case days
        /// Days to be mirrored that the upstream should have and the tree has not; `failed` ones are not among them.
        case missing
        /// Days that could not be fetched.
        case failed
        /// Days that have their picture, and lack a poster, a further picture or a correction.
        case incomplete
        case absent, downgraded
        case withoutPicture = "without_picture"
        /// Pictures that are to have thumbnails and have none.
        case withoutThumbnails = "without_thumbnails"
        case pruned
        /// How often NASA replaced files; the former ones are kept.
        case replaced
        /// Favorites whose picture is here, and those whose picture is still to come.
        case favorites, pending
        /// Things in the favorites folder that are not understood.
        case unrecognised
        case bytes
        /// The size of the gallery, the feed and the thumbnails, which `bytes` does not count.
        case generatedBytes = "generated_bytes"
        case freeBytes = "free_bytes"
    }

    /// What `status` says besides, with the counts.
    package struct More: Sendable, Equatable, Codable {
        /// The missing days that were deleted by other settings, and are to be fetched again.
        package var missingPruned = 0
        /// Days here that are older than `since`, as those that somebody asked for.
        package var older = 0
        /// The oldest day here that is not older than `since`; nil if all are.
        package var oldestSince: Day?
        /// The first of the days to be mirrored.
        package var firstWanted: Day?
        /// The newest days with a worse copy.
        package var downgraded: [Day] = []
    }

    /// Another list of pictures.
    package struct OfList: Sendable, Equatable, Codable {
        package let name: ListName
        package var pictures = 0
        package var bytes = 0
        /// Pictures that could not be fetched; the newest of them, and why.
        package var failed = 0
        package var failing: String?
        package var why: Problem?
        /// Pictures that are more than the list's `keep` allows, and wait for `prune`.
        package var held = 0
        package var lastRefresh: Moment?
        /// Why the list itself did not come, and since when.
        package var failure: Problem?
        package var silentSince: Moment?
    }

    package struct Service: Sendable, Equatable, Codable {
        /// What can be under way.
        package enum Doing: String, Sendable, Codable { case refresh, sync, backfill, thumbnails }

        package let version: String
        /// The process id.
        package let process: Int
        /// The settings in force; nil before they are read.
        package fileprivate(set) var settings: Settings?
        /// The file they were read from, if any.
        package let settingsFile: String?
        package let doing: [Doing]
        package let backfill: Activity.Filling?
    }

    package let root: String
    /// Empty where only the service was asked.
    private var counts: [Count: Int] = [:]
    package private(set) var more = More()
    package private(set) var lists: [OfList] = []
    package private(set) var oldest: Day?
    package private(set) var newest: Day?
    /// Seconds since 1970, as all moments.
    package private(set) var lastRefresh: Int?
    /// nil if no service could be asked, or it waits.
    package private(set) var nextRefresh: Int?
    /// nil if no service could be asked, or it does not watch.
    package private(set) var watching: WatchState.Way?
    /// nil if no service could be asked.
    package private(set) var service: Service?
    package private(set) var conditions: [Condition]
    /// When the service wrote this; nil for what was made on demand.
    package private(set) var published: Int?

    package subscript(_ count: Count) -> Int { counts[count] ?? 0 }

    package var freeBytes: Int? { counts[.freeBytes] }

    /// Whether the service waits until the mirror can be opened.
    package var isWaiting: Bool { conditions.contains { if case .waiting = $0 { true } else { false } } }

    /// The settings in force, with the root as the command names it; nil where the service does not say.
    package func settings(in root: String) -> Settings? {
        var settings = service?.settings
        settings?.root = root
        return settings
    }

    /// The same after the service has stopped.
    package var withoutService: StatusReport {
        var report = self
        (report.service, report.watching, report.nextRefresh) = (nil, nil, nil)
        report.conditions.removeAll(where: \.endsWithService)
        return report
    }
}

extension StatusReport {
    /// What a service says of itself.
    package init(of state: Activity.Snapshot, version: String) {
        root = state.settings?.root ?? ""
        (nextRefresh, watching, conditions) = (state.nextRefresh, state.watching?.way, state.conditions)
        service = Service(
            version: version, process: Int(getpid()), settings: state.settings, settingsFile: state.settingsFile,
            doing: state.work, backfill: state.backfill)
    }

    /// The mirror, and what its service says of itself.
    package init(
        _ settings: Settings, _ catalog: Catalog, _ favorites: FavoritesLog, _ service: StatusReport? = nil,
        at now: Int
    ) throws {
        let facts = try MirrorFacts(settings, catalog, favorites, service, at: now)
        root = settings.root
        (counts, more, lists) = (try facts.counts(), try facts.more(), facts.lists)
        (oldest, newest, lastRefresh) = (facts.summary.oldest, facts.summary.newest, facts.summary.lastRefresh)
        // A refresh that is due is about to begin.
        nextRefresh = service?.nextRefresh.map { max($0, now) }
        (watching, self.service) = (service?.watching, service?.service)
        conditions = try facts.conditions()
    }
}

extension Activity.Snapshot {
    var work: [StatusReport.Service.Doing] {
        let work: [(StatusReport.Service.Doing, Bool)] = [
            (.refresh, isRefreshing), (.sync, syncs > 0), (.backfill, backfill != nil),
            (.thumbnails, isMakingThumbnails),
        ]
        return work.filter(\.1).map(\.0)
    }
}

// MARK: JSON

extension StatusReport: JSONCodable {
    package var json: JSON {
        var members: [(String, JSON)] = [("root", .string(root))]
        if !counts.isEmpty {
            members += Count.allCases.map { ($0.rawValue, .optional(counts[$0])) }
            members += [
                ("oldest", .optional(oldest?.description)), ("newest", .optional(newest?.description)),
                ("more", JSON(more)), ("lists", JSON(lists)),
                ("last_refresh", .optional(lastRefresh.map(Time.text))),
            ]
        }
        members += [
            ("next_refresh", .optional(nextRefresh.map(Time.text))), ("watching", .optional(watching?.rawValue)),
            ("service", service.map { JSON($0) } ?? .null), ("conditions", JSON(conditions)),
        ]
        return .object(members + (published.map { [("published", .moment($0))] } ?? []))
    }

    /// nil for what is no report. What another version tells otherwise is left out.
    package init?(_ json: JSONText) {
        guard let members = json.members, let root = members["root"]?.string,
            let conditions = members["conditions"]?.elements
        else { return nil }
        (self.root, service, published) = (root, members["service"]?.decoded(), members["published"]?.moment)
        self.conditions = conditions.compactMap { $0.decoded() }
        for count in Count.allCases { counts[count] = members[count.rawValue]?.integer }
        (oldest, newest) = (members["oldest"]?.day, members["newest"]?.day)
        (more, lists) = (members["more"]?.decoded() ?? More(), members["lists"]?.decoded() ?? [])
        (lastRefresh, nextRefresh) = (members["last_refresh"]?.moment, members["next_refresh"]?.moment)
        watching = members["watching"]?.string.flatMap(WatchState.Way.init)
    }
}

// MARK: status.json

/// `ROOT/.apod-mirror/status.json`, for those who may neither read the catalog nor ask the service.
extension StatusReport {
    private static let file = "status.json"
    private static let longest = 16 << 20

    package func publish(in tree: Tree, at now: Int) throws {
        var report = self
        report.published = now
        report.service?.settings?.contact = nil
        try Staged(report.json.withoutQueries.document, in: tree.unfinished, as: Self.file)
            .publishDurably(in: tree.own, as: Self.file)
    }

    /// nil if nothing was published that can be read.
    package init?(publishedIn root: String) {
        guard let own = try? Folder.open(Tree.ownPath(in: root)),
            let bytes = try? own.file(Self.file)?.contents(atMost: Self.longest), let text = try? JSONText(bytes)
        else { return nil }
        self.init(text)
    }
}

extension JSON {
    /// Addresses may have keys in their queries.
    var withoutQueries: JSON {
        switch self {
        case .string(let text) where text.contains("?"): .string(text.replacing(/(https?:\/\/[^\s?]*)\?\S*/) { $0.1 })
        case .array(let elements): .array(elements.map(\.withoutQueries))
        case .object(let members): .object(members.map { ($0, $1.withoutQueries) })
        default: self
        }
    }
}
