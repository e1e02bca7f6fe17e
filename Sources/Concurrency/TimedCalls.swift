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

    /// What `work` returns; nil when there is no answer, or one of those who `isSame` owes one. `whom`: who is left alone
    /// then.
    package func answer<Value: Sendable>(
        of whom: Whom, where isSame: (Whom) -> Bool, to work: @escaping @Sendable () -> Value
    ) -> Value? {
        let number = number.add(1, ordering: .relaxed).newValue
        guard begin(number, whom, isSame) else { return nil }
        let answer = Answer<Value>()
        startThread { [self] in
            answer.give(work())
            if state.withLock({ $0.silent.removeValue(forKey: number) }) != nil { isBack() }
        }
        answer.wait(limit)
        // Either it is known to be silent, or it has answered.
        return state.withLock { state in
            state.asked[number] = nil
            if answer.value == nil { state.silent[number] = whom }
            return answer.value
        }
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

private final class Answer<Value: Sendable>: Sendable {
    private let given = Mutex<Value?>(nil)
    private let wakeUp = EventFD()

    var value: Value? { given.withLock(\.self) }

    func give(_ value: Value) {
        given.withLock { $0 = value }
        wakeUp.wake()
    }

    func wait(_ limit: Duration) {
        var source = pollfd(fd: wakeUp.descriptor, events: Int16(POLLIN), revents: 0)
        while poll(&source, 1, Int32(clamping: Int64(limit / .milliseconds(1)))) < 0 {}
    }
}
