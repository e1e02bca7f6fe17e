import CLinux
import Glibc

/// A value on whose changes threads can wait. `@unchecked Sendable`: it is only touched with the lock held.
package final class Monitor<Value>: @unchecked Sendable {
    private var value: Value
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    package init(_ value: Value) {
        self.value = value
        pthread_mutex_init(lock, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(lock)
        condition.deallocate()
        lock.deallocate()
    }

    package func change<Result>(_ change: (inout Value) -> Result) -> Result {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        defer { pthread_cond_signal(condition) }
        return change(&value)
    }

    /// Waits until `take` returns something. It is tried after each change, and at `moment` (`monotonicNow()`).
    func waitAndTake<Result>(
        until moment: (Value) -> Int? = { _ in nil }, _ take: (inout Value) -> Result?
    ) -> Result {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        while true {
            if let result = take(&value) { return result }
            if let moment = moment(value) {
                var time = timespec(tv_sec: moment / 1_000_000_000, tv_nsec: moment % 1_000_000_000)
                pthread_cond_timedwait(condition, lock, &time)
            } else {
                pthread_cond_wait(condition, lock)
            }
        }
    }
}

/// Nanoseconds, by the clock by which `Monitor` waits.
package func monotonicNow() -> Int {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return now.tv_sec * 1_000_000_000 + now.tv_nsec
}
