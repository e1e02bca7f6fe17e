import Glibc
import Synchronization

/// Asks what may never answer, each time on a thread of its own. Who did not answer in time is left alone until it has.
package final class TimedCalls<Whom: Sendable>: Sendable {
    private struct Call {
        let whom: Whom
        /// From then on, nobody waits for it any more.
        let end: Int
    }

    /// Those that have not ended, and take a thread each.
    private let calls = Mutex<[Int: Call]>([:])
    private let number = Atomic(0)
    private let limit: Int
    private let isBack: @Sendable () -> Void
    private let mostCalls = 8

    /// `isBack`: who had not answered has.
    package init(limit: Duration, isBack: @escaping @Sendable () -> Void = {}) {
        self.limit = Int(limit / .nanoseconds(1))
        self.isBack = isBack
    }

    /// What `work` returns; nil when there is no answer, or one of those who `isSame` owes one, or no thread can be had to
    /// ask. `whom`: who is left alone then, until `work` returns what `isAnswer`: it is tried again until it does.
    /// `whenSlow` is called when there is none at once.
    package func answer<Value: Sendable>(
        of whom: Whom, where isSame: (Whom) -> Bool, isAnswer: @escaping @Sendable (Value) -> Bool = { _ in true },
        whenSlow: () -> Void = {}, to work: @escaping @Sendable () -> Value
    ) -> Value? {
        guard let number = begin(whom, isSame) else { return nil }
        let answer = Condition<Value?>(nil)
        let code = tryToStartThread { [self] in
            let value = ask(number, work, isAnswer)
            answer.change { $0 = value }
        }
        guard code == 0 else {
            calls.withLock { $0[number] = nil }
            return nil
        }
        let start = monotonicNow()
        if let value = Self.value(of: answer, until: start + limit / 20) { return value }
        whenSlow()
        if let value = Self.value(of: answer, until: start + limit) { return value }
        // What has ended by now has its answer.
        return calls.withLock({ $0[number] != nil }) ? nil : answer.waitAndTake(\.self)
    }

    private static func value<Value>(of answer: Condition<Value?>, until end: Int) -> Value? {
        answer.waitAndTake(until: { _ in end }, { $0 != nil || monotonicNow() >= end ? .some($0) : nil })
    }

    private func ask<Value>(_ number: Int, _ work: () -> Value, _ isAnswer: (Value) -> Bool) -> Value {
        // It may be another at once: what was unmounted fails, too.
        var (pause, backoff) = (0, Backoff(limit / 20, atMost: limit * 15))
        while true {
            let value = work()
            if end(number, isAnswer(value)) { return value }
            usleep(UInt32(pause / 1000))
            pause = backoff.next()
        }
    }

    /// Returns false if it goes on: who is waited for no more has to answer.
    private func end(_ number: Int, _ hasAnswered: Bool) -> Bool {
        let now = monotonicNow()
        let (isOver, isLate) = calls.withLock { calls in
            let isLate = calls[number]!.end <= now
            let isOver = hasAnswered || !isLate
            if isOver { calls[number] = nil }
            return (isOver, isLate)
        }
        if isOver, isLate { isBack() }
        return isOver
    }

    /// One that is asked by somebody else already is heard first: it takes one thread only if it is silent.
    private func begin(_ whom: Whom, _ isSame: (Whom) -> Bool) -> Int? {
        let end = monotonicNow() + limit
        repeat {
            switch tryToBegin(whom, isSame) {
            case .call(let number): return number
            case .refused: return nil
            case .later: usleep(look)
            }
        } while monotonicNow() < end
        return nil
    }

    private enum Beginning {
        case call(Int)
        case refused, later
    }

    private func tryToBegin(_ whom: Whom, _ isSame: (Whom) -> Bool) -> Beginning {
        let now = monotonicNow()
        return calls.withLock { calls in
            let silent = calls.values.filter { $0.end <= now }
            if silent.count >= mostCalls || silent.contains(where: { isSame($0.whom) }) { return .refused }
            if calls.count >= mostCalls || calls.values.contains(where: { isSame($0.whom) }) { return .later }
            let number = number.add(1, ordering: .relaxed).newValue
            calls[number] = Call(whom: whom, end: now + limit)
            return .call(number)
        }
    }

    /// Others are asked at the same time, as far as there are threads for that, and not waited for: who wants an answer of
    /// one that is silent has waited by then. `work` returns whether it was answered.
    package func askAhead(_ others: [(whom: Whom, work: @Sendable () -> Bool)]) where Whom: Equatable {
        let left = Mutex(others[...])
        let free = mostCalls - calls.withLock(\.count)
        for _ in 0..<max(0, min(free, others.count)) {
            let code = tryToStartThread { [self] in
                while let next = left.withLock({ $0.popFirst() }) {
                    guard case .call(let number) = tryToBegin(next.whom, { $0 == next.whom }) else { continue }
                    _ = ask(number, next.work, \.self)
                }
            }
            if code != 0 { return }
        }
    }

    /// In microseconds.
    private let look: UInt32 = 1000
}
