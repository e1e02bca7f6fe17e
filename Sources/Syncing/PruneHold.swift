package import Apod
package import Catalog
package import Concurrency
internal import Configuration
package import Files

/// A round of retention that would delete so much that it may be a mistake: for a day, it only tells of itself. Of that
/// day, only the time counts in which the machine ran, whatever clock is set meanwhile.
package struct PruneHold: Sendable, Equatable {
    /// When it began, in seconds since 1970.
    package let since: Int
    /// For how many seconds it has told of itself, and up to when they were counted.
    package private(set) var heldSeconds = 0
    package private(set) var counted: Uptime
    /// When it is over if the machine runs until then, in seconds since 1970.
    package private(set) var end: Int
    /// `keep` and `max-total`, as they ask for it.
    package let rule: String
    package internal(set) var days: Int
    package internal(set) var bytes: Int
    package internal(set) var oldest: Day
    package internal(set) var newest: Day

    /// In seconds.
    package static let length = 86_400
    /// It is counted so often, for the next time that the power fails.
    private static let look = 3_600
    /// So much more is worth being remembered.
    private static let worthwhile = 600
    /// Two clocks never go quite alike: only when its end moves by so much, it is told anew.
    private static let noticeable = 60

    /// More than thirty, and more than a tenth of those that are there.
    static func isLarge(_ count: Int, of there: Int) -> Bool { count > 30 && isMuch(count, of: there) }

    /// More than a tenth.
    static func isMuch(_ count: Int, of there: Int) -> Bool { count * 10 > there }

    /// As it is a while later. What passed before the machine was started does not count, nor what passed before the mirror
    /// was there again (`reached`, by the uptime): nobody could read of it.
    package func counted(at now: Int, _ uptime: Uptime, reached: Int = 0) -> PruneHold {
        let begin = max(uptime.boot == counted.boot ? counted.seconds : 0, reached)
        var hold = self
        hold.heldSeconds += max(0, uptime.seconds - begin)
        hold.counted = uptime
        let end = now + hold.left
        if (end - self.end).magnitude >= Self.noticeable { hold.end = end }
        return hold
    }

    private var left: Int { Self.length - heldSeconds }

    var isOver: Bool { left <= 0 }

    /// In how many seconds it is to be looked at again.
    package var pause: Int { min(left, Self.look) }

    /// Whether it is to be remembered in place of what it was.
    func isNews(after before: PruneHold) -> Bool {
        var same = self
        (same.heldSeconds, same.counted) = (before.heldSeconds, before.counted)
        return same != before || isOver != before.isOver || heldSeconds - before.heldSeconds >= Self.worthwhile
    }
}

extension PruneHold {
    /// What it is about.
    package var extent: String { "\(days) days, \(Size.text(bytes)), \(Day.extent(of: days, oldest, newest))" }

    /// For the one line that systemd shows.
    package var line: String { "\(days) days to be deleted after \(Time.local(end)) (\(rule))" }

    /// `isServed`: a service deletes them, by the settings that it has read.
    package func words(isServed: Bool) -> String {
        """
        the pictures of \(extent), are to be deleted (\(rule)). As these are so many, they stay until \(Time.local(end)). \
        To keep them, correct `keep` or `max-total`\(isServed ? " and reload the service" : ""), or make them favorites. \
        `apod-mirror prune --dry-run` lists them, `apod-mirror prune` deletes them now
        """
    }

    package var json: JSON {
        .object([
            ("days", .integer(days)), ("bytes", .integer(bytes)), ("oldest", .string("\(oldest)")),
            ("newest", .string("\(newest)")), ("settings", .string(rule)), ("until", .string(Time.text(end))),
        ])
    }

    fileprivate var text: String {
        let members: [(String, JSON)] = [
            ("since", .integer(since)), ("told", .integer(heldSeconds)), ("boot", .string(counted.boot)),
            ("uptime", .integer(counted.seconds)), ("end", .integer(end)), ("rule", .string(rule)),
            ("days", .integer(days)), ("bytes", .integer(bytes)), ("oldest", .string("\(oldest)")),
            ("newest", .string("\(newest)")),
        ]
        return String(decoding: JSON.object(members).compact, as: UTF8.self)
    }

    fileprivate init?(_ text: String) {
        guard let members = (try? JSONText(Array(text.utf8)))?.members, let since = members["since"]?.integer,
            let heldSeconds = members["told"]?.integer, let boot = members["boot"]?.string,
            let uptime = members["uptime"]?.integer, let end = members["end"]?.integer,
            let rule = members["rule"]?.string, let days = members["days"]?.integer,
            let bytes = members["bytes"]?.integer, let oldest = members["oldest"]?.string.flatMap({ Day($0) }),
            let newest = members["newest"]?.string.flatMap({ Day($0) })
        else { return nil }
        self.init(
            since: since, heldSeconds: heldSeconds, counted: Uptime(boot: boot, seconds: uptime), end: end, rule: rule,
            days: days, bytes: bytes, oldest: oldest, newest: newest)
    }
}

extension Catalog {
    /// What is held back at the moment; nil if nothing is.
    package func hold() throws(StorageError) -> PruneHold? { try remark(.hold).flatMap { PruneHold($0) } }

    func setHold(_ hold: PruneHold?) throws(StorageError) {
        do throws(StorageError) {
            try setRemark(.hold, hold?.text)
        } catch {
            // On a full disk it begins when there is room.
            guard error.isFull else { throw error }
        }
    }
}

extension Settings {
    /// The settings that have pictures deleted, by their keys.
    package var limits: [String] {
        [("keep", keep != nil), ("max-total", maxTotal != nil)].filter(\.1).map(\.0)
    }

    /// That the limits, of which there is one at least, do not allow something.
    package func words(notAllowing what: String) -> String {
        let names = limits.map { "`\($0)`" }.joined(separator: " and ")
        return "\(names) \(limits.count == 1 ? "does" : "do") not allow \(what)"
    }

    /// What is deleted by, as it stands in a file.
    package var retention: String {
        let rules = [keep.map { "keep = \($0)" }, maxTotal.map { "max-total = \(Size.short($0))" }]
        return rules.allSatisfy { $0 == nil } ? "keep = forever" : rules.compactMap(\.self).joined(separator: ", ")
    }

    /// What becomes of days that are asked for by name, and are not to stay.
    package func words(forUnkept days: [Day]) -> String {
        let (are, them) = days.count == 1 ? ("is", "it") : ("are", "them")
        let dates = days.count > 3 ? "DATE" : days.map(\.description).joined(separator: " ")
        return """
            \(Day.names(days, atMost: 3)) \(are) not to stay (\(retention)), and will be deleted again. \
            `apod-mirror favorites add \(dates)` keeps \(days.count > 3 ? "one" : them)
            """
    }
}
