internal import Apod
internal import Archive
internal import Catalog
internal import Fetching
internal import Files

/// What is made of a day, when it is known which of its files could be had.
extension DayUpdate {
    func settle(
        _ results: [FileResult], _ status: DayStatus?, _ good: [StoredFile]
    ) async throws(RefreshError) -> Refresh.Event {
        let main = results.first { $0.wanted.isEssential }
        // A damaged picture is as good as none: it keeps nothing else out.
        let isHere = good.contains { $0.role != .poster }
        if let failure = main?.failure, failure.reason.mayPass(for: status) {
            discard(results)
            return try await fail(failure.description, isPassing: true, status, isHere)
        }
        if let why = isHere ? worse(main, status) : nil {
            discard(results)
            return try await refresh.keep(day, why, status)
        }
        if main?.had == nil, staying.contains(where: { $0.role != .poster }) {
            discard(results)
            return try await withoutStaying.run()
        }
        let hadFiles = status?.stored?.files.isEmpty == false || status?.state == .pruned
        if let main, main.had == nil, let failure = main.failure, hadFiles {
            return try await fail(failure.description, isPassing: false, status, isHere)
        }
        var results = results
        if status?.stored == nil {
            comparison.bring(results.compactMap(\.arrived?.sha256), day)
        } else if let why = try await borrowed(&results, good) {
            discard(results)
            return try await refresh.keep(day, why, status)
        }
        let stagedDay = stagedDay(results, main, status)
        do throws(ArchiveError) {
            try await archive.add(stagedDay)
        } catch {
            if error.isGeneral { throw .archive(error) }
            discard(results)
            guard error.isOfMonth else {
                return try await fail(error.description, isPassing: false, status, isHere)
            }
            try await remember(error.description, isPassing: true, status)
            throw .archive(error)
        }
        if let reason = stagedDay.status.reason { return .failed(day, why: reason, isPassing: false) }
        let bytes = results.compactMap(\.had).filter { $0.staged != nil }.reduce(0) { $0 + $1.file.bytes }
        return .mirrored(day, title: picture.title, state: stagedDay.status.state, bytes: bytes)
    }

    private func borrowed(
        _ results: inout [FileResult], _ good: [StoredFile]
    ) async throws(RefreshError) -> String? {
        do throws(CancellationError) {
            return try await comparison.borrowed(&results, for: day, good)
        } catch {
            throw .cancelled
        }
    }

    /// What was to stay is lost: the day is what its record shows.
    private var withoutStaying: DayUpdate {
        DayUpdate(
            refresh: refresh, picture: picture, status: status, request: request, comparison: comparison, lost: staying)
    }

    /// A day that is there stays as it is; one that is not, or not all of it, is remembered as wanting.
    private func fail(
        _ why: String, isPassing: Bool, _ status: DayStatus?, _ isHere: Bool
    ) async throws(RefreshError) -> Refresh.Event {
        if !isHere || status?.state == .failed || !isPassing {
            try await remember(why, isPassing: isPassing, status)
        }
        return .failed(day, why: why, isPassing: isPassing)
    }

    func remember(_ why: String, isPassing: Bool, _ status: DayStatus?) async throws(RefreshError) {
        var failed = DayStatus.failed(day, after: status, why: why, isPassing: isPassing, at: refresh.now())
        if status?.state == .pruned { failed.state = .pruned }
        try await refresh.record(failed)
    }

    private func discard(_ results: [FileResult]) {
        for result in results { result.had?.staged?.discard() }
    }

    /// Why what is here is better than what came; nil if it is not.
    private func worse(_ main: FileResult?, _ status: DayStatus?) -> String? {
        guard let main else { return nil }
        guard let had = main.had else { return main.failure?.description }
        // What stays as it is is not worse than itself.
        guard status?.state != .downgraded, had.staged != nil, had.isWorse else { return nil }
        return "only a worse copy can be had now, at \(had.file.address)"
    }

    private func stagedDay(_ results: [FileResult], _ main: FileResult?, _ status: DayStatus?) -> StagedDay {
        let had = results.compactMap(\.had)
        let isWorse = main?.had?.isWorse ?? false
        let metadata = Metadata(
            name: status?.stored?.name ?? FileName(day: day, title: picture.title), picture: picture,
            files: had.map(\.file), downgraded: isWorse, fetched: refresh.now())
        let staged = had.compactMap { had in had.staged.map { (had.file.type.suffix, $0) } }
        return StagedDay(
            metadata, staged: Dictionary(uniqueKeysWithValues: staged), status: outcome(results, isWorse, status))
    }

    /// Without `stored`, which is not known before the JSON is written.
    private func outcome(_ results: [FileResult], _ isWorse: Bool, _ status: DayStatus?) -> DayStatus {
        if let wanting = results.first(where: \.isMissed)?.failure {
            return .failed(
                day, after: status, why: wanting.description, isPassing: !wanting.reason.isAbsence,
                at: refresh.now())
        }
        if !isWorse, media != .none { return DayStatus(day: day, state: .mirrored) }
        return .wanting(day, isWorse ? .downgraded : .placeholder, after: status, at: refresh.now())
    }
}

extension FileResult {
    /// Whether the day is not complete without it: a file that nothing stands in for, unless it is a poster that is
    /// nowhere to be had; and a file that may be had soon.
    fileprivate var isMissed: Bool {
        guard let failure else { return false }
        return !failure.reason.isAbsence || had == nil && wanted.isEssential
    }
}

extension FetchError {
    /// Whether to wait and change nothing. A file that breaks off may be on its way to the upstream; one that always
    /// did is not waited for.
    fileprivate func mayPass(for status: DayStatus?) -> Bool {
        if case .cutShort = self { return status?.stored != nil }
        return !isAbsence
    }
}
