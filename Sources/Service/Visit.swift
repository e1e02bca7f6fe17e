internal import Apod
internal import Archive
internal import Fetching
internal import Files
internal import Upstream

/// One day's way from its record to the tree.
struct Visit: Sendable {
    let refresh: Refresh
    let picture: Picture
    let standing: Standing?
    let wish: Refresh.Wish
    /// With the other days of the same answer.
    let comparison: Comparison

    /// What of the day stays, whatever the record says.
    let staying: [StoredFile]
    /// What the day is to show.
    let media: Media

    /// `lost`: what of the day is neither whole nor to be had any more.
    init(
        refresh: Refresh, picture: Picture, standing: Standing?, wish: Refresh.Wish, comparison: Comparison,
        lost: [StoredFile] = []
    ) {
        self.refresh = refresh
        self.comparison = comparison
        self.picture = picture
        self.standing = standing
        self.wish = wish
        staying = picture.staying(of: (standing?.entry?.files ?? []).filter { !lost.contains($0) })
        media = picture.media(keeping: staying)
    }

    var archive: Archive { refresh.archive }
    var day: Day { picture.day }

    /// Fetch all files again that are not whole.
    var again: Bool {
        if case .again = wish { true } else { false }
    }

    func run() async throws(RefreshError) -> Refresh.Event {
        let good = try await goodFiles(standing?.entry)
        if isSettled(standing, good) { return .unchanged(day) }
        if isOfAnotherDay { return .notYet(day) }
        if let why = picture.isWorse(than: standing, showing: media) {
            return try await refresh.keep(day, why, standing)
        }
        if let why = try await borrowedWords(good) { return try await refresh.keep(day, why, standing) }
        try await checkMonth()
        let results = await fetch(Part.parts(of: media, refresh.settings, having: good), beside: standing, good)
        for result in results {
            if case .failure(let failure) = result.outcome { try RefreshError.check(failure) }
        }
        return try await settle(results, standing, good)
    }

    /// What cannot be put into its place is not fetched.
    private func checkMonth() async throws(RefreshError) {
        do throws(ArchiveError) {
            try await archive.checkMonth(of: day)
        } catch {
            if error.isOfMonth { try await remember(error.description, isPassing: true, standing) }
            throw .archive(error)
        }
    }

    /// The first record of a new day that tells of another one: the day would have that one's name for ever.
    private var isOfAnotherDay: Bool {
        standing?.entry == nil && !picture.namesItsDay && day >= Day(utc: refresh.now()).advanced(by: -1)
    }

    /// What of the day is in the tree and worth keeping. With doubts about it, its bytes are looked at.
    private func goodFiles(_ entry: Entry?) async throws(RefreshError) -> [StoredFile] {
        guard let entry else { return [] }
        do throws(ArchiveError) {
            return try await archive.goodFiles(of: entry, byContent: again)
        } catch {
            throw .archive(error)
        }
    }

    /// Nothing new, and no reason to look again at what was not good enough.
    private func isSettled(_ standing: Standing?, _ good: [StoredFile]) -> Bool {
        guard !again, let standing, let entry = standing.entry, entry.content == picture.content,
            good.count == entry.files.count
        else { return false }
        if standing.state == .mirrored { return true }
        return wish.isPatient && Postponement.holds(standing.retryAfter, at: refresh.now())
    }

    /// The files side by side; each fails on its own.
    private func fetch(_ parts: [Part], beside standing: Standing?, _ good: [StoredFile]) async -> [PartResult] {
        let keepable = standing?.entry?.content == picture.content ? good : good.filter(staying.contains)
        return await withTaskGroup { group in
            for (index, part) in parts.enumerated() {
                group.addTask {
                    var result = await fetch(part, keeping: keepable, insteadOfWorse: good)
                    result.substitute(from: good)
                    return (index, result)
                }
            }
            var results: [(Int, PartResult)] = []
            for await result in group { results.append(result) }
            return results.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    private func fetch(
        _ part: Part, keeping files: [StoredFile], insteadOfWorse good: [StoredFile]
    ) async -> PartResult {
        if part.kind == .page { return await page(part) }
        var failure: FetchFailure?
        for address in part.addresses {
            let isWorse = part.isWorse(address) || standing?.state == .downgraded && !staying.isEmpty
            if let file = files.first(where: { $0.role == part.role && $0.address == address }) {
                return PartResult(part: part, outcome: .success(.init(file: file, staged: nil, isWorse: isWorse)))
            }
            do throws(FetchFailure) {
                let wanted = Download(
                    day: day, address: address, kind: part.kind, limit: refresh.settings.maxFile,
                    comment: picture.title)
                let fetched = try await refresh.fetcher.file(wanted, in: archive.tree.unfinished)
                return PartResult(part: part, outcome: .success(had(fetched, part.role, isWorse)))
            } catch {
                // The first failure says more of what is wrong than those of the substitutes.
                failure = failure ?? error
                let isHere = good.contains { $0.role == part.role && $0.address == address }
                if isHere || !error.reason.isAbsence { return PartResult(part: part, outcome: .failure(error)) }
            }
        }
        return PartResult(part: part, outcome: .failure(failure!))
    }

    private func had(_ fetched: Fetched, _ role: StoredFile.Role, _ isWorse: Bool) -> PartResult.Had {
        let facts = fetched.facts
        let file = StoredFile(
            role: role, type: facts.type, address: fetched.address, bytes: facts.bytes, sha256: facts.sha256,
            width: facts.width, height: facts.height)
        return .init(file: file, staged: fetched.staged, isWorse: isWorse)
    }

    private func page(_ part: Part) async -> PartResult {
        let address = part.addresses[0]
        let document = PlayerPage(title: picture.title, address: address).document
        let unfinished = archive.tree.unfinished
        let (day, noon) = (day, day.noon)
        do throws(DiskError) {
            let staged = try await blocking { () throws(DiskError) in
                try Staged(document, in: unfinished, as: "\(day).html", modified: noon)
            }
            let file = StoredFile(
                role: .page, type: .html, address: address, bytes: document.count, sha256: Digest(of: document))
            return PartResult(part: part, outcome: .success(.init(file: file, staged: staged, isWorse: false)))
        } catch {
            return PartResult(part: part, outcome: .failure(FetchFailure(address, .disk(error))))
        }
    }
}

extension Picture {
    /// Why this says less than what is there already; nil if it does not.
    fileprivate func isWorse(than standing: Standing?, showing media: Media) -> String? {
        guard let standing, let entry = standing.entry else { return nil }
        if !namesItsDay { return "the upstream's record is one of another day" }
        let hasVideo = entry.files.contains { $0.role == .video || $0.role == .page }
        if hasVideo, !hasPage { return "the upstream's record comes without the page that tells of the video" }
        if !entry.files.isEmpty || standing.state == .pruned, media == .none {
            return "the upstream has no picture for it any more"
        }
        if !entry.title.isEmpty, title.isEmpty { return "the upstream has no title for it any more" }
        if entry.hasText, explanation.isEmpty { return "the upstream has no text for it any more" }
        return nil
    }
}
