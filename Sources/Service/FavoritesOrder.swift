package import Apod
package import Archive
package import Favorites

/// A change of the favorites that somebody asks for. It is made in the folder, as a person would.
package struct FavoritesOrder: Sendable, Equatable {
    package enum Action: String, Sendable, CaseIterable { case add, remove, restore, forget }

    package typealias Telling = (AccountEntry) -> Void
    /// Confirms that the links of these days (nil: all) that have vanished are meant to be gone. Returns whose they were.
    package typealias Forgetting = (Set<Day>?) throws(ArchiveError) -> Set<Day>

    package let action: Action
    package let days: Set<Day>

    package init(_ action: Action, _ days: Set<Day>) {
        self.action = action
        self.days = days
    }

    /// Returns where links were taken away. `asker`: who asks for days that are not here.
    package func carryOut(
        by hand: Hand, asker: String = "`apod-mirror run` or the next sync", _ tell: Telling, forget: Forgetting
    ) throws(ArchiveError) -> [Place] {
        var touched: [Place] = []
        switch action {
        case .add: touched = try add(by: hand, asker, tell)
        case .remove: touched = try remove(by: hand, tell)
        case .restore: touched = try restore(by: hand, tell)
        case .forget: try self.forget(by: hand, tell, forget)
        }
        try hand.sync(touched)
        return action == .remove ? touched : []
    }

    /// Returns where links were made.
    private func add(by hand: Hand, _ asker: String, _ tell: Telling) throws(ArchiveError) -> [Place] {
        var made: [Place] = []
        if hand.folderIsMissing, hand.hasFavorites {
            tell(
                .warned(
                    "the folder \(Tree.favorites) was missing; a new one is made, without the links of the others"))
        }
        for day in days.sorted() {
            guard let place = try hand.add(day) else {
                tell(.said("\(day) is a favorite already"))
                continue
            }
            made.append(place)
            tell(.changed(.made, day, link: "\(place)"))
            if !hand.isHere(day) { tell(.said("\(day) is not here; \(asker) asks for it")) }
        }
        return made
    }

    private func remove(by hand: Hand, _ tell: Telling) throws(ArchiveError) -> [Place] {
        var removed: [Place] = []
        for day in days.sorted() {
            let places = try hand.remove(day)
            for place in places { tell(.changed(.removed, day, link: "\(place)")) }
            removed += places
            guard places.isEmpty else { continue }
            let advice = hand.hasVanished(day) ? "; `apod-mirror favorites forget \(day)` confirms that" : ""
            tell(.complained("\(day) has no link in \(Tree.favorites)\(advice)"))
        }
        return removed
    }

    private func restore(by hand: Hand, _ tell: Telling) throws(ArchiveError) -> [Place] {
        var made: [Place] = []
        let wanted = days.isEmpty ? hand.incomplete : days.sorted()
        if wanted.isEmpty { tell(.said("no link has vanished")) }
        for day in wanted {
            let places = try hand.restore(day)
            made += places
            for place in places { tell(.changed(.made, day, link: "\(place)")) }
            guard places.isEmpty else { continue }
            tell(
                hand.isFavorite(day)
                    ? .said("\(day) has its links") : .complained("\(day) never was a favorite"))
        }
        return made
    }

    private func forget(by hand: Hand, _ tell: Telling, _ forget: Forgetting) throws(ArchiveError) {
        let forgotten = try forget(days.isEmpty ? nil : days)
        for day in forgotten.sorted() { tell(.changed(.forgotten, day, link: nil)) }
        if hand.folderIsMissing {
            let advice = "`apod-mirror favorites restore` makes it again with its links"
            tell(.complained("the folder \(Tree.favorites) is missing; \(advice)"))
        } else if forgotten.isEmpty {
            tell(.said("no link has vanished"))
        }
    }
}
