internal import Apod
internal import Archive
internal import Catalog
internal import Concurrency
internal import Configuration
internal import Files
internal import Upstream

/// One question after the other, and many days side by side.
extension Refresh {
    /// With more days under way, no question is asked before some of them have ended.
    static let manyUnderway = 2 * APODBasic.pageSize

    /// Tells of each day as soon as it is done. Throws only what kept it from its end; cancelling its task ends it soon,
    /// with nothing half done. Returns whether all that is new was asked for.
    @discardableResult
    package func run(_ request: RefreshRequest, _ report: @escaping @Sendable (RefreshEvent) -> Void)
        async throws(RefreshError)
        -> Bool
    {
        var refresh = self
        refresh.report = report
        let plan: QuestionPlan
        let newest: Day?
        do throws(RefreshError) {
            plan = try await refresh.plan(for: request)
            let again = try reading { catalog throws(StorageError) in try catalog.here(of: request.named) }.count
            report(.planned(days: plan.count, again: min(again, plan.count)))
            newest = try reading { catalog throws(StorageError) in try catalog.newest() }
        } catch {
            throw error.withDisk(settings)
        }
        return try await refresh.workOff(plan, of: request, newest: newest)
    }

    private func workOff(
        _ plan: QuestionPlan, of request: RefreshRequest, newest: Day?
    ) async throws(RefreshError) -> Bool {
        var plan = plan
        // It may go on into the next day.
        let isForAllNew = request.isForAllNew(since: newest, until: NewYork.day(at: now()))
        var progress = RefreshProgress(newest: newest)
        let error = await withTaskGroup(of: DayOutcome.self) { group in
            while progress.error == nil, let question = plan.next() {
                // The next question is asked while the files of the last one are still coming.
                while progress.underway > mostUnderway(request), let outcome = await group.next() {
                    progress.ended(outcome)
                }
                guard hasRoom(for: question, request, &progress) else { break }
                let steps = await steps(after: question, &plan, &progress)
                for step in steps {
                    progress.began()
                    group.addTask { await perform(step, request) }
                }
            }
            while progress.underway > 0 {
                if progress.error != nil { group.cancelAll() }
                if let outcome = await group.next() { progress.ended(outcome) }
            }
            progress.end()
            return progress.error.map { $0.withDisk(settings) }
        }
        rememberRequestedPause(error, progress)
        if isForAllNew { remember(error, progress) } else if error == nil { forgetFailure(progress) }
        if let error { throw error }
        return isForAllNew
    }

    /// Days that may be under way when the next question is asked. Where there is a limit, it must be known how much has
    /// come.
    private func mostUnderway(_ request: RefreshRequest) -> Int {
        request.keepsToPauses && settings.maxTotal != nil ? 0 : Self.manyUnderway
    }

    private func hasRoom(
        for question: QuestionPlan.Question, _ request: RefreshRequest, _ progress: inout RefreshProgress
    )
        -> Bool
    {
        do throws(RefreshError) {
            let diskSpace = DiskSpace(archive: archive, settings: settings, now: now())
            try diskSpace.checkDisk()
            guard request.keepsToPauses else { return true }
            let words = try reading { _ throws(StorageError) in try diskSpace.surplus(question) }
            guard let words else { return true }
            report(.noted(words))
        } catch {
            progress.stop(error)
        }
        return false
    }

    /// For `status`, and when the upstream was last heard for whoever asks next. What cannot be remembered, on a full disk
    /// perhaps, is told all the same.
    private func remember(_ error: RefreshError?, _ progress: RefreshProgress) {
        if case .cancelled? = error { return }
        let upstream = error == nil || error?.isOfUpstream == true ? settings.upstream.description : nil
        let now = now()
        try? archive.catalog.setLastFailure(
            (error?.failure ?? progress.silence?.failure).map { LastFailure($0, at: now, of: upstream) })
        if error == nil, progress.hasHeard { try? archive.catalog.setFact(.lastRefresh, now) }
    }

    /// Whatever was asked for, it has gone well since.
    private func forgetFailure(_ progress: RefreshProgress) {
        let isWell = progress.hasSucceeded || progress.hasHeard && !progress.lacksFiles
        guard isWell, progress.silence == nil, let failure = try? archive.catalog.lastFailure(),
            failure.upstream ?? settings.upstream.description == settings.upstream.description
        else { return }
        try? archive.catalog.setLastFailure(nil)
    }

    /// What asks of its own accord keeps to it. What cannot be remembered is at least asked for with growing pauses.
    private func rememberRequestedPause(_ error: RefreshError?, _ progress: RefreshProgress) {
        if case .upstreamSilent(let reason)? = error, let seconds = reason.requestedPause {
            try? archive.catalog.setFact(.quietUntil, now() + seconds)
        } else if progress.hasHeard, (try? archive.catalog.quiet(at: now())) != nil {
            try? archive.catalog.setFact(.quietUntil, 0)
        }
    }

    private func plan(for request: RefreshRequest) async throws(RefreshError) -> QuestionPlan {
        let due = try reading { catalog throws(StorageError) in
            try DueDays(request, catalog, settings, at: now())
        }
        let wanted = request.keepsToPauses ? try await notInTree(due.days) : due.days
        return QuestionPlan(wanted: wanted, head: due.head)
    }

    /// The catalog learns of those that the tree has.
    private func notInTree(_ days: Set<Day>) async throws(RefreshError) -> Set<Day> {
        let rediscovered: Set<Day>
        do throws(StorageError) {
            rediscovered = try await blocking { [archive] () throws(StorageError) in try archive.rediscover(days) }
        } catch {
            throw .archive(.storage(error))
        }
        if !rediscovered.isEmpty { report(.rediscovered(days: rediscovered.count)) }
        return days.subtracting(rediscovered)
    }
}
