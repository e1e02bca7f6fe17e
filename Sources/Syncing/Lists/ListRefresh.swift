import Apod
import Configuration
import Fetching
import Files
import Store
import Upstream

/// Brings the pictures of another list into the mirror: its cover beside its first page, then page after page, newest
/// first, until one has nothing new.
///
/// An item is to its list what a day is to APOD: `Refresh` fetches and publishes both, `Plan` and `Outcome` decide.
/// `ListPage` reads a page, `ListWalk` says what to do about it, and `KnownItems` names what is new.
struct ListRefresh: Sendable {
    let list: PictureList
    /// For one item.
    let refresh: Refresh
    /// A person asks: nothing is put off.
    let isAsked: Bool
    let report: EventHandler

    private static let longestPage = 32 << 20
    private static let mostUnderway = 50
    /// So many items of a page are read at once: a page may hold a hundred thousand.
    private static let portion = 500
    /// So many deleted pictures come back in one round.
    private static let mostReturning = 5000

    private var catalog: Catalog { refresh.archive.catalog }
    private var now: Int { refresh.now() }

    /// Throws why the list did not come to its end. What came stays.
    func run() async throws {
        let error = await fetching { group, progress in
            try await begin()
            try refresh.checkDisk()
            if let cover = Picture(coverOf: list) {
                // Its file may change under the same address, and is asked for by its validators.
                try await fetch([(cover, .recheck, false, nil)], &group, &progress)
            }
            try await fetch(try await wanted() + newest(), &group, &progress)
            let walk = try await walk(&group, &progress)
            await progress.finish(&group)
            if let walk, progress.error == nil { try await end(walk) }
            try await fetch(try await allowed(), &group, &progress)
        }
        try await blocking { try remember(error) }
        if let error { throw error }
    }

    /// Fetches the deleted pictures that are favorites by now.
    func fetchWanted() async throws {
        let error = await fetching { group, progress in
            try refresh.checkDisk()
            try await fetch(try await wanted(), &group, &progress)
        }
        if let error { throw error }
    }

    /// Returns why the work did not come to its end.
    private func fetching(
        _ work: (inout TaskGroup<DayOutcome>, inout RefreshProgress) async throws -> Void
    ) async -> Problem? {
        var progress = RefreshProgress(newest: nil)
        return await withTaskGroup(of: DayOutcome.self) { group in
            var failure: (any Error)?
            do { try await work(&group, &progress) } catch { failure = error }
            await progress.finish(&group)
            return (failure ?? progress.error).map { Problem($0, in: refresh.settings) }
        }
    }

    /// A list that begins goes by its rule from the first.
    private func begin() async throws {
        try await reading { [settings = refresh.settings, archive = refresh.archive] catalog in
            if try catalog.countWithFiles(of: list.name) == 0 {
                archive.noteRule(settings.rule(of: list.name), of: list.name)
            }
        }
    }

    /// Fetches again what is missing or damaged, by the records that are here. Where one cannot be read, the list is asked.
    func repair() async throws {
        let stored = try await reading { catalog in
            try catalog.stored(in: .list(list.name)).filter { $0.state != .pruned }
        }
        var isLacking = false
        for item in stored {
            if Task.isCancelled { throw Problem(.stopped) }
            guard let here = item.stored, try await !refresh.archive.isWhole(here) else { continue }
            guard let record = try await record(of: here) else {
                isLacking = true
                let why = Problem(.missing)
                try await refresh.record(.failed(item.key, after: item, why: why, isPassing: true, at: now))
                continue
            }
            if case .stopped(let error) = await perform(record, .repair) { throw error }
        }
        if isLacking { try await run() }
    }

    /// Deleted pictures that are favorites by now, by the records that are here.
    private func wanted() async throws -> [News] {
        try await reading { [archive = refresh.archive] _ in
            try archive.deletedFavorites(of: list.name, at: now).compactMap { key in
                try archive.record(of: key).map { ($0, .wanted, false, nil) }
            }
        }
    }

    /// The newest deleted pictures that the rules allow again, by the records that are here: the list may have them no
    /// more, or answer that nothing is new.
    private func allowed() async throws -> [News] {
        try await reading { [refresh] catalog in
            let limit = refresh.settings.maxTotal.map { $0 / 10 * 9 }
            if let limit, try catalog.bytes() > limit { return [] }
            let beyond = try list.keep.map { try catalog.items(of: list.name, beyond: $0, coming: []) } ?? []
            let deleted = try catalog.deletedItems(of: list.name, at: isAsked ? nil : now)
            return try deleted.filter { !beyond.contains($0) }.prefix(Self.mostReturning).compactMap { key in
                try refresh.archive.record(of: key).map { ($0, .new, false, limit) }
            }
        }
    }

