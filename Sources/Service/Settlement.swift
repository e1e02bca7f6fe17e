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
        if let failure = main?.failure, !failure.reason.isAbsence {
            discard(results)
            try remember(failure, standing)
            return .failed(day, why: failure.description, isPassing: true)
        }
        if let why = worse(main, than: standing, good) {
            discard(results)
            return .kept(day, why: why)
        }
        let arrival = arrival(results, main, standing)
        do throws(ArchiveError) { try await archive.add(arrival) } catch { throw .archive(error) }
        if let reason = arrival.reason { return .failed(day, why: reason, isPassing: false) }
        let bytes = results.compactMap(\.had).filter { $0.staged != nil }.reduce(0) { $0 + $1.file.bytes }
        return .mirrored(day, title: picture.title, state: arrival.state, bytes: bytes)
    }

    /// A day that is there stays as it is; one that is not is remembered as wanting.
    private func remember(_ failure: FetchFailure, _ standing: Standing?) throws(RefreshError) {
        guard standing?.entry == nil || standing?.state == .failed else { return }
        let failed = Standing(
            day: day, state: .failed, attempts: (standing?.attempts ?? 0) + 1, reason: failure.description,
            entry: standing?.entry)
        do throws(ArchiveError) { try archive.record(failed) } catch { throw .archive(error) }
    }

    private func discard(_ results: [PartResult]) {
        for result in results { result.had?.staged?.discard() }
    }

    private func worse(_ main: PartResult?, than standing: Standing?, _ good: [StoredFile]) -> String? {
        guard let standing, let entry = standing.entry, !entry.files.isEmpty else { return nil }
        if let failure = main?.failure { return failure.description }
        // A damaged picture is no better than a smaller one.
        let isGood = good.contains { $0.role != .poster }
        guard standing.state != .downgraded, isGood, let had = main?.had, had.isWorse else { return nil }
        return "only a worse copy can be had now, at \(had.file.address)"
    }

    private func arrival(_ results: [PartResult], _ main: PartResult?, _ standing: Standing?) -> Arrival {
        let had = results.compactMap(\.had)
        let isWorse = main?.had?.isWorse ?? false
        let metadata = Metadata(
            name: standing?.entry?.name ?? FileName(day: day, title: picture.title), picture: picture,
            files: had.map(\.file), downgraded: isWorse, fetched: refresh.now())
        let staged = had.compactMap { had in had.staged.map { (had.file.type.suffix, $0) } }
        let reason = reason(results)
        let attempts = (standing?.attempts ?? 0) + 1
        let state: Standing.State =
            switch reason {
            case .some: .failed
            case nil where isWorse: .downgraded
            case nil: picture.media == .none ? .placeholder : .mirrored
            }
        return Arrival(
            metadata, staged: Dictionary(staged) { first, _ in first }, state: state,
            retryAfter: state == .mirrored ? nil : refresh.now() + Patience.seconds(after: attempts),
            attempts: state == .mirrored ? 0 : attempts, reason: reason)
    }

    /// Why the day is not complete. A poster that is nowhere to be had is not missed.
    private func reason(_ results: [PartResult]) -> String? {
        results.first { result in
            result.failure.map { result.part.isEssential || !$0.reason.isAbsence } ?? false
        }?.failure?.description
    }
}

/// How long something that was not there is left alone: a day, two, four, … a month.
enum Patience {
    static func seconds(after attempts: Int) -> Int { min(1 << min(max(attempts - 1, 0), 5), 30) * 86_400 }
}

extension RefreshError {
    /// Ends the refresh if the failure is none of the upstream's.
    static func check(_ failure: FetchFailure) throws(RefreshError) {
        switch failure.reason {
        case .cancelled: throw .cancelled
        case .disk(let error): throw .disk(error)
        default: return
        }
    }
}
