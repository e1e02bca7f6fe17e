internal import Apod
internal import Archive
internal import Catalog
internal import Concurrency
internal import Configuration
internal import Fetching
internal import Files
internal import Thumbnails

/// Carries out what is decided of a day: learns what is known of it, fetches its files, puts them into their place.
extension Refresh {
    /// What is known of the day is read when nobody else works on it.
    func update(
        _ picture: Picture, _ request: RefreshRequest, _ duplicates: DuplicateCheck
    ) async throws(RefreshError) -> RefreshEvent {
        // Whoever works on it may wait for a day that waits for this one.
        if !archive.dayLocks.lockIfFree(picture.day) {
            duplicates.leave(picture.day)
            do throws(CancellationError) { try await archive.dayLocks.lock(picture.day) } catch { throw .cancelled }
        }
        defer { archive.dayLocks.unlock(picture.day) }
        return try await carryOut(try await dayUpdate(for: picture, request, duplicates), duplicates)
    }

    private func dayUpdate(
        for picture: Picture, _ request: RefreshRequest, _ duplicates: DuplicateCheck
    ) async throws(RefreshError) -> DayUpdate {
        var update = DayUpdate(
            picture: picture, known: try await status(of: picture.day), keepsToPauses: request.keepsToPauses,
            isAgain: request.isAgain, settings: settings)
        guard let stored = update.known?.stored else { return update }
        do throws(ArchiveError) {
            update.good = try await archive.goodFiles(of: stored, byContent: request.isAgain)
        } catch {
            throw .archive(error)
        }
        // For almost all days, nothing more needs to be known. Of others, the time decides.
        if update.known?.state == .mirrored, case .unchanged = update.plan(at: now()) { return update }
        (update.damaged, update.isRefused) = try await blocking { () throws(RefreshError) in
            try reading { catalog throws(StorageError) in
                let isRefused = try catalog.isRefused(picture.content, of: picture.day, at: now())
                return (try catalog.damagedPictures(of: picture.day), isRefused)
            }
        }
        guard stored.content != picture.content, let other = duplicates.other(telling: picture) else { return update }
        let explanation = try await blocking { () throws(RefreshError) in
            try reading { catalog throws(StorageError) in try catalog.explanation(of: picture.day) }
        }
        update.twin = (other, explanation)
        return update
    }

    private func carryOut(_ update: DayUpdate, _ duplicates: DuplicateCheck) async throws(RefreshError) -> RefreshEvent
    {
        let day = update.picture.day
        switch update.plan(at: now()) {
        case .unchanged: return .unchanged(day)
        case .notYet: return .notYet(day)
        case .keep(let why, let status): return try await end(.kept(day, why: why), status)
        case .fetch(let files):
            // What cannot be put into its place is not fetched.
            do throws(ArchiveError) {
                try await archive.checkMonth(of: day, toChange: update.hadFiles)
            } catch {
                guard error.isOfMonth else { throw .archive(error) }
                return try await conclude(update.conclusion(from: error, at: now()), update, [], duplicates)
            }
            let fetched = await fetch(files, of: update.picture, update.whole)
            return try await conclude(
                update.conclusion(from: fetched.map(\.result), at: now()), update, fetched, duplicates)
        }
    }

