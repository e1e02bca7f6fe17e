package import Apod
import Configuration
import Files
package import Store

/// A round over other lists, one after the other.
package struct ListRound: Sendable {
    private let mirror: OpenMirror
    /// Those in force, or with what a command says for its round.
    private let settings: Settings
    /// A person asks: nothing is put off.
    private let isAsked: Bool
    private let report: EventHandler

    /// `order`: of the person who asks; nil for the service's own rounds.
    package init(
        _ mirror: OpenMirror, for order: SyncOrder? = nil,
        _ report: @escaping EventHandler = { _ in }
    ) {
        self.mirror = mirror
        settings = order?.applied(to: mirror.settings) ?? mirror.settings
        isAsked = order != nil
        self.report = report
    }

    /// Asks for the lists that are due, and looks for the folders of all others that are here, also of those that the
    /// settings name no more.
    package func run(_ due: [PictureList]) async throws {
        let asked = Set(due.map(\.name))
        let others = await blocking { Archive.lists(root: settings.root) }.filter { !asked.contains($0) }
        let left = others.map(settings.list)
        try await each(of: due + left) { [settings, mirror] list in
            if asked.contains(list.name) { try await refresh(list) }
            // Named again, it is asked for at once.
            if settings[list: list.name] == nil {
                try await blocking { try mirror.archive.catalog.setCondition(.asked, of: list.name, String?.none) }
            }
        }
    }

    /// Fetches the deleted pictures that are favorites by now, of the lists of these.
    package func fetchWanted(_ favorites: Set<Key>) async throws {
        let lists = Set(favorites.map(\.list))
        try await each(of: settings.lists.filter { lists.contains($0.name) }) { list in
            try await refresh(of: list).fetchWanted()
        }
    }

    package func refresh(_ lists: [PictureList]) async throws {
        try await each(of: lists, refresh(_:))
    }

    /// Fetches again what is missing or damaged, by the records that were kept.
    package func repair(_ names: [ListName]) async throws {
        for name in names where settings[list: name] == nil {
            report(.noted("\(name): its pictures cannot be fetched, as it is not in the settings"))
        }
        let lists = names.compactMap { settings[list: $0] }
        try await each(of: lists) { list in try await refresh(of: list).repair() }
    }

    /// Does some work on one list after the other. A list that fails is reported, and the next one has its turn. Throws
    /// what would stop them all, and at the end what is wrong with the folder of one.
    private func each(of lists: [PictureList], _ work: (PictureList) async throws -> Void) async throws {
        if lists.isEmpty { return }
        var ofFolder: Problem?
        try await mirror.listQueue.holding {
            for list in lists where !Task.isCancelled {
                do {
                    // The folder of one that the settings do not name is not made: somebody may be deleting it.
                    let isNamed = settings[list: list.name] != nil
                    try await blocking { [archive = mirror.archive] in
                        if isNamed { try archive.begin(list.name) } else { try archive.find(list.name) }
                    }
                    try await work(list)
                } catch {
                    let why = Problem(error, in: settings)
                    if why.isOfNetwork {
                        report(.listFailed(list.name, why: why))
                    } else if why.isFull || why.endsService || why.code == .stopped {
                        throw why
                    } else {
                        ofFolder = ofFolder ?? why
                        try? mirror.archive.catalog.noteFailure(why, of: list.name, at: mirror.moment)
                    }
                }
            }
            if Task.isCancelled { throw Problem(.stopped) }
        }
        if let ofFolder { throw ofFolder }
    }

    private func refresh(_ list: PictureList) async throws {
        do {
            try await refresh(of: list).run()
        } catch {
            try? await applyKeep(list.name)
            throw error
        }
        try await applyKeep(list.name)
    }

    private func refresh(of list: PictureList) -> ListRefresh {
        ListRefresh(list: list, refresh: mirror.refresh(of: list, by: settings), isAsked: isAsked, report: report)
    }

    private func applyKeep(_ list: ListName) async throws {
        let round = try await mirror.retention.apply(only: list)
        for event in round.told { report(event) }
        for hold in round.holds { report(.held(hold.words)) }
    }
}

extension Settings {
    /// What a list is asked for, and by which rules; `max-total` is one of them.
    func question(for list: PictureList) -> String { "\(list.reading) \(maxTotal ?? 0)" }
}

extension Archive {
    /// The deleted favorites of a list that may be asked for now.
    func deletedFavorites(of list: ListName, at now: Int) throws -> [Key] {
        let favorites = favorites.known.keys.filter { $0.list == list }
        return favorites.isEmpty ? [] : try catalog.deletedItems(of: list, at: now).filter(favorites.contains)
    }
}

extension OpenMirror {
    /// Looks which lists that the settings do not name have come or gone. Returns whether one is gone.
    package func settleLists() throws -> Bool { try archive.settleLists(besides: settings.lists.map(\.name)) }

    /// The lists to ask for now, and when the next one is due.
    package var dueLists: (due: [PictureList], next: Int) {
        let now = moment
        let moments = settings.lists.map { list in
            (list, archive.catalog.due(list.name, asking: settings.question(for: list), at: now))
        }
        return (moments.filter { $0.1 <= now }.map(\.0), moments.map(\.1).min() ?? .max)
    }
}

extension Catalog {
    /// When a list is to be asked for: a day after it came, or after a pause as long as it has not come for.
    fileprivate func due(_ name: ListName, asking question: String, at now: Int) -> Int {
        // Where its settings are others than when it was asked for last, it is asked for at once.
        guard (try? condition(.asked, of: name)) == question else { return now }
        // In seconds. A round takes some time, and the next day's is not to come later and later.
        let (shortest, longest) = (3600, 86_400 - 1800)
        if let last = try? lastFailure(of: name), let since = try? fact(.silentSince, of: name), last.at.seconds <= now
        {
            let quiet = try? quiet(at: now, of: name)
            return max(last.at.seconds + min(max(last.at.seconds - since, shortest), longest), quiet ?? 0)
        }
        guard let last = try? fact(.lastRefresh, of: name), last <= now else { return now }
        return last + longest
    }
}
