import Glibc
import Synchronization

/// Asks what may never answer, each time on a thread of its own. Who did not answer in time is left alone until it has.
package final class TimedCalls<Whom: Sendable>: Sendable {
    private struct State {
        /// Who is asked now.
        var asked: [Int: Whom] = [:]
        /// Who did not answer in time, and is waited for by a thread each.
        var silent: [Int: Whom] = [:]
    }

    private let state = Mutex(State())
    private let number = Atomic(0)
    private let limit: Duration
    private let isBack: @Sendable () -> Void
    private let mostSilent = 8

    /// `isBack`: who had not answered has.
    package init(limit: Duration, isBack: @escaping @Sendable () -> Void = {}) {
        self.limit = limit
        self.isBack = isBack
    }

    /// What `work` returns; nil when there is no answer, or one of those who `isSame` owes one, or no thread can be had to
    /// ask. `whom`: who is left alone then.
    package func answer<Value: Sendable>(
        of whom: Whom, where isSame: (Whom) -> Bool, to work: @escaping @Sendable () -> Value
    ) -> Value? {
        let number = number.add(1, ordering: .relaxed).newValue
        guard begin(number, whom, isSame) else { return nil }
        let answer = Condition<Value?>(nil)
        let code = tryToStartThread { [self] in
            let value = work()
            answer.change { $0 = value }
            if state.withLock({ $0.silent.removeValue(forKey: number) }) != nil { isBack() }
        }
        guard code == 0 else {
            state.withLock { $0.asked[number] = nil }
            return nil
        }
        wait(for: answer)
        // Either it is known to be silent, or it has answered.
        return state.withLock { state in
            state.asked[number] = nil
            let value = answer.change(\.self)
            if value == nil { state.silent[number] = whom }
            return value
        }
    }

    private func wait<Value>(for answer: Condition<Value?>) {
        let end = monotonicNow() + Int(limit / .nanoseconds(1))
        answer.waitAndTake(until: { _ in end }) { $0 != nil || monotonicNow() >= end ? () : nil }
    }

    /// One that is asked by somebody else already is heard first: it takes one thread only if it is silent.
    private func begin(_ number: Int, _ whom: Whom, _ isSame: (Whom) -> Bool) -> Bool {
        let end = ContinuousClock.now + limit
        repeat {
            let mayAsk: Bool? = state.withLock { state in
                if state.silent.count >= mostSilent || state.silent.values.contains(where: isSame) { return false }
                if state.asked.values.contains(where: isSame) { return nil }
                state.asked[number] = whom
                return true
            }
            if let mayAsk { return mayAsk }
            usleep(look)
        } while .now < end
        return false
    }

    /// In microseconds.
    private let look: UInt32 = 1000
}
