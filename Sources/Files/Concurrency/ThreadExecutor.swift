import Glibc

/// The program's own threads for its tasks: libdispatch, once used, would wake up every second for ever.
///
/// Tasks on these threads must not block: they use `sleep` and `WallClock`, and `blocking` for work on the disk.
package final class ThreadExecutor: TaskExecutor {
    package static let shared = ThreadExecutor(count: max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN))))

    private let jobs = Monitor<[UnownedJob]>([])

    private init(count: Int) {
        for _ in 0..<count {
            startThread { [jobs] in
                while true {
                    let due = jobs.waitAndTake { $0.isEmpty ? nil : $0.removeFirst() }
                    due.runSynchronously(on: ThreadExecutor.shared.asUnownedTaskExecutor())
                }
            }
        }
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.change { $0.append(job) }
    }
}
