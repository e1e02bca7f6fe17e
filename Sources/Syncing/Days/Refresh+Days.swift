import Apod
import Configuration
import Store
import Upstream

/// Turns the upstream's answers into steps for single days.
extension Refresh {
    enum DayStep: Sendable {
        /// The day's record has come. `isDue`: the day was to be fetched, not only looked at again.
        case update(Picture, isDue: Bool)
        /// The day is to be asked for by its own address. `newest`: the newest day known to exist.
        case ask(Day, newest: Day?)

        var key: Key {
            switch self {
            case .update(let picture, _): picture.key
            case .ask(let day, _): .day(day)
            }
        }
    }

    /// Asks one question, and returns what to do about each day that it settles.
    func steps(after question: QuestionPlan.Question, _ plan: inout QuestionPlan, _ progress: inout RefreshProgress)
        async -> [DayStep]
    {
        if case .day(let day) = question {
            _ = plan.remove(daysIn: day...day)
            return [.ask(day, newest: progress.newest)]
        }
        do {
            var answer = try await upstream.pictures(in: question.range, isSilent: isSilent)
            noteSilence(answer.fallback)
            let wanted = plan.remove(daysIn: answer.covered ?? question.range)
            if case .head(let head) = question, let covered = answer.covered {
                plan.lookAgain(in: head, before: covered.lowerBound, days: settings.recheckDays)
            }
            await complete(&answer, wanted, newest: progress.newest)
            progress.heard(of: answer.pictures.keys)
            reportRefused(in: answer, asking: wanted)
            return updates(question, answer, wanted) + leftovers(wanted, answer, newest: progress.newest)
        } catch {
            return steps(without: error.problem, question, plan.remove(daysIn: question.range), &progress)
        }
    }

    /// After nonsense, the window is asked for day by day: one bad record must not hide the others.
    private func steps(
        without error: Problem, _ question: QuestionPlan.Question, _ wanted: [Day],
        _ progress: inout RefreshProgress
    ) -> [DayStep] {
        noteSilence(error)
        if error.isUnusable, !wanted.isEmpty {
            report(.noted("\(error); asking day by day"))
            return wanted.map { .ask($0, newest: progress.newest) }
        }
        progress.questionFailed(error)
        if error.isOfNetwork { report(.unanswered(question.range, days: wanted.count, why: error)) }
        return []
    }

    /// Whether the list of articles may stand in: a person waits, or APOD Basic has not answered as itself for long.
    private var isSilent: Bool {
        if isAsked { return true }
        let since = (try? archive.catalog.fact(.silentSince)) ?? 0
        return since > 0 && since <= now() - APODBasic.patience
    }

    /// nil: APOD Basic has answered.
    private func noteSilence(_ error: Problem?) {
        let since = (try? archive.catalog.fact(.silentSince)) ?? 0
        if let error {
            // A clock that was ahead must not delay it.
            if error.isOfService, since == 0 || since > now() { try? archive.catalog.setFact(.silentSince, now()) }
        } else if since != 0 {
            try? archive.catalog.setFact(.silentSince, 0)
        }
    }

    /// Adds new days that APOD Basic lacks though they must have been published. Older ones are asked for by themselves.
    private func complete(_ answer: inout APODBasic.Answer, _ wanted: [Day], newest: Day?) async {
        let known = [newest, answer.pictures.keys.max()].compactMap(\.self).max()
        let lacking = wanted.filter { day in
            RetryPolicy.isYoung(day, newest: known, at: now()) && RetryPolicy.isOverdue(day, at: now())
        }
        guard answer.fallback == nil, let first = lacking.min(), let last = lacking.max(),
            let articles = await upstream.articles(in: first...last)
        else { return }
        for day in lacking { answer.pictures[day] = articles.pictures[day] }
    }

