import Apod
import Configuration
import Fetching
import Files
import Store
import Thumbnails
import Upstream

/// Carries a plan out for one item: reads what is known of it, fetches its files, and publishes them.
extension Refresh {
    /// Fetches files of an item by the record that was kept. nil: there is none.
    func update(_ key: Key, _ why: Plan.Why) async throws -> Event? {
        try await archive.keyLocks.lock(key)
        defer { archive.keyLocks.unlock(key) }
        let record = try await blocking { [archive] in try archive.record(of: key) }
        guard let record else { return nil }
        return try await updateLocked(record, why)
    }

    func update(_ record: Picture, _ why: Plan.Why) async throws -> Event {
        try await archive.keyLocks.lock(record.key)
        defer { archive.keyLocks.unlock(record.key) }
        return try await updateLocked(record, why)
    }

    /// The caller holds the key's lock.
    private func updateLocked(_ record: Picture, _ why: Plan.Why) async throws -> Event {
        let plan = try await plan(for: record, why)
        guard case .fetch(let files) = plan.step else { return try await carryOut(try plan.outcome(), plan) }
        let fetched = await fetch(files, plan)
        return try await carryOut(try plan.outcome(fetched), plan, fetched)
    }

    private func plan(for record: Picture, _ why: Plan.Why) async throws -> Plan {
        var known = Known(item: try await item(of: record.key))
        func plan() -> Plan { Plan(record, why, knowing: known, by: settings, at: now()) }
        guard let stored = known.stored else { return plan() }
        let mends = why == .asked || why == .repair
        known.whole = try await archive.intactFiles(of: stored, byContent: mends)
        // Most days end here, without a look at their JSON.
        let isQuiet = known.item?.state == .mirrored && (why == .recheck || why == .new)
        if isQuiet, case .nothing = plan().step { return plan() }
        // `revert` is for days alone.
        (known.document, known.record, known.isJSONWhole) = try await archive.document(
            of: stored, knowing: record, mending: mends || record.item != nil)
        return plan()
    }

    private func carryOut(
        _ outcome: Outcome, _ plan: Plan, _ fetched: [Arrival] = []
    ) async throws -> Event {
        guard let document = outcome.document, let item = outcome.item else {
            for file in fetched { file.staged?.discard() }
            try await record(outcome.item)
            return outcome.event
        }
        var staged: [String: Staged] = [:]
        for came in fetched {
            guard let bytes = came.staged else { continue }
            if let file = came.file, outcome.new.contains(where: { $0.sha256 == file.sha256 }) {
                staged[file.ending] = bytes
            } else {
                bytes.discard()
            }
        }
        do {
            try await archive.add(
                StagedDay(
                    document, outcome.record, staged: staged, item: item,
                    damaged: Set(plan.known.lacking.map(\.ending)),
                    moment: plan.now, former: plan.known.document))
        } catch {
            // After a general error (a full disk), the files stay for the next attempt.
            if !error.problem.isGeneral { for file in staged.values { file.discard() } }
            return try await carryOut(try plan.outcome(refused: error.problem), plan)
        }
        if let notice = outcome.notice { report(notice) }
        return outcome.event
    }

    func record(_ item: Item?) async throws {
        if let item { try await archive.record(item) }
    }

    func item(of key: Key) async throws -> Item? {
        try await blocking { [archive] in
            var item = try archive.catalog.item(of: key)
            // A catalog made from the tree lacks it.
            if let stored = item?.stored, stored.content == nil {
                item?.stored?.content = try archive.content(of: stored)
            }
            return item
        }
    }
}

extension Refresh {
    /// Fetches files concurrently; each fails on its own.
    private func fetch(_ files: [WantedFile], _ plan: Plan) async -> [Arrival] {
        await withTaskGroup { group in
            for wanted in files { group.addTask { await judged(await fetch(wanted, plan), plan) } }
            var fetched: [StoredFile.Role: Arrival] = [:]
            for await file in group { fetched[file.wanted.role] = file }
            return files.compactMap { fetched[$0.role] }
        }
    }

    /// Checks whether a picture decodes that would replace a whole file.
    private func judged(_ came: Arrival, _ plan: Plan) async -> Arrival {
        guard let file = came.file, let staged = came.staged, file.isImage, plan.replacesWholeFile(file),
            let bytes = await blocking({ try? staged.folder.file(staged.name) })
        else { return came }
        var came = came
        came.judgement = await pictureCheck.judgement(of: bytes)
        return came
    }

    private func fetch(_ wanted: WantedFile, _ plan: Plan) async -> Arrival {
        var failure = Problem(.missing)
        for (index, address) in wanted.addresses.enumerated() {
            do {
                let found = try await file(wanted, at: address, plan)
                return Arrival(wanted: wanted, result: .success(found?.file), staged: found?.staged)
            } catch {
                // The first failure says more of what is wrong than those of the substitutes.
                let why = error.problem
                if index == 0 || !why.isAbsence { failure = why }
                if !why.isAbsence { break }
            }
        }
        return Arrival(wanted: wanted, result: .failure(failure))
    }

    /// Returns nil if the server's file is the one that is here.
    private func file(
        _ wanted: WantedFile, at address: WebAddress, _ plan: Plan
    ) async throws -> (file: StoredFile, staged: Staged)? {
        let (record, unfinished) = (plan.record, archive.tree.unfinished)
        if wanted.kind == .page { return try await page(address, of: record, in: unfinished) }
        let download = Download(
            key: record.key, address: address, kind: wanted.kind, limit: settings.maxFile, known: wanted.known,
            published: record.published ?? now(),
            isShared: plan.isShared(wanted) && !address.isRendition, digest: wanted.digest)
        guard let fetched = try await fetcher.file(download, in: unfinished) else { return nil }
        let facts = fetched.facts
        // What was lost and is back is whose it was.
        let lost = plan.known.lacking.first { $0.sha256 == facts.sha256 }
        let isOfNeighbour = fetched.isOfNeighbour && lost?.isOfNeighbour != false
        let file = StoredFile(
            role: wanted.role, type: facts.type, address: fetched.address, bytes: facts.bytes, sha256: facts.sha256,
            width: facts.width, height: facts.height, isOfNeighbour: isOfNeighbour,
            validators: fetched.validators)
        return (file, fetched.staged)
    }

    private func page(
        _ address: WebAddress, of record: Picture, in unfinished: Folder
    ) async throws -> (file: StoredFile, staged: Staged) {
        let document = PlayerPage(title: record.title, address: address).document
        let staged = try await blocking {
            try Staged(document, in: unfinished, as: "\(record.key.mark).html", modified: record.key.noon)
        }
        let file = StoredFile(
            role: .page, type: .html, address: address, bytes: document.count, sha256: Digest(of: document))
        return (file, staged)
    }
}
