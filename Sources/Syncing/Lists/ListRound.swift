internal import Apod
internal import Archive
internal import Catalog
internal import Concurrency
internal import Configuration
internal import Fetching
internal import Files

/// One round over other lists, one after the other: each archive is open for as long as its list is worked on.
struct ListRound: Sendable {
    let mirror: OpenMirror
    /// Those in force, or with what a command says for its round.
    let settings: Settings
    var isAsked = true
    let settle: ListSettling
    let report: @Sendable (RefreshEvent) -> Void

    /// Pictures that come are seen after so long.
    private static let beat = Duration.seconds(60)

    /// A list that fails is reported, and the next one has its turn. Throws what would stop them all, and at the end what
    /// is wrong with the folder of one.
    func run(_ lists: [PictureList]) async throws(RefreshError) {
        var ofFolder: RefreshError?
        for list in lists {
            if Task.isCancelled { throw .cancelled }
            do throws(RefreshError) {
                try await run(list)
            } catch {
                switch error {
                case .upstreamSilent, .filesSilent: report(.listFailed(list.name, why: error.failure))
                case .archive(let why) where !why.endsService && !why.isFull: ofFolder = ofFolder ?? error
                case .archive, .noRoom, .cancelled: throw error
                }
            }
        }
        if let ofFolder { throw ofFolder }
    }

    private func run(_ list: PictureList) async throws(RefreshError) {
        try await working(on: list) { archive async throws(RefreshError) in
            let failure = await settling(archive) {
                let refresh = mirror.refresh(of: list, in: archive, by: settings)
                do throws(RefreshError) {
                    try await ListRefresh(list: list, refresh: refresh, isAsked: isAsked, report: report).run()
                    return nil
                } catch {
                    return error
                }
            }
            do throws(RefreshError) { _ = try await applyKeep(list, in: archive) } catch { throw failure ?? error }
            if let failure { throw failure }
        }
    }

    /// Opens a list's archive for some work, and settles what this has changed, whether it failed or not.
    private func working(
        on list: PictureList, _ work: (Archive) async throws(RefreshError) -> Void
    ) async throws(RefreshError) {
        let archive = try await open(list)
        var failure: RefreshError?
        do throws(RefreshError) { try await work(archive) } catch { failure = error }
        do throws(StorageError) { try await settle(archive, true) } catch {
            failure = failure ?? RefreshError.archive(.storage(error)).withDisk(settings)
        }
        if let failure { throw failure }
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

    /// By the records that were kept: the list is not asked.
    func repair(_ list: PictureList) async throws(RefreshError) {
        try await working(on: list) { archive async throws(RefreshError) in
            let refresh = mirror.refresh(of: list, in: archive, by: settings)
            try await ListRefresh(list: list, refresh: refresh, isAsked: true, report: report).repair()
        }
    }

    /// Settles what was left, or what other settings ask for.
    func settle(_ list: PictureList) async throws(RefreshError) { try await working(on: list) { _ in } }

    /// Returns how many pictures were deleted.
    func applyKeep(_ lists: [PictureList]) async throws(RefreshError) -> Int {
        var count = 0
        for list in lists where list.keep != nil {
            try await working(on: list) { archive async throws(RefreshError) in
                count += try await applyKeep(list, in: archive, isPrune: true)
            }
        }
        return count
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

    /// When a list is to be asked for: a day after it came, or after a pause as long as it has not come for.
    static func due(_ list: PictureList, in settings: Settings, at now: Int) -> Int {
        let (root, state) = (settings.root, settings.state)
        // Where its settings are others than when it was asked for last, it is asked for at once.
        guard let catalog = try? Archive.catalogToRead(root: root, state: state, list: list.name),
            (try? catalog.condition(.asked))?.string == list.reading
        else { return now }
        if let last = try? catalog.lastFailure(), let since = try? catalog.fact(.silentSince), last.moment <= now {
            let quiet = try? catalog.quiet(at: now)
            return max(last.moment + min(max(last.moment - since, shortest), longest), quiet ?? 0)
        }
        guard let last = try? catalog.fact(.lastRefresh), last <= now else { return now }
        return last + longest
    }

    /// In seconds. A round takes some time, and the next day's is not to come later and later.
    private static let (shortest, longest) = (3600, 86_400 - 1800)
}
