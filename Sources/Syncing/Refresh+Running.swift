import Apod
import Configuration
import Files
package import Store
import Upstream

/// The loop of a refresh: one question at a time, many days at once.
extension Refresh {
    /// Reports each day as soon as it is done, and returns whether the request was for all new days (`isForAllNew`).
    /// Throws only what ended the refresh early. Cancelling the task ends it soon and leaves no day half done.
    @discardableResult
    package func run(_ request: RefreshRequest, _ report: @escaping EventHandler)
        async throws
        -> Bool
    {
        var refresh = self
        refresh.report = report
        await blocking { archive.tree.removeStale(now: now()) }
        let plan = try await refresh.plan(for: request)
        let again = try archive.catalog.standIns(among: plan.days)
        report(.planned(plan.days.count - (request.isLimited ? again.count : 0)))
        return try await refresh.workOff(plan, of: request, newest: try archive.catalog.newest())
    }

    private func workOff(_ plan: QuestionPlan, of request: RefreshRequest, newest: Day?) async throws -> Bool {
        var plan = plan
        // Decided now: the work may last past midnight.
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
            await progress.finish(&group)
            progress.end()
            return progress.error.map { Problem($0, in: settings) }
        }
        await blocking { [progress] in
            rememberRequestedPause(error, progress)
            if isForAllNew {
                remember(error, progress)
            } else if error == nil {
                forgetFailure(progress)
            }
        }
        if let error { throw error }
        if isForAllNew { try await compareWithNeighbours() }
        return isForAllNew
    }

    /// Asks NASA for a few files that other mirrors gave.
    private func compareWithNeighbours() async throws {
        let days = try await blocking { [archive] in try archive.catalog.daysOfNeighbours(atMost: 8) }
        for day in days {
            let event = try await update(.day(day), .recheck)
            // A file that is as it was is no news.
            if let event, case .mirrored(_, _, _, let bytes) = event, bytes > 0 { report(event) }
        }
    }

    /// The most days under way when the next question is asked. With `max-total`, none: sizes must be known first.
    private func mostUnderway(_ request: RefreshRequest) -> Int {
        request.isLimited && settings.maxTotal != nil ? 0 : 2 * APODBasic.pageSize
    }

    private func hasRoom(
        for question: QuestionPlan.Question, _ request: RefreshRequest, _ progress: inout RefreshProgress
    )
        -> Bool
    {
        do {
            try checkDisk()
            guard request.isLimited else { return true }
            guard let words = try surplus(question) else { return true }
            report(.noted(words))
        } catch {
            progress.stop(error.problem)
        }
        return false
    }

    /// Stores the failure for `status`, and when all went well. A full disk must not stop the report.
    private func remember(_ error: Problem?, _ progress: RefreshProgress) {
        if error?.code == .stopped { return }
        let now = now()
        try? archive.catalog.setLastFailure((error ?? progress.silence).map { LastFailure($0, at: now) })
        if error == nil, progress.hasHeard { try? archive.catalog.setFact(.lastRefresh, now) }
    }

    /// Clears the failure after any refresh that went well.
    private func forgetFailure(_ progress: RefreshProgress) {
        let isWell = progress.hasSucceeded || progress.hasHeard && !progress.hasFailedDays
        guard isWell, progress.silence == nil, (try? archive.catalog.lastFailure()) != nil else { return }
        try? archive.catalog.setLastFailure(nil)
    }

    /// Stores the pause that the upstream asks for. Work that no person asked for keeps to it.
    private func rememberRequestedPause(_ error: Problem?, _ progress: RefreshProgress) {
        if let seconds = error?.requestedPause {
            try? archive.catalog.setFact(.quietUntil, now() + seconds)
        } else if progress.hasHeard, (try? archive.catalog.quiet(at: now())) != nil {
            try? archive.catalog.setFact(.quietUntil, 0)
        }
    }

    private func plan(for request: RefreshRequest) async throws -> QuestionPlan {
        let due = try await blocking { try DueDays(request, archive.catalog, settings, at: now()) }
        let missing = try await notInTree(due.days)
        return QuestionPlan(wanted: request.isLimited ? missing : due.days, head: due.head)
    }

    /// Enters the days that the tree has in the catalog, and returns the others.
    private func notInTree(_ days: Set<Day>) async throws -> Set<Day> {
        let rediscovered = try await blocking { try archive.rediscover(days) }
        if !rediscovered.isEmpty { report(.rediscovered(days: rediscovered.count)) }
        return days.subtracting(rediscovered)
    }
}

/// Whether there is room for more days, on the disk and within `max-total`.
extension Refresh {
    /// Throws if less is free than the mirror leaves to others.
    func checkDisk() throws {
        let space = try archive.tree.root.space()
        if space.isBelowFloor { throw Problem(.full, path: settings.root, number: space.floor) }
    }

    /// Why `max-total` would delete the question's days, and all older ones, as soon as they came; nil if it would not.
    func surplus(_ question: QuestionPlan.Question) throws -> String? {
        guard let limit = settings.maxTotal else { return nil }
        if case .head = question { return nil }
        let last = question.range.upperBound
        let catalog = archive.catalog
        let favorites = archive.favorites.known.protected(at: try catalog.believed(now()))
        let bytes = try catalog.bytes() - catalog.releasableBytes(before: last, sparing: favorites)
        guard bytes > limit else { return nil }
        return "there is no room within max-total (\(Size.text(limit))) for \(last) and what is older"
    }
}
