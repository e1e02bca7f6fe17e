package import Apod
internal import Archive
internal import Catalog
internal import Concurrency
internal import Configuration
internal import Files

/// A round over other lists, one after the other: each archive is open for as long as its list is worked on.
package struct ListRound: Sendable {
    private let mirror: OpenMirror
    /// Those in force, or with what a command says for its round.
    private let settings: Settings
    /// A person asks: nothing is put off.
    private let isAsked: Bool
    private let settle: ListSettling
    private let report: @Sendable (RefreshEvent) -> Void

    /// Pictures that come are seen after so long.
    private static let beat = Duration.seconds(60)

    /// `order`: of the person who asks; nil for the service's own rounds.
    package init(
        _ mirror: OpenMirror, for order: SyncOrder? = nil, settling settle: @escaping ListSettling,
        _ report: @escaping @Sendable (RefreshEvent) -> Void = { _ in }
    ) {
        self.mirror = mirror
        settings = order?.applied(to: mirror.settings) ?? mirror.settings
        isAsked = order != nil
        self.settle = settle
        self.report = report
    }

    /// Asks for the lists that are due, and settles what was left of all others that are here, also of those that the
    /// settings name no more.
    package func run(_ due: [PictureList]) async throws(RefreshError) {
        let asked = Set(due.map(\.name))
        let others = await blocking { Archive.lists(root: settings.root) }.filter { !asked.contains($0) }
        let left = others.map { settings[list: $0] ?? PictureList(name: $0, address: settings.upstream) }
        try await each(of: due + left) { list, archive async throws(RefreshError) in
            if asked.contains(list.name) { try await refresh(list, in: archive) }
        }
    }

    package func refresh(_ lists: [PictureList]) async throws(RefreshError) {
        try await each(of: lists, refresh(_:in:))
    }

    /// Fetches again what is missing or damaged, by the records that were kept.
    package func repair(_ names: [ListName]) async throws(RefreshError) {
        for name in names where settings[list: name] == nil {
            report(.noted("\(name): its pictures cannot be fetched, as it is not in the settings"))
        }
        let lists = names.compactMap { settings[list: $0] }
        try await each(of: lists) { list, archive async throws(RefreshError) in
            try await refresh(of: list, in: archive).repair()
        }
    }

    /// Deletes what the lists' `keep` does not allow, however much it is. Returns how many pictures were to go.
    package func prune(_ lists: [PictureList]) async throws(RefreshError) -> Int {
        var count = 0
        try await each(of: lists) { list, archive async throws(RefreshError) in
            count += try await applyKeep(list, in: archive, isPrune: true)
        }
        return count
    }

    /// Opens one archive after the other for some work, and settles what this has changed. A list that fails is reported,
    /// and the next one has its turn. Throws what would stop them all, and at the end what is wrong with the folder of one.
    private func each(
        of lists: [PictureList], _ work: (PictureList, Archive) async throws(RefreshError) -> Void
    ) async throws(RefreshError) {
        if lists.isEmpty { return }
        var ofFolder: RefreshError?
        try await mirror.listQueue.holding { () async throws(RefreshError) in
            for list in lists where !Task.isCancelled {
                do throws(RefreshError) {
                    try await self.work(on: list, work)
                } catch {
                    switch error {
                    case .upstreamSilent, .filesSilent: report(.listFailed(list.name, why: error.failure))
                    case .archive(let why) where !why.endsService && !why.isFull: ofFolder = ofFolder ?? error
                    case .archive, .noRoom, .cancelled: throw error
                    }
                }
            }
            if Task.isCancelled { throw .cancelled }
        }
        if let ofFolder { throw ofFolder }
    }

    private func work(
        on list: PictureList, _ work: (PictureList, Archive) async throws(RefreshError) -> Void
    ) async throws(RefreshError) {
        let archive = try await open(list)
        var failure: RefreshError?
        do throws(RefreshError) { try await work(list, archive) } catch { failure = error }
        do throws(StorageError) { try await settle(archive, true) } catch {
            failure = failure ?? RefreshError.archive(.storage(error)).withDisk(settings)
        }
        if let failure { throw failure }
    }

    private func open(_ list: PictureList) async throws(RefreshError) -> Archive {
        do throws(ArchiveError) {
            return try await blocking { [mirror] () throws(ArchiveError) in
                let archive = try Archive(list: list.name, of: mirror.archive) { record, name in
                    Picture(record: record, as: name, of: list)
                }
                try ArchiveError.wrapping { () throws(StorageError) in try archive.tidy() }
                archive.tree.removeStale(now: mirror.moment)
                return archive
            }
        } catch {
            throw RefreshError.archive(error).withDisk(settings)
        }
    }

    private func refresh(_ list: PictureList, in archive: Archive) async throws(RefreshError) {
        let failure = await settling(archive) {
            do throws(RefreshError) {
                try await refresh(of: list, in: archive).run()
                return nil
            } catch {
                return error
            }
        }
        do throws(RefreshError) { _ = try await applyKeep(list, in: archive) } catch { throw failure ?? error }
        if let failure { throw failure }
    }

    private func refresh(of list: PictureList, in archive: Archive) -> ListRefresh {
        ListRefresh(
            list: list, refresh: mirror.refresh(of: list, in: archive, by: settings), isAsked: isAsked, report: report)
    }

    /// Settles again and again what changes during the work. Why it fails then, it fails at the end, too.
    private func settling(_ archive: Archive, _ work: () async -> RefreshError?) async -> RefreshError? {
        let changed = archive.listenForChanges()
        return await withTaskGroup(of: Void.self) { group in
            group.addTask { [settle] in
                while (try? await sleep(for: Self.beat)) != nil {
                    if !changed.take().isEmpty { try? await settle(archive, false) }
                }
            }
            defer { group.cancelAll() }
            return await work()
        }
    }

    private func applyKeep(
        _ list: PictureList, in archive: Archive, isPrune: Bool = false
    ) async throws(RefreshError) -> Int {
        do throws(StorageError) {
            let keep = ListKeep(list: list, archive: archive, mirror: mirror, isAsked: isPrune, report: report)
            return try await keep.apply()
        } catch {
            throw RefreshError.archive(.storage(error)).withDisk(settings)
        }
    }
}

extension OpenMirror {
    /// The lists to ask for now, and when the next one is due.
    package var dueLists: (due: [PictureList], next: Int) {
        let now = moment
        let moments = settings.lists.map { list in (list, settings.due(list, at: now)) }
        return (moments.filter { $0.1 <= now }.map(\.0), moments.map(\.1).min() ?? .max)
    }
}

extension Settings {
    /// When a list is to be asked for: a day after it came, or after a pause as long as it has not come for.
    fileprivate func due(_ list: PictureList, at now: Int) -> Int {
        // Where its settings are others than when it was asked for last, it is asked for at once.
        guard let catalog = try? Archive.catalogToRead(root: root, state: state, list: list.name),
            (try? catalog.condition(.asked))?.string == list.reading
        else { return now }
        // In seconds. A round takes some time, and the next day's is not to come later and later.
        let (shortest, longest) = (3600, 86_400 - 1800)
        if let last = try? catalog.lastFailure(), let since = try? catalog.fact(.silentSince), last.moment <= now {
            let quiet = try? catalog.quiet(at: now)
            return max(last.moment + min(max(last.moment - since, shortest), longest), quiet ?? 0)
        }
        guard let last = try? catalog.fact(.lastRefresh), last <= now else { return now }
        return last + longest
    }
}
