internal import CLinux
import Glibc
import Synchronization

/// Threads of the program's own, for its tasks to run on.
///
/// Where tasks run otherwise, libdispatch looks once a second for threads that are blocked, for as long as the program
/// lasts. Nobody wants that of a service that has nothing to do for days.
package final class Threads: TaskExecutor {
    package static let shared = Threads(count: max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN))))

    private let jobs = Signalled<[UnownedJob]>([])

    private init(count: Int) {
        for _ in 0..<count {
            startThread { [jobs] in
                while true {
                    let due = jobs.waitAndTake { $0.isEmpty ? nil : $0.removeFirst() }
                    due.runSynchronously(on: Threads.shared.asUnownedTaskExecutor())
                }
            }
        }
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.change { $0.append(job) }
    }
}

/// Returns when the time is over; throws when the task is cancelled.
package func nap(for duration: Duration) async throws(CancellationError) {
    let id = Naps.shared.newNumber()
    let isOver = await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
            Naps.shared.begin(id, lasting: duration, continuation)
            if Task.isCancelled { Naps.shared.end(id) }
        }
    } onCancel: {
        Naps.shared.end(id)
    }
    if !isOver { throw CancellationError() }
}

package func nap(until instant: ContinuousClock.Instant) async throws(CancellationError) {
    try await nap(for: instant - .now)
}

/// Who waits for a time to be over, and the thread that wakes them.
private final class Naps: Sendable {
    struct Nap {
        let end: Int
        let continuation: CheckedContinuation<Bool, Never>
    }

    static let shared = Naps()

    private let naps = Signalled<[Int: Nap]>([:])
    private let number = Atomic(0)

    private init() {
        startThread { [naps] in
            while true {
                let over = naps.waitAndTake(until: { $0.values.map(\.end).min() }, Self.takeOver)
                for nap in over { nap.continuation.resume(returning: true) }
            }
        }
    }

    private static func takeOver(_ naps: inout [Int: Nap]) -> [Nap]? {
        let now = monotonicNow()
        let over = naps.filter { $0.value.end <= now }
        for id in over.keys { naps[id] = nil }
        return over.isEmpty ? nil : Array(over.values)
    }

    func newNumber() -> Int { number.add(1, ordering: .relaxed).newValue }

    func begin(_ id: Int, lasting duration: Duration, _ continuation: CheckedContinuation<Bool, Never>) {
        let nanoseconds = min(max(duration / .nanoseconds(1), 0), 1e18)
        naps.change { $0[id] = Nap(end: monotonicNow() + Int(nanoseconds), continuation: continuation) }
    }

    func end(_ id: Int) {
        let nap = naps.change { $0.removeValue(forKey: id) }
        nap?.continuation.resume(returning: false)
    }
}

/// In nanoseconds, by the clock by which `Signalled` waits.
private func monotonicNow() -> Int {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return now.tv_sec * 1_000_000_000 + now.tv_nsec
}

/// One that lasts as long as its work.
package func startThread(_ work: @escaping @Sendable () -> Void) {
    final class Work: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
    var thread = pthread_t()
    let code = pthread_create(
        &thread, nil,
        {
            Unmanaged<Work>.fromOpaque($0!).takeRetainedValue().run()
            return nil
        }, Unmanaged.passRetained(Work(work)).toOpaque())
    precondition(code == 0, "cannot start a thread: \(String(cString: strerror(code)))")
    pthread_detach(thread)
}

/// A value that threads wait for to change. `@unchecked Sendable`: it is only touched with the lock held, and lives as
/// long as the program.
private final class Signalled<Value>: @unchecked Sendable {
    private var value: Value
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init(_ value: Value) {
        self.value = value
        pthread_mutex_init(lock, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    func change<Result>(_ change: (inout Value) -> Result) -> Result {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        defer { pthread_cond_signal(condition) }
        return change(&value)
    }

    /// Waits until there is something to take; tries after each change, and when a moment has come.
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
