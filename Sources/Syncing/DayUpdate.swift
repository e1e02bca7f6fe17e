internal import Apod
internal import Archive
internal import Catalog
internal import Concurrency
internal import Configuration
internal import Fetching
internal import Files
internal import Upstream

/// One day's way from its record to the tree.
struct DayUpdate: Sendable {
    let refresh: Refresh
    let picture: Picture
    let status: DayStatus?
    let request: Refresh.Request
    /// With the other days of the same answer.
    let comparison: DuplicateCheck

    /// What of the day stays, whatever the record says.
    let staying: [StoredFile]
    /// What the day is to show.
    let media: Media

    /// `lost`: what of the day is neither whole nor to be had any more.
    init(
        refresh: Refresh, picture: Picture, status: DayStatus?, request: Refresh.Request, comparison: DuplicateCheck,
        lost: [StoredFile] = []
    ) {
        self.refresh = refresh
        self.comparison = comparison
        self.picture = picture
        self.status = status
        self.request = request
        staying = picture.staying(of: (status?.stored?.files ?? []).filter { !lost.contains($0) })
        media = picture.media(keeping: staying)
    }

    var archive: Archive { refresh.archive }
    var day: Day { picture.day }

    /// Fetch all files again that are not whole.
    var again: Bool {
        if case .again = request { true } else { false }
    }

    func run() async throws(RefreshError) -> Refresh.Event {
        let good = try await goodFiles(status?.stored)
        if isSettled(status, good) { return .unchanged(day) }
        if isOfAnotherDay { return .notYet(day) }
        if let why = picture.isWorse(than: status, showing: media) {
            return try await refresh.keep(day, why, status)
        }
        if let why = try await borrowedWords(good) { return try await refresh.keep(day, why, status) }
        try await checkMonth()
        let results = await fetch(
            WantedFile.wantedFiles(of: media, refresh.settings, having: good), beside: status, good)
        for result in results {
            if case .failure(let failure) = result.outcome { try RefreshError.check(failure) }
        }
        return try await settle(results, status, good)
    }

    private func borrowedWords(_ good: [StoredFile]) async throws(RefreshError) -> String? {
        guard let stored = status?.stored else { return nil }
        return try await comparison.borrowedWords(picture, stored, good) { () async throws(RefreshError) in
            do throws(CatalogError) {
                return try await blocking { [archive, day] () throws(CatalogError) in
                    try archive.catalog.explanation(of: day)
                }
            } catch {
                throw .archive(.catalog(error))
            }
        }
    }

    /// What cannot be put into its place is not fetched.
    private func checkMonth() async throws(RefreshError) {
        do throws(ArchiveError) {
            try await archive.checkMonth(of: day)
        } catch {
            if error.isOfMonth { try await remember(error.description, isPassing: true, status) }
            throw .archive(error)
        }
    }

    /// The first record of a new day that tells of another one: the day would have that one's name for ever.
    private var isOfAnotherDay: Bool {
        status?.stored == nil && !picture.namesItsDay && day >= Day(utc: refresh.now()).advanced(by: -1)
    }

    /// What of the day is in the tree and worth keeping. With doubts about it, its bytes are looked at.
    private func goodFiles(_ stored: StoredDay?) async throws(RefreshError) -> [StoredFile] {
        guard let stored else { return [] }
        do throws(ArchiveError) {
            return try await archive.goodFiles(of: stored, byContent: again)
        } catch {
            throw .archive(error)
        }
    }

    /// Nothing new, and no reason to look again at what was not good enough.
    private func isSettled(_ status: DayStatus?, _ good: [StoredFile]) -> Bool {
        guard !again, let status, let stored = status.stored, stored.content == picture.content,
            good.count == stored.files.count
        else { return false }
        if status.state == .mirrored { return true }
        return request.keepsToPauses && Postponement.holds(status.retryAfter, at: refresh.now())
    }

