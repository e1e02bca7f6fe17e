internal import Apod
internal import Archive
internal import Upstream

/// From the upstream's answers to single days.
extension Refresh {
    enum Step: Sendable {
        /// Its record is here.
        case visit(Picture)
        /// Its record was not among the others; nothing newer than `newest` is known to exist.
        case ask(Day, newest: Day?)

        var day: Day {
            switch self {
            case .visit(let picture): picture.day
            case .ask(let day, _): day
            }
        }

        /// Its record, where that is here.
        var picture: Picture? { if case .visit(let picture) = self { picture } else { nil } }
    }

    /// Asks one question, and says what is to be done about each day that it settles.
    func steps(after question: Plan.Question, _ plan: inout Plan, _ course: inout Course) async -> [Step] {
        if case .day(let day) = question {
            _ = plan.take(day...day)
            return [.ask(day, newest: course.newest)]
        }
        do throws(UpstreamError) {
            let answer = try await upstream.pictures(in: question.range)
            course.heard(of: answer.pictures.keys)
            tell(of: answer)
            let wanted = plan.take(answer.covered ?? question.range)
            return visits(question, answer, wanted) + leftovers(wanted, answer, newest: course.newest)
        } catch {
            return steps(without: error, question, plan.take(question.range), &course)
        }
    }

    /// A window that makes no sense is asked for day by day: one bad record must not hide the others.
    private func steps(
        without error: UpstreamError, _ question: Plan.Question, _ wanted: [Day], _ course: inout Course
    ) -> [Step] {
        if error.isNonsense, !wanted.isEmpty {
            report(.noted("\(error); asking day by day"))
            return wanted.map { .ask($0, newest: course.newest) }
        }
        course.heardNothing(error)
        if !error.isCancelled { report(.unanswered(question.range, days: wanted.count, why: error.description)) }
        return []
    }

    private func tell(of answer: APODBasic.Answer) {
        if let reason = answer.fallback { report(.noted("\(reason); the feed stands in")) }
        for record in answer.bad { report(.noted("left out \(record)")) }
    }

    private func visits(_ question: Plan.Question, _ answer: APODBasic.Answer, _ wanted: [Day]) -> [Step] {
        // The feed tells less: it is good for days that are missing, not for a second look.
        let isLookAgain = if case .head = question { answer.fallback == nil } else { false }
        let days = isLookAgain ? answer.pictures.keys.sorted(by: >) : wanted
        return days.compactMap { answer.pictures[$0] }.map(Step.visit)
    }

    /// The days that the answer should have had.
    private func leftovers(_ wanted: [Day], _ answer: APODBasic.Answer, newest: Day?) -> [Step] {
        var steps: [Step] = []
        for day in wanted where answer.pictures[day] == nil {
            if isYoung(day, newest) {
                report(.notYet(day))
            } else if let reason = answer.fallback, !reason.isNonsense {
                report(.failed(day, why: "\(reason); and it is not in the feed", isPassing: true))
            } else {
                steps.append(.ask(day, newest: newest))
            }
        }
        return steps
    }

    /// Whether a day can still be published.
    private func isYoung(_ day: Day, _ newest: Day?) -> Bool {
        day > newest ?? Day(utc: now()).advanced(by: -2)
    }

    /// Does what there is to do for a day, and tells of it.
    func take(_ step: Step, _ wish: Wish, _ comparison: Comparison) async -> DayOutcome {
        defer { comparison.leave(step.day) }
        do throws(RefreshError) {
            let event = try await event(of: step, wish, comparison)
            report(event)
            return switch event {
            case .failed(_, let why, isPassing: true): .unreachable(why: why)
            case .mirrored: .done
            default: .idle
            }
        } catch {
            guard case .archive(let refusal) = error, refusal.isOfMonth else { return .stopped(error) }
            report(.failed(step.day, why: error.description, isPassing: true))
            // Other months may be open.
            return .idle
        }
    }

    private func event(
        of step: Step, _ wish: Wish, _ comparison: Comparison
    ) async throws(RefreshError) -> Event {
        switch step {
        case .visit(let picture): return try await visit(picture, wish, comparison)
        case .ask(let day, let newest):
            switch await picture(of: day) {
            case .success(let picture?): return try await visit(picture, wish, comparison)
            case .success(nil): return try await absence(of: day, newest)
            case .failure(let error):
                if error.isCancelled { throw .cancelled }
                if error.isPlea { throw .upstreamSilent(error) }
                let standing = try await standing(of: day)
                if standing?.entry == nil {
                    try await record(
                        .failed(
                            day, after: standing, why: error.description, isPassing: error.isPassing, at: now()))
                }
                return .failed(day, why: error.description, isPassing: error.isPassing)
            }
        }
    }

    /// What is known of the day is read when nobody else works on it.
    private func visit(
        _ picture: Picture, _ wish: Wish, _ comparison: Comparison
    ) async throws(RefreshError) -> Event {
        // Whoever works on it may wait for a day that waits for this one.
        if !archive.turns.takeIfFree(picture.day) {
            comparison.leave(picture.day)
            do throws(CancellationError) { try await archive.turns.take(picture.day) } catch { throw .cancelled }
        }
        defer { archive.turns.give(picture.day) }
        let standing = try await standing(of: picture.day)
        return try await Visit(refresh: self, picture: picture, standing: standing, wish: wish, comparison: comparison)
            .run()
    }

    /// By the day's own address, and as a window of one day with the feed behind it when that fails.
    private func picture(of day: Day) async -> Result<Picture?, UpstreamError> {
        do throws(UpstreamError) {
            return .success(try await upstream.picture(of: day))
        } catch {
            if !error.isCancelled, !error.isPlea, let answer = try? await upstream.pictures(in: day...day),
                let picture = answer.pictures[day]
            {
                return .success(picture)
            }
            return .failure(error)
        }
    }

    /// The service itself has said that there is no such day.
    private func absence(of day: Day, _ newest: Day?) async throws(RefreshError) -> Event {
        let isOld = day < Day(utc: now()).advanced(by: -30)
        if !isOld, isYoung(day, newest) { return .notYet(day) }
        let standing = try await standing(of: day)
        if standing?.entry != nil { return try await keep(day, "the upstream has no such day any more", standing) }
        var absent = Standing.wanting(day, .absent, after: standing, at: now())
        // Of old, days were never published; of late, they are late.
        if isOld { absent.retryAfter = now() + Patience.seconds(after: .max) }
        try await record(absent)
        return .absent(day)
    }

    /// What wants something still wants it, but not at every sync.
    func keep(_ day: Day, _ why: String, _ standing: Standing?) async throws(RefreshError) -> Event {
        if let standing, standing.state != .mirrored {
            var later = Standing.wanting(day, standing.state, after: standing, at: now())
            later.reason = standing.reason
            later.entry = standing.entry
            try await record(later)
        }
        return .kept(day, why: why)
    }

    func record(_ standing: Standing) async throws(RefreshError) {
        do throws(ArchiveError) { try await archive.record(standing) } catch { throw .archive(error) }
    }

    private func standing(of day: Day) async throws(RefreshError) -> Standing? {
        do throws(ArchiveError) { return try await archive.standings(of: [day])[day] } catch { throw .archive(error) }
    }
}
