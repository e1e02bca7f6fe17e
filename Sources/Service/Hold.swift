package import Apod
package import Archive

/// A round of retention that would delete so much that it may be a mistake: for a day, it only tells of itself.
package struct Hold: Sendable, Equatable {
    /// When it began, in seconds since 1970.
    package let since: Int
    /// `keep` and `max-total`, as they ask for it.
    package let rule: String
    package let days: Int
    package let bytes: Int
    package let oldest: Day
    package let newest: Day

    /// In seconds.
    package static let length = 86_400

    package var end: Int { since + Self.length }

    /// More than thirty, and more than a tenth of those that are there.
    static func isLarge(_ count: Int, of there: Int) -> Bool { count > 30 && count * 10 > there }

    /// What holds a round back, or did before it had waited for long enough; nil for a small one.
    ///
    /// It waits anew when it is about much more than what was told, or is asked for by other settings: so long is the time
    /// to notice any mistake. It does so too when the clock was set back to before its beginning.
    static func of(_ round: Pruning, by settings: Settings, after before: Hold?, at now: Int) -> Hold? {
        guard isLarge(round.days.count, of: round.there), let first = round.days.first, let last = round.days.last
        else { return nil }
        func hold(since moment: Int) -> Hold {
            Hold(
                since: moment, rule: settings.retentionRule, days: round.days.count, bytes: round.bytes,
                oldest: first.day, newest: last.day)
        }
        guard let before, before.since <= now, before.rule == settings.retentionRule,
            !isLarge(round.days.count - before.days, of: round.there)
        else { return hold(since: now) }
        // A day more each day is what small rounds are about; many such days are more than what was told.
        return round.days.count > before.days ? before : hold(since: before.since)
    }

    func isOver(at now: Int) -> Bool { now >= end }
}

extension Hold {
    /// What it is about.
    package var extent: String { "\(days) days, \(Size.text(bytes)), from \(oldest) to \(newest)" }

    package var words: String {
        """
        the pictures of \(extent), are to be deleted (\(rule)). As these are so many, they stay until \(Time.text(end)). \
        To keep them, correct `keep` or `max-total` and reload the service, or make them favorites. \
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
            ("since", .integer(since)), ("rule", .string(rule)), ("days", .integer(days)), ("bytes", .integer(bytes)),
            ("oldest", .string("\(oldest)")), ("newest", .string("\(newest)")),
        ]
        return String(decoding: JSON.object(members).compact, as: UTF8.self)
    }

    fileprivate init?(_ text: String) {
        guard let members = (try? JSONText(Array(text.utf8)))?.members, let since = members["since"]?.integer,
            let rule = members["rule"]?.string, let days = members["days"]?.integer,
            let bytes = members["bytes"]?.integer, let oldest = members["oldest"]?.string.flatMap({ Day($0) }),
            let newest = members["newest"]?.string.flatMap({ Day($0) })
        else { return nil }
        self.init(since: since, rule: rule, days: days, bytes: bytes, oldest: oldest, newest: newest)
    }
}

extension Catalog {
    /// What is held back at the moment; nil if nothing is.
    package func hold() throws(CatalogError) -> Hold? { try remark(.hold).flatMap { Hold($0) } }

    func setHold(_ hold: Hold?) throws(CatalogError) {
        do throws(CatalogError) {
            try setRemark(.hold, hold?.text)
        } catch {
            // On a full disk it begins when there is room.
            guard error.isFull else { throw error }
        }
    }
}

extension Settings {
    fileprivate var retentionRule: String {
        [keep.map { "keep = \($0)" }, maxTotal.map { "max-total = \(Size.short($0))" }].compactMap(\.self)
            .joined(separator: ", ")
    }
}
