internal import Apod
internal import Archive
internal import Fetching
internal import Files

/// What is made of a day, when it is known which of its files could be had.
extension Visit {
    func settle(
        _ results: [PartResult], _ standing: Standing?, _ good: [StoredFile]
    ) async throws(RefreshError) -> Refresh.Event {
        let main = results.first { $0.part.isEssential }
        if let main, main.had == nil, let failure = main.failure, !failure.reason.isAbsence {
            discard(results)
            try await remember(failure, standing)
            return .failed(day, why: failure.description, isPassing: true)
        }
        if let why = worse(main, than: standing, good) {
            discard(results)
            return .kept(day, why: why)
        }
        let arrival = arrival(results, main, standing)
        do throws(ArchiveError) {
            try await archive.add(arrival)
        } catch {
            guard error.isGeneral else { return .failed(day, why: error.description, isPassing: false) }
            throw .archive(error)
        }
        if let reason = arrival.standing.reason { return .failed(day, why: reason, isPassing: false) }
        let bytes = results.compactMap(\.had).filter { $0.staged != nil }.reduce(0) { $0 + $1.file.bytes }
        return .mirrored(day, title: picture.title, state: arrival.standing.state, bytes: bytes)
    }

    /// A day that is there stays as it is; one that is not is remembered as wanting.
    private func remember(_ failure: FetchFailure, _ standing: Standing?) async throws(RefreshError) {
        guard standing?.entry == nil || standing?.state == .failed else { return }
        let failed = Standing.failed(day, after: standing, why: failure.description, isPassing: true, at: refresh.now())
        do throws(ArchiveError) { try await archive.record(failed) } catch { throw .archive(error) }
    }

    private func discard(_ results: [PartResult]) {
        for result in results { result.had?.staged?.discard() }
    }

    private func worse(_ main: PartResult?, than standing: Standing?, _ good: [StoredFile]) -> String? {
        guard let standing, let entry = standing.entry, !entry.files.isEmpty, let main else { return nil }
        guard let had = main.had else { return main.failure?.description }
        // A damaged picture is no better than a smaller one.
        let isGood = good.contains { $0.role != .poster }
        guard standing.state != .downgraded, isGood, had.isWorse else { return nil }
        return "only a worse copy can be had now, at \(had.file.address)"
    }

    private func arrival(_ results: [PartResult], _ main: PartResult?, _ standing: Standing?) -> Arrival {
        let had = results.compactMap(\.had)
        let isWorse = main?.had?.isWorse ?? false
        let metadata = Metadata(
            name: standing?.entry?.name ?? FileName(day: day, title: picture.title), picture: picture,
            files: had.map(\.file), downgraded: isWorse, fetched: refresh.now())
        let staged = had.compactMap { had in had.staged.map { (had.file.type.suffix, $0) } }
        return Arrival(
            metadata, staged: Dictionary(uniqueKeysWithValues: staged), standing: outcome(results, isWorse, standing))
    }

    /// Without its entry, which is not known before the JSON is written.
    private func outcome(_ results: [PartResult], _ isWorse: Bool, _ standing: Standing?) -> Standing {
        if let wanting = results.first(where: \.isMissed)?.failure {
            return .failed(
                day, after: standing, why: wanting.description, isPassing: !wanting.reason.isAbsence,
                at: refresh.now())
        }
        if !isWorse, picture.media != .none { return Standing(day: day, state: .mirrored) }
        return .wanting(day, isWorse ? .downgraded : .placeholder, after: standing, at: refresh.now())
    }
}

extension PartResult {
    /// Whether the day is not complete without it: a file that nothing stands in for, unless it is a poster that is
    /// nowhere to be had; and a file that may be had soon.
    fileprivate var isMissed: Bool {
        guard let failure else { return false }
        return !failure.reason.isAbsence || had == nil && part.isEssential
    }
}