    /// The newest items, by the records that are here: other files may come from the same addresses.
    private func newest() async throws -> [News] {
        try await reading { [refresh] catalog in
            let items = try catalog.storedItems(of: list.name).filter { item in
                item.state == .mirrored && !item.key.isCover
            }
            return try items.suffix(refresh.settings.recheckDays + 1).compactMap { item in
                try refresh.archive.record(of: item.key).map { ($0, .recheck, false, nil) }
            }
        }
    }

    private func record(of item: Item.Stored) async throws -> Picture? {
        try await reading { [archive = refresh.archive] _ in try archive.record(of: item.name.key)
        }
    }

    /// Reads page after page, and fetches what is new on each. Returns nil where the list is as it was.
    private func walk(
        _ group: inout TaskGroup<DayOutcome>, _ progress: inout RefreshProgress
    ) async throws -> ListWalk? {
        let (before, due) = try await reading { catalog in
            (
                try catalog.reading(of: list.name),
                try catalog.dueItems(of: list.name, at: isAsked ? nil : now)
                    .subtracting([.cover(of: list.name)])
            )
        }
        let isRestKnown = before?.covers(list.reading, at: now) == true
        let known = due.isEmpty && isRestKnown ? before?.validators : nil
        let answer = try await fetch(list.address, known: known)
        if answer.status == 304 { return nil }
        var page = try read(answer, at: list.address)
        var walk = try await reading { [now, refresh] catalog in
            try catalog.setReading(of: list.name, ListReading(rules: before?.rules ?? list.reading, isWhole: false))
            var files: [String] = []
            let root = refresh.archive.tree.root
            for (_, folder) in try Tree.folders(in: root, of: list.name) { files += try folder.names() }
            let known = KnownItems(list.name, try catalog.entries(of: list.name), files: files)
            let place = try catalog.firstPlace(of: ListWalk.mostItems, in: list.name, at: now)
            return ListWalk(
                over: list, from: before, isRestKnown: isRestKnown, due: due, known, validators: answer.validators,
                at: place)
        }
        while let address = try await takeIn(page, &walk, &group, &progress) {
            page = try read(await fetch(address), at: address)
        }
        try await takeIn(walk.takeHeld(), &walk, &group, &progress)
        if walk.bad > 0 {
            let why = "too large, or without a picture or an id of its own"
            report(.noted("\(list.name): \(walk.bad) left out, \(why)"))
        }
        return walk
    }

    /// Fetches what is new on a page. Returns the address of the next one; nil where the walk ends.
    private func takeIn(
        _ page: ListPage, _ walk: inout ListWalk, _ group: inout TaskGroup<DayOutcome>,
        _ progress: inout RefreshProgress
    ) async throws -> WebAddress? {
        walk.begin(page)
        var hasNews = false
        for start in stride(from: page.records.startIndex, to: page.records.endIndex, by: Self.portion)
        where walk.wantsMore {
            let taken = walk.take(page.records[start...].prefix(Self.portion))
            if try await takeIn(taken, &walk, &group, &progress) { hasNews = true }
        }
        return walk.next(behind: page, hasNews: hasNews)
    }

    /// Returns whether something of it was new.
    @discardableResult
    private func takeIn(
        _ taken: [ListWalk.Taken], _ walk: inout ListWalk, _ group: inout TaskGroup<DayOutcome>,
        _ progress: inout RefreshProgress
    ) async throws -> Bool {
        // Names are remembered before anything is fetched.
        let entries = taken.compactMap(\.entry)
        try await reading { catalog in try catalog.enter(entries) }
        let news = try await news(among: taken.map(\.picture), &walk)
        try await fetch(news, &group, &progress)
        return !news.isEmpty
    }

    /// `limit`: of an item without files, the bytes of the mirror above which there is no room for it.
    private typealias News = (picture: Picture, why: Plan.Why, hasFailed: Bool, limit: Int?)

    private func fetch(
        _ news: [News], _ group: inout TaskGroup<DayOutcome>, _ progress: inout RefreshProgress
    ) async throws {
        let pictures = news.count { $0.why != .recheck }
        if pictures > 0 { report(.planned(pictures, of: list.name)) }
        var left = 0
        for (picture, why, hasFailed, limit) in news {
            while progress.underway >= Self.mostUnderway, let outcome = await group.next() { progress.ended(outcome) }
            if let error = progress.error { throw error }
            try refresh.checkDisk()
            if let limit, try catalog.bytes() > limit {
                left += 1
                continue
            }
            progress.began()
            group.addTask { await perform(picture, why, hasFailed: hasFailed) }
        }
        if left > 0 { report(.noted("\(list.name): no room within max-total for \(Picture.count(left))")) }
    }

