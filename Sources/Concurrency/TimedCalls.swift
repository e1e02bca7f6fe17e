import Glibc
import Synchronization

/// Asks what may never answer, each time on a thread of its own. Who did not answer in time is left alone until it has.
package final class TimedCalls<Whom: Sendable>: Sendable {
    /// Threads that wait for an answer, and from whom.
    private let silent = Mutex<[Int: Whom]>([:])
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
        of whom: @autoclosure () -> Whom, where isSame: (Whom) -> Bool, to work: @escaping @Sendable () -> Value
    ) -> Value? {
        let isSilent = silent.withLock { $0.count >= mostSilent || $0.values.contains(where: isSame) }
        if isSilent { return nil }
        let answer = Answer<Value>()
        let number = number.add(1, ordering: .relaxed).newValue
        startThread { [self] in
            answer.give(work())
            if silent.withLock({ $0.removeValue(forKey: number) }) != nil { isBack() }
        }
        answer.wait(limit)
        // Either it is known to be silent, or it has answered.
        return silent.withLock { silent in
            if answer.value == nil { silent[number] = whom() }
            return answer.value
        }
    }
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
