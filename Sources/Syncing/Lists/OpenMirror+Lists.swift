package import Apod
internal import Archive
internal import Concurrency
internal import Configuration

/// What the mirror does with other lists: each a round (`ListRound`), one after the other.
extension OpenMirror {
    /// The lists to ask for now, and when the next one is due.
    package func dueLists(_ lists: [PictureList]) -> (due: [PictureList], next: Int) {
        let now = moment
        let moments = lists.map { list in (list, ListRound.due(list, in: settings, at: now)) }
        return (moments.filter { $0.1 <= now }.map(\.0), moments.map(\.1).min() ?? .max)
    }

    /// Deletes what `keep` of these lists does not allow, and says so. Returns how many pictures that were.
    package func applyKeep(
        ofLists lists: [PictureList], settling: @escaping ListSettling, _ say: @escaping @Sendable (String) -> Void
    ) async throws(RefreshError) -> Int {
        try await listQueue.holding(rank: 1) { () async throws(RefreshError) in
            let round = ListRound(mirror: self, settings: settings, settle: settling) { say($0.description) }
            return try await round.applyKeep(lists)
        }
    }

    /// Brings up to date what is made of all lists that are here, also of those that the settings name no more.
    package func settleLists(_ settling: @escaping ListSettling) async throws(RefreshError) {
        let names = Archive.lists(root: settings.root)
        if names.isEmpty { return }
        try await listQueue.holding { () async throws(RefreshError) in
            let round = ListRound(mirror: self, settings: settings, settle: settling) { _ in }
            for name in names {
                if Task.isCancelled { throw .cancelled }
                try await round.settle(settings[list: name] ?? PictureList(name: name, address: settings.upstream))
            }
        }
    }

    /// Fetches again what is missing or damaged of lists.
    package func repair(
        _ lists: [ListName], settling: @escaping ListSettling, _ report: @escaping @Sendable (RefreshEvent) -> Void
    ) async throws(RefreshError) {
        try await listQueue.holding(rank: 1) { () async throws(RefreshError) in
            let round = ListRound(mirror: self, settings: settings, settle: settling, report: report)
            for name in lists {
                guard let list = settings[list: name] else {
                    report(.noted("\(name): its pictures cannot be fetched, as it is not in the settings"))
                    continue
                }
                try await round.repair(list)
            }
        }
    }

    /// A round over other lists. `order`: of the person who asks for it; nil for that of each day.
    package func refresh(
        _ lists: [PictureList], for order: SyncOrder?, settling: @escaping ListSettling,
        _ report: @escaping @Sendable (RefreshEvent) -> Void
    ) async throws(RefreshError) {
        let settings = order?.applied(to: settings) ?? settings
        try await listQueue.holding(rank: order == nil ? 0 : 1) { () async throws(RefreshError) in
            let round = ListRound(
                mirror: self, settings: settings, isAsked: order != nil, settle: settling, report: report)
            try await round.run(lists)
        }
    }
}