    /// The files side by side; each fails on its own.
    private func fetch(_ wantedFiles: [WantedFile], beside status: DayStatus?, _ good: [StoredFile]) async
        -> [FileResult]
    {
        let keepable = status?.stored?.content == picture.content ? good : good.filter(staying.contains)
        return await withTaskGroup { group in
            for (index, wanted) in wantedFiles.enumerated() {
                group.addTask {
                    var result = await fetch(wanted, keeping: keepable, insteadOfWorse: good)
                    result.substitute(from: good)
                    return (index, result)
                }
            }
            var results: [(Int, FileResult)] = []
            for await result in group { results.append(result) }
            return results.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    private func fetch(
        _ wanted: WantedFile, keeping files: [StoredFile], insteadOfWorse good: [StoredFile]
    ) async -> FileResult {
        if wanted.kind == .page { return await page(wanted) }
        var failure: FetchFailure?
        for address in wanted.addresses {
            let isWorse = wanted.isWorse(address) || status?.state == .downgraded && !staying.isEmpty
            if let file = files.first(where: { $0.role == wanted.role && $0.address == address }) {
                return FileResult(wanted: wanted, outcome: .success(.init(file: file, staged: nil, isWorse: isWorse)))
            }
            do throws(FetchFailure) {
                let download = Download(
                    day: day, address: address, kind: wanted.kind, limit: refresh.settings.maxFile,
                    comment: picture.title)
                let fetched = try await refresh.fetcher.file(download, in: archive.tree.unfinished)
                return FileResult(wanted: wanted, outcome: .success(had(fetched, wanted.role, isWorse)))
            } catch {
                // The first failure says more of what is wrong than those of the substitutes.
                failure = failure ?? error
                let isHere = good.contains { $0.role == wanted.role && $0.address == address }
                if isHere || !error.reason.isAbsence { return FileResult(wanted: wanted, outcome: .failure(error)) }
            }
        }
        return FileResult(wanted: wanted, outcome: .failure(failure!))
    }

    private func had(_ fetched: Fetched, _ role: StoredFile.Role, _ isWorse: Bool) -> FileResult.Had {
        let facts = fetched.facts
        let file = StoredFile(
            role: role, type: facts.type, address: fetched.address, bytes: facts.bytes, sha256: facts.sha256,
            width: facts.width, height: facts.height)
        return .init(file: file, staged: fetched.staged, isWorse: isWorse)
    }

    private func page(_ wanted: WantedFile) async -> FileResult {
        let address = wanted.addresses[0]
        let document = PlayerPage(title: picture.title, address: address).document
        let unfinished = archive.tree.unfinished
        let (day, noon) = (day, day.noon)
        do throws(DiskError) {
            let staged = try await blocking { () throws(DiskError) in
                try Staged(document, in: unfinished, as: "\(day).html", modified: noon)
            }
            let file = StoredFile(
                role: .page, type: .html, address: address, bytes: document.count, sha256: Digest(of: document))
            return FileResult(wanted: wanted, outcome: .success(.init(file: file, staged: staged, isWorse: false)))
        } catch {
            return FileResult(wanted: wanted, outcome: .failure(FetchFailure(address, .disk(error))))
        }
    }
}

extension Picture {
    /// Why this says less than what is there already; nil if it does not.
    fileprivate func isWorse(than status: DayStatus?, showing media: Media) -> String? {
        guard let status, let stored = status.stored else { return nil }
        if !namesItsDay { return "the upstream's record is one of another day" }
        let hasVideo = stored.files.contains { $0.role == .video || $0.role == .page }
        if hasVideo, !hasPage { return "the upstream's record comes without the page that tells of the video" }
        if !stored.files.isEmpty || status.state == .pruned, media == .none {
            return "the upstream has no picture for it any more"
        }
        if !stored.title.isEmpty, title.isEmpty { return "the upstream has no title for it any more" }
        if stored.hasText, explanation.isEmpty { return "the upstream has no text for it any more" }
        return nil
    }
}
