import Apod
import Files

/// What is asked of an item in two places: in Swift of one that was read, and in SQL of a row of the table `item` or, in an
/// outer join, of none. The two texts of a rule stand together here, and one test asks both of the same items.
struct ItemRule: Sendable {
    let name: String
    /// `now`: seconds since 1970. nil: nothing is known of the item.
    let holds: @Sendable (_ item: Item?, _ now: Int) -> Bool
    /// `?1` is `now`.
    let sql: String

    static let all = [
        ItemRule(name: "isStored", holds: { item, _ in item?.stored != nil }, sql: Item.isStored),
        ItemRule(name: "lacksFiles", holds: { item, _ in item?.lacksFiles == true }, sql: Item.lacksFiles),
        ItemRule(name: "isOwing", holds: { item, _ in item?.isOwing ?? true }, sql: Item.isOwing),
        ItemRule(name: "isDue", holds: Item.isDue, sql: Item.isDue(at: "?1")),
        ItemRule(name: "hasFiles", holds: { item, _ in item?.stored?.files.isEmpty == false }, sql: Item.hasFiles),
        ItemRule(name: "hasMain", holds: { item, _ in item?.hasMain == true }, sql: Item.hasMain),
        ItemRule(name: "isHere", holds: { item, _ in item?.isHere == true }, sql: Item.isHere),
    ]
}

extension Item {
    /// Whether something of it is in the tree: `stored` is not nil.
    static let isStored = "json_bytes IS NOT NULL"

    /// Whether it counts as failed only because a file was missing when the catalog was made anew. It is fetched as if it
    /// were new, and is not reported as failed.
    package var lacksFiles: Bool { state == .failed && (failure?.code ?? .missing) == .missing }

    /// `unsettled` is an index of those that are not mirrored.
    static let lacksFiles = """
        (state <> 'mirrored' AND state = 'failed' AND ifnull(failure ->> 'code', 'missing') = 'missing')
        """

    /// Whether something of it is still to come: it failed, lacks a file, or has a record that stands in.
    package var isOwing: Bool { state != .mirrored || stored.map { $0.lacks > 0 || $0.isStandIn } ?? false }

    static let isOwing = "(state IS NOT 'mirrored' OR lacks > 0 OR is_stand_in)"

    /// As the index `owing` has it.
    static let isIndexedAsOwing = "(state = 'failed' OR lacks > 0 OR is_stand_in)"

    /// Whether to ask for it; nil: nothing is known of it.
    package static func isDue(_ item: Item?, at now: Int) -> Bool {
        item.map { $0.isOwing && !RetryPolicy.isPutOff(until: $0.retryAfter, at: now) } ?? true
    }

    /// `now`: an SQL parameter.
    static func isDue(at now: String) -> String {
        """
        (\(isOwing) AND (retry_after IS NULL OR retry_after <= \(now)
            OR retry_after >= \(now) + \(RetryPolicy.longestBelieved)))
        """
    }

    static let hasFiles = "EXISTS (SELECT 1 FROM file WHERE file.n = item.n)"

    /// Whether it has its picture, video or page.
    package var hasMain: Bool { stored?.files.main != nil }

    static let hasMain = "EXISTS (SELECT 1 FROM file WHERE file.n = item.n AND role NOT IN ('poster', 'also'))"

    /// Whether its files are in the tree.
    package var isHere: Bool {
        stored != nil && state != .pruned && state != .placeholder && (state != .failed || hasMain)
    }

    static let isHere = """
        (\(isStored) AND state NOT IN ('pruned', 'placeholder') AND (state <> 'failed' OR \(hasMain)))
        """
}
