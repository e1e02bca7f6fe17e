package import Apod
internal import Archive
package import Catalog
package import Favorites
package import Files

/// A change of the favorites that somebody asks for. It is made in the folder, as a person would.
package struct FavoritesOrder: Sendable, Equatable {
    package enum Action: String, Sendable, CaseIterable { case add, remove, restore, forget }

    /// Drops for good the favorites of these days (nil: all) whose links have vanished. Returns whose they were.
    package typealias Forgetting = (Set<Day>?) throws(StorageError) -> Set<Day>
    /// Told which links have been made again.
    package typealias Restoring = ([Link]) -> Void
    /// Told where links are about to be taken away.
    package typealias Removing = ([Place]) -> Void

    package let action: Action
    package let days: Set<Day>
    /// Of `remove`: these links, whatever others their days have.
    package let links: Set<Place>
    /// Of `restore`: what went since then, in seconds since 1970.
    package let since: Int?

    package init(_ action: Action, _ days: Set<Day>, links: Set<Place> = [], since: Int? = nil) {
        self.action = action
        self.days = days
        self.links = links
        self.since = since
    }

    /// `asker`: who asks for days that are not here.
    package func run(
        by editor: FavoritesEditor, today: Day, asker: String = "`apod-mirror run` or the next sync",
        _ tell: (Message) -> Void, forget: Forgetting,
        restored: Restoring = { _ in }, removing: Removing = { _ in }
    ) throws(StorageError) {
        var touched: [Place] = []
        if let lack = editor.lack, lack.isTaken, action != .forget {
            return tell(.complained(editor.words(for: lack)))
        }
        switch action {
        case .add: touched = try add(by: editor, today, asker, tell)
        case .remove: touched = try remove(by: editor, tell, removing)
        case .restore: touched = try restore(by: editor, tell, restored)
        case .forget: try self.forget(by: editor, tell, forget, removing)
        }
        try editor.sync(touched)
    }

    /// Returns where links were made.
    private func add(
        by editor: FavoritesEditor, _ today: Day, _ asker: String, _ tell: (Message) -> Void
    ) throws(StorageError) -> [Place] {
        var made: [Place] = []
        if editor.lack != nil, editor.hasFavorites {
            tell(
                .warned(
                    """
                    the folder \(Tree.favorites) was missing; a new one is made, without the links of the others: \
                    `apod-mirror favorites restore` makes those again
                    """))
        }
        for day in days.sorted() {
            if editor.isAbsent(day), !editor.isFavorite(day) {
                let advice = "`apod-mirror sync \(day)` asks again"
                tell(.complained("NASA has no picture for \(day): it becomes no favorite; \(advice)"))
                continue
            }
            if let copy = try editor.undecidedCopy(of: day) {
                let name = Text.shown("\(Tree.favorites)/\(copy)")
                tell(.said("\(name) is a copy of \(day); \(asker) makes it a favorite"))
                continue
            }
            guard let place = try editor.add(day) else {
                tell(.said("\(day) is a favorite already\(Self.words(forLackOf: day, by: editor, today))"))
                continue
            }
            made.append(place)
            tell(.changed(.made, day, link: "\(place)"))
            if editor.isHere(day) { continue }
            let isToCome = day > today
            tell(
                .said(
                    isToCome
                        ? "\(day) is not published yet; it is fetched when it is"
                        : "\(day) is not here; \(asker) asks for it"))
        }
        return made
    }

    /// What a favorite is still waiting for; nothing for one whose picture is here.
    private static func words(forLackOf day: Day, by editor: FavoritesEditor, _ today: Day) -> String {
        if editor.isHere(day) { return "" }
        if day > today { return "; it is fetched when it is published" }
        return editor.isAbsent(day) ? "; NASA has no picture for it" : "; its picture is still to be fetched"
    }

    private func remove(
        by editor: FavoritesEditor, _ tell: (Message) -> Void, _ removing: Removing
    ) throws(StorageError) -> [Place] {
        var removed = try removeLinks(by: editor, tell, removing)
        let found = days.isEmpty ? [:] : editor.findLinks(to: days)
        for day in days.sorted() {
            let places = try editor.remove(day, found: found[day] ?? [], removing)
            for place in places { tell(.changed(.removed, day, link: "\(place)")) }
            removed += places
            let absences = editor.absences(of: day)
            for absence in absences { tell(.complained("\(day) stays a favorite: \(absence)")) }
            guard places.isEmpty, absences.isEmpty else { continue }
            let advice = editor.hasVanished(day) ? "; `apod-mirror favorites forget \(day)` drops it for good" : ""
            tell(.complained("\(day) has no link in \(Tree.favorites)\(advice)"))
        }
        return removed
    }

    private func removeLinks(
        by editor: FavoritesEditor, _ tell: (Message) -> Void, _ removing: Removing
    ) throws(StorageError) -> [Place] {
        var removed: [Place] = []
        for place in links.sorted(by: { $0.description < $1.description }) {
            guard let day = try editor.remove(place, removing) else {
                tell(.complained("\(Text.shown("\(Tree.favorites)/\(place)")) is no link to a day, and stays"))
                continue
            }
            tell(.changed(.removed, day, link: "\(place)"))
            removed.append(place)
            tellOfLinksLeft(to: day, editor, tell)
        }
        return removed
    }

    private func tellOfLinksLeft(to day: Day, _ editor: FavoritesEditor, _ tell: (Message) -> Void) {
        let links = editor.links(to: day).count
        if links == 0 { return }
        tell(.said("\(day) stays a favorite: \(links == 1 ? "1 link is" : "\(links) links are") left"))
    }

    private var restoration: Restoration {
        if let since { return .since(since) }
        return days.isEmpty ? .vanished : .days(days)
    }

    /// Where one link cannot be made, the others of its album cannot either; other albums are no worse for that.
    private func restore(
        by editor: FavoritesEditor, _ tell: (Message) -> Void, _ restored: Restoring
    ) throws(StorageError) -> [Place] {
        var made: [Place] = []
        let missing = try editor.missing(restoration)
        var failures: [Album: (why: StorageError, links: Int)] = [:]
        var (there, told): ([Link], Set<Day>) = ([], [])
        for link in missing {
            if failures[link.place.album] != nil {
                failures[link.place.album]!.links += 1
                told.insert(link.day)
                continue
            }
            do throws(StorageError) {
                let (place, wasThere) = try editor.restore(link)
                there.append(link)
                if wasThere { continue }
                made.append(place)
                tell(.changed(.made, link.day, link: "\(place)"))
            } catch {
                failures[link.place.album] = (error, 1)
            }
            told.insert(link.day)
        }
        restored(there)
        for failure in failures.values {
            tell(
                .complained(
                    "\(failure.links == 1 ? "1 link is" : "\(failure.links) links are") not made again: \(failure.why)")
            )
        }
        tellOfOthers(beside: told, areThere: Set(there.map(\.day)), editor, tell)
        return made
    }

    /// `told`: days of which something was said. Links can be there by other names.
    private func tellOfOthers(
        beside told: Set<Day>, areThere: Set<Day>, _ editor: FavoritesEditor, _ tell: (Message) -> Void
    ) {
        for day in days.subtracting(told).sorted() {
            let isThere = areThere.contains(day) || editor.isFavorite(day)
            tell(isThere ? .said("\(day) has its links") : .complained("\(day) never was a favorite"))
        }
        guard told.isEmpty, days.isEmpty else { return }
        if since != nil {
            let words = areThere.isEmpty ? "no link has gone since then" : "all links that went since then are there"
            return tell(.said(words))
        }
        let wereRemoved = (try? editor.missing(.since(0)))?.contains { !editor.isRestored($0) } ?? false
        let advice = "`apod-mirror favorites restore --since 1h` brings back what was removed in the last hour"
        tell(.said("no link has vanished" + (wereRemoved ? "; \(advice)" : "")))
    }

    private func forget(
        by editor: FavoritesEditor, _ tell: (Message) -> Void, _ forget: Forgetting, _ removing: Removing
    ) throws(StorageError) {
        let forgotten = try forget(days.isEmpty ? nil : days)
        for day in forgotten.sorted() {
            tell(.changed(.forgotten, day, link: nil))
            tellOfLinksLeft(to: day, editor, tell)
        }
        if let lack = editor.lack {
            tell(.complained(editor.words(for: lack)))
        } else if days.isEmpty, forgotten.isEmpty {
            tell(.said("no link has vanished"))
        } else {
            for day in days.subtracting(forgotten).sorted() { self.forget(day, by: editor, tell, removing) }
        }
    }

    /// A day of which no link is known to have vanished.
    private func forget(_ day: Day, by editor: FavoritesEditor, _ tell: (Message) -> Void, _ removing: Removing) {
        let (links, absences) = (editor.links(to: day).count, editor.absences(of: day))
        if links > 0 {
            let which = links == 1 ? "its link" : "\(links) links"
            let advice = "`apod-mirror favorites remove \(day)` takes \(links == 1 ? "it" : "them") away"
            tell(.complained("\(day) has \(which) in \(Tree.favorites) still, and stays a favorite; \(advice)"))
        } else if !absences.isEmpty {
            for absence in absences { tell(.complained("\(day) stays a favorite: \(absence)")) }
        } else if editor.knownLinks(to: day).contains(where: editor.isTaken) {
            tell(.complained("\(day) stays a favorite: its link is there, and cannot be read"))
        } else if editor.isFavorite(day) {
            // Its links went a moment ago, and nobody has said yet what that means.
            removing(editor.knownLinks(to: day))
            tell(.changed(.forgotten, day, link: nil))
        } else {
            tell(.complained("\(day) is no favorite"))
        }
    }
}