    /// Notes that all of the list is here that can be had.
    private func end(_ walk: ListWalk) async throws {
        try await reading { [now] catalog in
            try catalog.leave(walk.due.union(walk.skipped), at: now)
            try catalog.setReading(of: list.name, walk.reading(at: now))
        }
    }

    private func fetch(_ address: WebAddress, known: Validators? = nil) async throws -> Fetcher.Received {
        do { return try await refresh.fetcher.document(address, limit: Self.longestPage, known: known) } catch {
            throw error.problem.ofRecords
        }
    }

    private func read(_ document: Fetcher.Received, at address: WebAddress) throws -> ListPage {
        do throws(BadList) {
            return try ListPage(document.bytes, of: list, at: address, links: document.fields["link"])
        } catch {
            let advice = error.field.map { "; `list.\(list.name).\($0.rawValue) = FIELD` in the settings says where" }
            throw Problem(.records, "\(error)\(advice ?? "")", at: address)
        }
    }

    /// Those that are new, changed or due, and whether they have failed before, but no new or deleted ones that `keep` does
    /// not allow. Older ones than those here come only while a tenth of `max-total` is free: otherwise, they would come and
    /// go.
    private func news(among pictures: [Picture], _ walk: inout ListWalk) async throws -> [News] {
        let maxTotal = refresh.settings.maxTotal
        let news: [News]
        (news, walk) = try await reading { [walk] catalog in
            var (news, walk): ([News], ListWalk) = ([], walk)
            let items = try pictures.map { try catalog.item(of: $0.key) }
            let new = Set(zip(pictures, items).filter { $1?.stored == nil }.map(\.0.key))
            walk.coming.formUnion(new)
            let beyond = try list.keep.map { try catalog.items(of: list.name, beyond: $0, coming: walk.coming) } ?? []
            walk.skipped.formUnion(new.intersection(beyond))
            for (picture, item) in zip(pictures, items) {
                let isPruned = item?.state == .pruned
                let isChanged = item?.stored.map { $0.content != picture.content } ?? false
                let isDue = isAsked && item?.state != .mirrored || Item.isDue(item, at: now)
                let isLacking = item?.stored?.files.isEmpty ?? true
                let limit = isLacking ? maxTotal.map { walk.hasMetKnown ? $0 / 10 * 9 : $0 } : nil
                walk.hasMetKnown = walk.hasMetKnown || item?.stored != nil
                if isLacking, beyond.contains(picture.key) { continue }
                if isPruned ? isDue : isChanged || isDue {
                    let hasFailed = item.map { $0.state == .failed && !$0.lacksFiles } ?? false
                    news.append((picture, .new, hasFailed, limit))
                }
            }
            return (news, walk)
        }
        return news
    }

    /// `hasFailed`: before this round, so that another failure tells nothing of the others.
    private func perform(_ picture: Picture, _ why: Plan.Why, hasFailed: Bool = false) async -> DayOutcome {
        var refresh = refresh
        refresh.report = report
        do {
            let event = try await refresh.update(picture, why)
            switch event {
            case .mirrored:
                report(event)
                return .done
            case .failed(_, let why, let isPassing):
                report(event)
                return isPassing && !hasFailed ? .unreachable(why: why) : .idle
            default: return .idle
            }
        } catch {
            return .stopped(error.problem)
        }
    }

    /// Stores when the list last came, or why and since when it does not. After an interruption, and on a full disk, it
    /// stays due. What cannot be stored is thrown: the list would be asked for again at once.
    private func remember(_ error: Problem?) throws {
        if error?.code == .stopped || error?.isFull == true { return }
        let name = list.name
        try catalog.setCondition(.asked, of: name, refresh.settings.question(for: list))
        if error == nil { try catalog.setFact(.lastRefresh, of: name, now) }
        if let pause = error?.requestedPause { try catalog.setFact(.quietUntil, of: name, now + pause) }
        try catalog.noteFailure(error, of: name, at: now)
    }

    private func reading<Value: Sendable>(
        _ work: @escaping @Sendable (Catalog) throws -> Value
    ) async throws -> Value {
        try await blocking { [catalog] in try work(catalog) }
    }
}

extension Catalog {
    /// Notes why a list does not come, and since when; nil: it does.
    func noteFailure(_ failure: Problem?, of list: ListName, at now: Int) throws {
        try setLastFailure(of: list, failure.map { LastFailure($0, at: now) })
        let since = try fact(.silentSince, of: list) ?? 0
        if (failure == nil) != (since == 0) { try setFact(.silentSince, of: list, failure == nil ? 0 : now) }
    }
}
