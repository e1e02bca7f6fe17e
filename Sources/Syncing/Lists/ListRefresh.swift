internal import Apod
internal import Archive
internal import Catalog
internal import Concurrency
internal import Configuration
internal import Fetching
internal import Files
internal import Upstream

/// Brings the pictures of another list into its archive: its cover beside its first page, then page after page, newest
/// first, until one has nothing new.
///
/// An item is to its list what a day is to APOD: `Refresh` fetches and publishes both, `DayPlan` and `DayUpdate` decide.
/// `ListPage` reads a page, `KnownItems` names what is new on it, and `ListKeep` picks what `keep` deletes.
struct ListRefresh: Sendable {
    let list: PictureList
    /// For one item, in the list's archive.
    let refresh: Refresh
    /// A person asks: nothing is put off.
    let isAsked: Bool
    let report: @Sendable (RefreshEvent) -> Void

    /// An endless list ends here.
    private static let mostItems = 100_000
    private static let longestPage = 32 << 20
    private static let mostUnderway = 50

    private var catalog: Catalog { refresh.archive.catalog }
    private var now: Int { refresh.now() }

    /// Throws why the list did not come to its end. What came stays.
    func run() async throws(RefreshError) {
        var progress = RefreshProgress(newest: nil)
        let error = await withTaskGroup(of: DayOutcome.self) { group in
            fetchCover(&group, &progress)
            let failure = await walk(&group, &progress)
            while progress.underway > 0 {
                if progress.error != nil { group.cancelAll() }
                if let outcome = await group.next() { progress.ended(outcome) }
            }
            return failure ?? progress.error
        }
        await blocking { remember(error) }
        if let error { throw error.withDisk(refresh.settings) }
    }

    /// Fetches again what is missing or damaged, by the records that are here. Where one cannot be read, the list is asked.
    func repair() async throws(RefreshError) {
        let stored = try await reading { catalog throws(StorageError) in
            try catalog.storedDays().filter { $0.state != .pruned }
        }
        var isLacking = false
        for status in stored {
            guard let item = status.stored else { continue }
            guard let record = try await record(of: item) else {
                isLacking = true
                let why = Failure(.missing)
                try await refresh.record(.failed(status.day, after: status, why: why, isPassing: true, at: now))
                continue
            }
            if try await isWhole(item, record) { continue }
            if case .stopped(let error) = await perform(record, .repair) { throw error.withDisk(refresh.settings) }
        }
        if isLacking { try await run() }
    }

    private func record(of item: StoredDay) async throws(RefreshError) -> Picture? {
        try await reading { [archive = refresh.archive] _ throws(StorageError) in try archive.record(of: item.name.day)
        }
    }

    private func isWhole(_ item: StoredDay, _ record: Picture) async throws(RefreshError) -> Bool {
        do throws(ArchiveError) {
            let intact = try await refresh.archive.intactFiles(of: item, byContent: true)
            let isWhole = try await refresh.archive.document(of: item, knowing: record).isWhole
            return isWhole && intact.count == item.files.count
        } catch {
            throw .archive(error)
        }
    }

