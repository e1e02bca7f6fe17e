import Apod
import Fetching
import Testing
import Upstream

@testable import Store
@testable import Syncing

/// What becomes of a day whose record is not here, from what is known of it.
struct DayAbsenceTests {
    private static let today = ItemFacts.today
    private let now = ItemFacts.now

    private func absence(_ age: Int, newest: Int?) -> DayAbsence {
        DayAbsence(
            day: Self.today.advanced(by: -age), newest: newest.map { Self.today.advanced(by: -$0) }, now: now)
    }

    private static let busy = Problem.status(503, retryAfter: nil)
    private static let garbage = Problem(.records, "no JSON")
    private static let down = Problem(.unreachable, "refused")

    private static let steps: [(Int, newest: Int?, fallback: Problem?, String)] = [
        (2, 3, nil, "not yet"), (2, 2, nil, "ask"), (2, 1, nil, "ask"), (40, 41, nil, "not yet"),
        (1, nil, nil, "not yet"), (2, nil, nil, "ask"), (3, nil, nil, "ask"),
        (1, nil, busy, "not yet"), (3, nil, busy, "fail"), (3, nil, garbage, "ask"), (3, nil, down, "fail"),
    ]

    @Test(
        "A day that an answer about several lacks is to come, to be asked for, or failed",
        arguments: steps)
    func step(age: Int, newest: Int?, fallback: Problem?, words: String) {
        switch absence(age, newest: newest).advice(fallback: fallback) {
        case .notYet: #expect(words == "not yet")
        case .ask: #expect(words == "ask")
        case .fail(let why):
            #expect(
                words == "fail" && why.code == fallback!.code && why.words.hasSuffix(fallback!.words))
        }
    }

    @Test(
        "A day is asked for as a window where its address said something else",
        arguments: [
            (busy, true), (garbage, true), (Problem.status(404, retryAfter: nil), true), (down, false),
            (Problem.status(503, retryAfter: 9), false), (Problem.status(429, retryAfter: nil), false),
            (Problem(.stopped), false), (Problem(.elsewhere), false),
        ])
    func window(error: Problem, isAsked: Bool) {
        #expect(DayAbsence.mayBeInWindow(after: error) == isAsked)
    }

    private func words(_ conclusion: Outcome) -> String {
        switch conclusion.event {
        case .kept: "keep" + noted(conclusion.item)
        case .absent: "absent" + noted(conclusion.item)
        case .failed(_, _, let isPassing): (isPassing ? "fail for now" : "fail") + noted(conclusion.item)
        case .notYet: "not yet" + noted(conclusion.item)
        default: "\(conclusion.event)"
        }
    }

    private func words(_ absence: DayAbsence, after error: Problem, knowing item: Item?) -> String {
        do {
            return words(try absence.conclusion(after: error, knowing: item))
        } catch {
            return error.problem.isOfNetwork ? "stop for now" : "stop: \(error.problem.code)"
        }
    }

    private func noted(_ item: Item?) -> String {
        guard let item, let state = item.state else { return "" }
        let days = item.retryAfter.map { ", in \(($0 - now) / 86_400) days" } ?? ", at once"
        return ", \(state)\(days)\(item.stored == nil ? "" : ", stored")"
    }

    private func known(_ state: Item.State?, hasText: Bool = false) -> Item? {
        var facts = ItemFacts()
        if hasText { facts.hasText() }
        facts.state = state
        if state == .absent { facts.former = nil }
        return facts.item
    }

    private static let ends: [(Int, newest: Int?, Item.State?, String)] = [
        // Behind the newest it can still come.
        (2, 3, nil, "not yet"), (30, 31, nil, "not yet"), (30, 31, .mirrored, "not yet"),
        (40, 41, nil, "not yet"), (2, 2, nil, "absent, absent, in 1 days"),
        (2, 2, .absent, "absent, absent, in 4 days"), (31, 1, .absent, "absent, absent, in 4 days"),
        // What is here stays, and is asked for again if it wants something.
        (40, 1, .mirrored, "keep"), (40, 1, .downgraded, "keep, downgraded, in 4 days, stored"),
        (40, 1, .failed, "keep, failed, in 4 days, stored"), (40, 1, .pruned, "keep, pruned, in 4 days, stored"),
    ]

    @Test("A day that the service says not to have is absent, still to come, or kept", arguments: ends)
    func none(age: Int, newest: Int?, state: Item.State?, expected: String) {
        #expect(words(absence(age, newest: newest).conclusion(knowing: known(state))) == expected)
    }

    private static let record = Problem(.record, "\(today)")

    private static let failures: [(Problem, Item.State?, String)] = [
        (busy, nil, "fail for now, failed, at once"), (busy, .absent, "fail for now, failed, at once"),
        // What is here is not noted as failed.
        (busy, .mirrored, "fail for now"), (record, .mirrored, "fail"),
        (record, nil, "fail, failed, at once"), (record, .absent, "fail, failed, in 1 days"),
        // No other day is better off.
        (down, nil, "stop for now"), (Problem.status(503, retryAfter: 9), .mirrored, "stop for now"),
        (Problem.status(429, retryAfter: nil), nil, "stop for now"), (Problem(.stopped), nil, "stop: stopped"),
        // A mirror that the pictures come from may get it later.
        (elsewhere, nil, "fail for now, failed, at once"), (elsewhere, .mirrored, "fail for now"),
    ]

    private static let elsewhere = Problem(.elsewhere)

    @Test("A day that another mirror lacks may still be published", arguments: [(2, 3), (1, nil), (2, 2)])
    func elsewhere(age: Int, newest: Int?) {
        let expected = age == newest ? "fail for now, failed, at once" : "not yet"
        #expect(words(absence(age, newest: newest), after: Self.elsewhere, knowing: nil) == expected)
    }

    @Test("A day that could not be asked for fails, or ends the refresh", arguments: failures)
    func failed(error: Problem, state: Item.State?, expected: String) {
        #expect(words(absence(40, newest: 1), after: error, knowing: known(state)) == expected)
    }
}
