package import Apod
import Configuration
import Files
import Store

/// A deletion that may be a mistake: it waits until a person says `prune`.
package struct PruneHold: Sendable, Equatable, Codable {
    /// nil: of APOD.
    package let list: ListName?
    /// The settings that ask for it, such as `keep = 30d`.
    package let settings: String
    /// How many pictures, of APOD with the others of their days.
    package let days: Int
    /// How many former versions.
    package let replaced: Int
    package let bytes: Int
    /// The first and the last of the days; nil of another list.
    package let oldest, newest: Day?

    package init(
        list: ListName? = nil, rule: String, pictures: Int, replaced: Int = 0, bytes: Int, range: ClosedRange<Day>?
    ) {
        (self.list, settings, days, self.replaced) = (list, rule, pictures, replaced)
        (self.bytes, oldest, newest) = (bytes, range?.lowerBound, range?.upperBound)
    }

    /// So few never wait.
    static let few = 5

    /// What is to go, and how large it is.
    package var extent: String {
        let ofDays = oldest.flatMap { oldest in newest.map { Day.extent(of: days, oldest, $0) } }
        let pictures =
            ofDays.map { "the pictures of \(Day.count(days)), \($0)" }
            ?? list.map { "\(Picture.count(days)) of \($0)" }
        let former = replaced == 0 ? nil : "what was replaced \(Self.times(replaced))"
        return "\([pictures, former].compactMap(\.self).joined(separator: ", and ")), \(Size.text(bytes))"
    }

    static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }

    /// For the one line that systemd shows.
    package var line: String {
        "\(list.map { "\(Picture.count(days)) of \($0)" } ?? Day.count(days)) to be deleted by `prune` (\(settings))"
    }

    package var words: String {
        """
        \(extent), are to be deleted (\(settings)). They stay until you run `apod-mirror prune`; \
        `apod-mirror prune --dry-run` lists them. To keep them, correct `keep` or `max-total`, or make them favorites
        """
    }
}

extension Settings {
    /// The keys of the settings that have pictures deleted.
    package var limits: [String] {
        [("keep", keep != nil), ("max-total", maxTotal != nil)].filter(\.1).map(\.0)
    }

    /// Says that the limits, of which at least one is set, do not allow something.
    package func words(notAllowing what: String) -> String {
        let names = limits.map { "`\($0)`" }.joined(separator: " and ")
        return "\(names) \(limits.count == 1 ? "does" : "do") not allow \(what)"
    }

    /// The limits of APOD or of another list, as they stand in a settings file.
    package func retention(of list: ListName? = nil) -> String {
        let ofKeep =
            list.map { list in self[list: list]?.keep.map { "list.\(list).keep = \($0)" } }
            ?? keep.map { "keep = \($0)" }
        let rules = [ofKeep, maxTotal.map { "max-total = \(Size.short($0))" }]
        return rules.allSatisfy { $0 == nil } ? "keep = forever" : rules.compactMap(\.self).joined(separator: ", ")
    }

    /// The limits as `AppliedRules` has those that were last applied. Noted once a plan that deletes was carried out, and where
    /// a mirror or a list begins.
    func rule(of list: ListName? = nil) -> String {
        let keep = list.map { self[list: $0]?.keep?.description } ?? keep?.description
        return "keep \(keep ?? "-"), max-total \(maxTotal?.description ?? "-")"
    }

    /// Says that days asked for by name will be deleted again.
    package func words(forUnkept days: [Day]) -> String {
        let (are, them) = days.count == 1 ? ("is", "it") : ("are", "them")
        let dates = days.count > 3 ? "DATE" : days.map(\.description).joined(separator: " ")
        return """
            \(Day.names(days, atMost: 3)) \(are) not to stay (\(retention())), and will be deleted again. \
            `apod-mirror favorites add \(dates)` keeps \(days.count > 3 ? "one" : them)
            """
    }
}