    private func conclude(
        _ conclusion: DayUpdate.Conclusion, _ update: DayUpdate, _ fetched: [FetchedFile], _ duplicates: DuplicateCheck
    ) async throws(RefreshError) -> RefreshEvent {
        let day = update.picture.day
        switch conclusion {
        case .compare(let new, let here):
            let contents = new.map(\.sha256)
            var known = DayUpdate.Comparison(findings: await findings(of: new, here, fetched, update.known?.stored))
            let judged = update.comparing(known)
            // What is worse is brought by nobody: the day keeps what it has.
            let conclusion = judged.conclusion(from: fetched.map(\.result), at: now())
            if case .keep = conclusion { return try await conclude(conclusion, judged, fetched, duplicates) }
            duplicates.bring(contents, day)
            let having = try await days(having: new, beside: judged)
            known.others = try await duplicates.others(bringing: contents, having: having, than: day)
            let update = update.comparing(known)
            return try await conclude(
                update.conclusion(from: fetched.map(\.result), at: now()), update, fetched, duplicates)
        case .store(let metadata, let status, let new, let brings):
            duplicates.bring(brings, day)
            do throws(ArchiveError) {
                try await add(metadata, status, new, fetched)
            } catch {
                // What came is not fetched again when the disk takes it.
                if !error.isGeneral { discard(fetched) }
                return try await conclude(update.conclusion(from: error, at: now()), update, [], duplicates)
            }
            if let why = status.reason { return .failed(day, why: why, isPassing: false) }
            let bytes = new.reduce(0) { $0 + $1.bytes }
            return .mirrored(day, title: update.picture.title, state: status.state, bytes: bytes)
        case .keep(let why, let status):
            try await blocking { () throws(RefreshError) in
                try reading { catalog throws(StorageError) in
                    try catalog.refuse(update.picture.content, of: day, at: now())
                }
            }
            return try await end(.kept(day, why: why), status, fetched)
        case .fail(let why, let isPassing, let status):
            return try await end(.failed(day, why: why, isPassing: isPassing), status, fetched)
        case .stop(let error, let status):
            try await record(status)
            throw error
        case .planAgain(let update):
            discard(fetched)
            return try await carryOut(update, duplicates)
        }
    }

    /// What decoding shows of the pictures that came and of those that they would take the place of.
    private func findings(
        of new: [StoredFile], _ here: [StoredFile], _ fetched: [FetchedFile], _ stored: StoredDay?
    ) async -> [Digest: PictureCheck.Finding] {
        var findings: [Digest: PictureCheck.Finding] = [:]
        for file in new where file.isImage {
            let staged = fetched.first { $0.result.had?.file == file }?.staged
            findings[file.sha256] = await finding(file.type) { () throws(StorageError) in
                try staged?.folder.file(staged!.name)
            }
        }
        for file in here {
            guard let name = stored?.name else { break }
            findings[file.sha256] = await finding(file.type) { [archive] () throws(StorageError) in
                try Tree.existingFolder(of: name.day, in: archive.tree.root)?.file(name.with(file.type.suffix))
            }
        }
        return findings
    }

    /// nil where there is no file.
    private func finding(
        _ type: MediaType, _ open: @escaping @Sendable () throws(StorageError) -> File?
    ) async -> PictureCheck.Finding? {
        guard let file = await blocking({ try? open() }) else { return nil }
        return await pictureCheck.finding(of: file, type)
    }

    private func add(
        _ metadata: Metadata, _ status: DayStatus, _ new: [StoredFile], _ fetched: [FetchedFile]
    ) async throws(ArchiveError) {
        var staged: [String: Staged] = [:]
        for (result, bytes) in fetched {
            guard let file = result.had?.file, let bytes else { continue }
            if new.contains(file) { staged[file.type.suffix] = bytes } else { bytes.discard() }
        }
        try await archive.add(StagedDay(metadata, staged: staged, status: status))
    }

    private func end(
        _ event: RefreshEvent, _ status: DayStatus?, _ fetched: [FetchedFile] = []
    ) async throws(RefreshError) -> RefreshEvent {
        discard(fetched)
        try await record(status)
        return event
    }

    func record(_ status: DayStatus?) async throws(RefreshError) {
        guard let status else { return }
        do throws(StorageError) { try await archive.record(status) } catch { throw .archive(.storage(error)) }
    }

    /// The days that have what would take the place of something whole, if another record brings it than before. A picture
    /// that two days have from one address is not given up for another one's, whatever comes from there.
    private func days(
        having new: [StoredFile], beside update: DayUpdate
    ) async throws(RefreshError) -> [Digest: [Day]] {
        if !update.isHere || update.isSameRecord { return [:] }
        return try await blocking { () throws(RefreshError) in
            try reading { catalog throws(StorageError) in
                var days: [Digest: [Day]] = [:]
                for file in new {
                    let isFromThere = update.good.contains { $0.address == file.address }
                    days[file.sha256] = try catalog.days(
                        having: file.sha256, unlessFrom: isFromThere ? file.address : nil)
                }
                return days
            }
        }
    }

