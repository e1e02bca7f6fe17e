package import Apod
package import Store

/// A favorite whose picture is not here.
package struct PendingFavorite: Sendable, Equatable, JSONCodable {
    /// Why the picture is not here, by its name in JSON.
    package enum Reason: String, Sendable {
        /// NASA has no picture, or only the text, for this day; or a list for this item.
        case absent, text
        case failed
        /// The day is not published yet.
        case early
        /// Nothing keeps it away.
        case due
    }

    package let key: Key
    /// What its list calls an item, where that is known.
    private let id: String?
    package let reason: Reason
    /// Of a day that could not be fetched.
    private let failure: Problem?

    package init(_ item: Item, id: String? = nil, today: Day) {
        (key, self.id) = (item.key, id)
        (reason, failure) =
            switch (item.state, item.failure) {
            case (.absent, _): (.absent, nil)
            case (.placeholder, _): (.text, nil)
            case (.failed, let failure?) where failure.code != .missing: (.failed, failure)
            case (.failed, _): (.due, nil)
            default: (item.key.day.map { $0 > today } == true ? .early : .due, nil)
            }
    }

    package var words: String {
        switch reason {
        case .absent: "NASA has no picture for this day"
        case .text: key.list == nil ? "NASA has only the text of this day" : "the list has only its text"
        case .failed: "could not be fetched" + (failure.map { ": \($0.words)" } ?? "")
        case .early: "not published yet"
        case .due: "still to be fetched"
        }
    }

    package var json: JSON {
        .sparse(
            key.members(id: id) + [
                ("reason", .string(words)), ("state", .string(reason.rawValue)), ("failure", failure?.json),
            ])
    }

    package init?(_ json: JSONText) {
        guard let members = json.members, let key = Key(members),
            let reason = json["state"]?.string.flatMap(Reason.init)
        else { return nil }
        (self.key, id, self.reason, failure) = (
            key, members["id"]?.string, reason, json["failure"].flatMap(Problem.init)
        )
    }
}