    /// Returns why the walk ended early.
    private func walk(
        _ group: inout TaskGroup<DayOutcome>, _ progress: inout RefreshProgress
    ) async -> RefreshError? {
        do throws(RefreshError) {
            var due = try await reading { catalog throws(StorageError) in
                try catalog.dueItems(at: isAsked ? nil : now).subtracting([FileName.cover.day])
            }
            let isWhole = due.isEmpty
            let known = try await reading { catalog throws(StorageError) in
                isWhole ? try catalog.listValidators(reading: list.reading) : nil
            }
            let answer = try await fetch(list.address, known: known)
            if answer.status == 304 { return nil }
            var items = try await reading { catalog throws(StorageError) in KnownItems(try catalog.items()) }
            guard var page = try read(answer, at: list.address) else { return nil }
            var seen: Set<WebAddress> = [list.address]
            var place = Catalog.place(at: now)
            var left = min(list.keep ?? .max, Self.mostItems)
            while true {
                if page.bad > 0 {
                    report(.noted("\(list.name): \(page.bad) left out, without a picture or an id of their own"))
                }
                let wanted = page.items.prefix(left)
                left -= wanted.count
                let pictures = try await named(wanted, &items, from: place)
                place -= wanted.count
                due.subtract(pictures.map(\.day))
                let news = try await news(among: pictures)
                if !news.isEmpty { report(.itemsPlanned(list.name, pictures: news.count)) }
                for picture in news {
                    while progress.underway >= Self.mostUnderway, let outcome = await group.next() {
                        progress.ended(outcome)
                    }
                    if let error = progress.error { return error }
                    try refresh.checkDisk()
                    progress.began()
                    group.addTask { await perform(picture) }
                }
                let isDone = left == 0 || news.isEmpty && due.isEmpty
                guard !isDone, let next = page.next, seen.insert(next).inserted else { break }
                guard let following = try read(await fetch(next), at: next, isFirst: false) else { break }
                page = following
            }
            while progress.underway > 0, let outcome = await group.next() { progress.ended(outcome) }
            let gone = page.next == nil && left > 0 ? due : []
            if progress.error == nil {
                try await reading { [now, gone] catalog throws(StorageError) in try catalog.leave(gone, at: now) }
                try await recordEnd(answer.validators)
            }
            return nil
        } catch {
            return error
        }
    }

    private func fetch(
        _ address: WebAddress, known: Validators? = nil
    ) async throws(RefreshError) -> Fetcher.Document {
        do throws(FetchFailure) {
            return try await refresh.fetcher.document(address, limit: Self.longestPage, known: known)
        } catch {
            throw RefreshError(error) ?? .upstreamSilent(.fetch(error))
        }
    }

    /// nil for a page without items behind the first: the list ends there.
    private func read(
        _ document: Fetcher.Document, at address: WebAddress, isFirst: Bool = true
    ) throws(RefreshError) -> ListPage? {
        do throws(BadList) {
            return try ListPage(document.bytes, of: list, at: address)
        } catch {
            if case .noItems = error, !isFirst { return nil }
            throw .upstreamSilent(.garbage(address, "\(error)"))
        }
    }

    /// The items as they are called here. New ones get their names, which are remembered before anything is fetched.
    private func named(
        _ items: some Collection<ListItem>, _ known: inout KnownItems, from place: Int
    ) async throws(RefreshError) -> [Picture] {
        let named = items.map { item in (item, known[item.id] ?? known.add(item)) }
        let new = known.takeNew()
        try await reading { catalog throws(StorageError) in try catalog.enter(new, from: place) }
        return named.map { Picture($0, of: list.name, as: $1) }
    }

    /// Those that are new, changed or due.
    private func news(among pictures: [Picture]) async throws(RefreshError) -> [Picture] {
        try await reading { catalog throws(StorageError) in
            var news: [Picture] = []
            for picture in pictures {
                let status = try catalog.status(of: picture.day)
                let isChanged = status?.stored.map { $0.content != picture.content } ?? false
                let isDue = isAsked && status?.state != .mirrored || RetryPolicy.isDue(status, at: now)
                // What `keep` has deleted stays so.
                if isChanged || isDue, status?.state != .pruned { news.append(picture) }
            }
            return news
        }
    }

    private func fetchCover(_ group: inout TaskGroup<DayOutcome>, _ progress: inout RefreshProgress) {
        guard let picture = Picture(coverOf: list) else { return }
        progress.began()
        group.addTask {
            // Its file may change under the same address, and is asked for by its validators.
            await perform(picture, .recheck)
        }
    }

    private func perform(_ picture: Picture, _ why: DayPlan.Why = .due) async -> DayOutcome {
        var refresh = refresh
        refresh.report = { event in
            if case .replaced(_, let isMuchSmaller) = event {
                report(.itemReplaced(list.name, title: picture.title, isMuchSmaller: isMuchSmaller))
            }
        }
        do throws(RefreshError) {
            switch try await refresh.update(picture, why) {
            case .mirrored(_, let title, _, let bytes):
                report(.item(list.name, title: title, bytes: bytes))
                return .done
            case .failed(_, let why, let isPassing):
                report(.itemFailed(list.name, title: picture.title, why: why))
                return isPassing ? .unreachable(why: why) : .idle
            default: return .idle
            }
        } catch {
            return .stopped(error)
        }
    }