    func status(of day: Day) async throws(RefreshError) -> DayStatus? {
        try await blocking { () throws(RefreshError) in
            try reading { catalog throws(StorageError) in try catalog.status(of: day) }
        }
    }
}

/// The files.
extension Refresh {
    /// `staged`: the file itself, if it has just come.
    private typealias FetchedFile = (result: FileResult, staged: Staged?)

    private func discard(_ files: [FetchedFile]) {
        for file in files { file.staged?.discard() }
    }

    /// Side by side; each fails on its own.
    private func fetch(_ files: [WantedFile], of picture: Picture, _ good: [StoredFile]) async -> [FetchedFile] {
        await withTaskGroup { group in
            for wanted in files { group.addTask { await fetch(wanted, of: picture, good) } }
            var fetched: [StoredFile.Role: FetchedFile] = [:]
            for await file in group { fetched[file.result.wanted.role] = file }
            return files.compactMap { fetched[$0.role] }
        }
    }

    private func fetch(_ wanted: WantedFile, of picture: Picture, _ good: [StoredFile]) async -> FetchedFile {
        var failure: FetchFailure?
        var damaged: FetchedFile?
        for address in wanted.addresses {
            do throws(FetchFailure) {
                let (file, staged) = try await file(wanted, at: address, of: picture)
                let had = FileResult.Had(file: file, isNew: staged != nil, isWorse: wanted.isWorse(address))
                let fetched = (FileResult(wanted: wanted, outcome: .success(had)), staged)
                let isDamaged = wanted.damaged.contains(file.sha256)
                // If there is none better, the first will do.
                if damaged != nil { (isDamaged ? staged : damaged?.staged)?.discard() }
                guard isDamaged else { return fetched }
                damaged = damaged ?? fetched
            } catch {
                // What became of the file that is here says whether it still counts.
                let isHere = good.contains { $0.role == wanted.role && $0.address == address }
                let isLast = isHere || !error.reason.isAbsence
                // The first failure says more of what is wrong than those of the substitutes.
                failure = isLast ? error : failure ?? error
                if isLast { break }
            }
        }
        if let damaged, failure.flatMap(RefreshError.init) == nil { return damaged }
        damaged?.staged?.discard()
        return (FileResult(wanted: wanted, outcome: .failure(failure!)), nil)
    }

    private func file(
        _ wanted: WantedFile, at address: WebAddress, of picture: Picture
    ) async throws(FetchFailure) -> (StoredFile, Staged?) {
        let unfinished = archive.tree.unfinished
        if wanted.kind == .page { return try await page(address, of: picture, in: unfinished) }
        if let file = wanted.staying.first(where: { $0.address == address }) { return (file, nil) }
        let download = Download(day: picture.day, address: address, kind: wanted.kind, limit: settings.maxFile)
        let fetched = try await fetcher.file(download, in: unfinished)
        let facts = fetched.facts
        let file = StoredFile(
            role: wanted.role, type: facts.type, address: fetched.address, bytes: facts.bytes, sha256: facts.sha256,
            width: facts.width, height: facts.height)
        return (file, fetched.staged)
    }

    private func page(
        _ address: WebAddress, of picture: Picture, in unfinished: Folder
    ) async throws(FetchFailure) -> (StoredFile, Staged?) {
        let (day, document) = (picture.day, PlayerPage(title: picture.title, address: address).document)
        do throws(StorageError) {
            let staged = try await blocking { () throws(StorageError) in
                try Staged(document, in: unfinished, as: "\(day).html", modified: day.noon)
            }
            let file = StoredFile(
                role: .page, type: .html, address: address, bytes: document.count, sha256: Digest(of: document))
            return (file, staged)
        } catch {
            throw FetchFailure(address, .disk(error))
        }
    }
}