    private func reportRefused(in answer: APODBasic.Answer, asking wanted: [Day]) {
        if let reason = answer.fallback { report(.noted("\(reason); NASA's list of articles stands in")) }
        for record in answer.bad {
            // The days that are wanted are asked for by their own addresses.
            if let day = record.refusedDay, answer.pictures[day] == nil, !wanted.contains(day) {
                report(.failed(.day(day), why: Problem(.records, "\(record)"), isPassing: true))
            } else {
                report(.noted("left out \(record)"))
            }
        }
    }

    private func updates(_ question: QuestionPlan.Question, _ answer: APODBasic.Answer, _ wanted: [Day]) -> [DayStep] {
        // The list that stands in is enough for missing days, not for a second look.
        let isLookAgain = if case .head = question { answer.fallback == nil } else { false }
        let days = isLookAgain ? answer.pictures.keys.sorted(by: >) : wanted
        let due = Set(wanted)
        return days.compactMap { day in answer.pictures[day].map { .update($0, isDue: due.contains(day)) } }
    }

    /// Steps for wanted days that the answer lacks.
    private func leftovers(_ wanted: [Day], _ answer: APODBasic.Answer, newest: Day?) -> [DayStep] {
        var steps: [DayStep] = []
        let refused = Set(answer.bad.compactMap(\.refusedDay))
        for day in wanted where answer.pictures[day] == nil {
            if refused.contains(day) {
                steps.append(.ask(day, newest: newest))
                continue
            }
            switch DayAbsence(day: day, newest: newest, now: now()).advice(fallback: answer.fallback) {
            case .notYet: report(.notYet(.day(day)))
            case .ask: steps.append(.ask(day, newest: newest))
            case .fail(let why): report(.failed(.day(day), why: why, isPassing: true))
            }
        }
        return steps
    }

    func perform(_ step: DayStep, _ request: RefreshRequest) async -> DayOutcome {
        do {
            let event = try await event(of: step, request)
            report(event)
            return switch event {
            case .failed(_, let why, _) where why.code == .elsewhere: .idle
            case .failed(_, let why, isPassing: true), .unanswered(_, _, let why): .unreachable(why: why)
            case .mirrored: .done
            default: .idle
            }
        } catch {
            let why = error.problem
            if why.isUnreachable, let day = step.key.day { report(.unanswered(day...day, days: 1, why: why)) }
            guard !why.isOfNetwork, !why.isGeneral else { return .stopped(why) }
            // What is here cannot be read. Other months may be readable.
            report(.failed(step.key, why: why, isPassing: true))
            return .idle
        }
    }

    private func event(of step: DayStep, _ request: RefreshRequest) async throws -> Event {
        switch step {
        case .update(let picture, let isDue): return try await update(picture, request.why(isDue: isDue))
        case .ask(let day, let newest):
            let answer = await picture(of: day)
            if case .success(let picture?) = answer { return try await update(picture, request.why(isDue: true)) }
            // Its files may be where they were.
            if case .again = request, case .success = answer, let event = try await update(.day(day), .repair) {
                return event
            }
            let absence = DayAbsence(day: day, newest: newest, now: now())
            let item = try await item(of: .day(day))
            let conclusion =
                if case .failure(let error) = answer {
                    try absence.conclusion(after: error, knowing: item)
                } else {
                    absence.conclusion(knowing: item)
                }
            try await record(conclusion.item)
            return conclusion.event
        }
    }

    /// Asks by the day's own address, then by a window of one day, for which the list of articles can stand in.
    private func picture(of day: Day) async -> Result<Picture?, Problem> {
        do {
            if let picture = try await upstream.picture(of: day) { return .success(picture) }
            guard RetryPolicy.isOverdue(day, at: now()) else { return .success(nil) }
            return .success(await upstream.articles(in: day...day)?.pictures[day])
        } catch {
            guard DayAbsence.mayBeInWindow(after: error.problem) else { return .failure(error.problem) }
            do {
                let answer = try await upstream.pictures(in: day...day, isSilent: isSilent)
                if let picture = answer.pictures[day] { return .success(picture) }
            } catch {
                noteSilence(error.problem)
            }
            return .failure(error.problem)
        }
    }
}