    /// The list's validators count when all of its pictures are here: without them, it is asked for as a whole.
    private func recordEnd(_ validators: Validators?) async throws(RefreshError) {
        try await reading { catalog throws(StorageError) in
            let due = try catalog.dueItems(at: nil).subtracting([FileName.cover.day])
            try catalog.setListValidators(due.isEmpty ? validators : nil, reading: list.reading)
        }
    }

    /// Stores, for `status`, when the list last came, or why and since when it does not. A full disk must not stop it.
    private func remember(_ error: RefreshError?) {
        if case .cancelled? = error { return }
        try? catalog.setLastFailure(error.map { LastFailure($0.failure, at: now) })
        if error == nil { try? catalog.setFact(.lastRefresh, now) }
        if case .upstreamSilent(let why)? = error, let pause = why.requestedPause {
            try? catalog.setFact(.quietUntil, now + pause)
        }
        let since = (try? catalog.fact(.silentSince)) ?? 0
        if (error == nil) != (since == 0) { try? catalog.setFact(.silentSince, error == nil ? 0 : now) }
    }

    private func reading<Value: Sendable>(
        _ work: @escaping @Sendable (Catalog) throws(StorageError) -> Value
    ) async throws(RefreshError) -> Value {
        try await blocking { () throws(RefreshError) in try refresh.reading(work) }
    }
}

/// The items of a list by their ids, and the names that are taken.
struct KnownItems: Sendable {
    private var names: [String: FileName]
    private var taken: Set<String>
    private var numbers: Set<Day>
    private var new: [(id: String, name: FileName)] = []

    init(_ names: [String: FileName]) {
        self.names = names
        taken = Set(names.values.map(Self.key) + [Self.key(.cover)])
        numbers = Set(names.values.map(\.day))
    }

    /// Names that differ in case alone are one for some systems.
    private static func key(_ name: FileName) -> String { name.stem.lowercased() }

    subscript(id: String) -> FileName? { names[id] }

    /// Those that were added since it was last called.
    mutating func takeNew() -> [(id: String, name: FileName)] {
        defer { new = [] }
        return new
    }

    /// Chooses a name for a new item.
    mutating func add(_ item: ListItem) -> FileName {
        let name = FileName(itemWithTitle: item.title, date: item.date) { [taken, numbers] name in
            taken.contains(Self.key(name)) || numbers.contains(name.day)
        }
        names[item.id] = name
        taken.insert(Self.key(name))
        numbers.insert(name.day)
        new.append((item.id, name))
        return name
    }
}

extension Picture {
    init(_ item: ListItem, of list: ListName, as name: FileName) {
        self.init(
            day: name.day, title: item.title, explanation: item.explanation, credit: item.credit, alt: item.alt,
            permalink: item.permalink, media: .image(item.picture),
            item: Item(
                list: list, id: item.id, name: name, date: item.date, licence: item.licence,
                isCopyrighted: item.isCopyrighted),
            record: item.record)
    }

    /// The list's own picture, which the settings name; nil without one.
    init?(coverOf list: PictureList) {
        guard let cover = list.cover, let source = Source([cover]) else { return nil }
        self.init(
            day: FileName.cover.day, title: "cover", explanation: "", media: .image(source),
            item: Item(list: list.name, id: "", name: .cover), record: JSONText("\(cover)"))
    }

    /// Reads back the record that a list's archive has kept under a name.
    init?(record: JSONText, as name: FileName, of list: PictureList) {
        if name == .cover {
            var list = list
            list.cover = record.string.flatMap { WebAddress($0) }
            self.init(coverOf: list)
        } else {
            guard let item = ListItem(record, of: list) else { return nil }
            self.init(item, of: list.name, as: name)
        }
    }
}
