import Glibc

/// Threads of the program's own, for its tasks to run on.
///
/// Where tasks run otherwise, libdispatch looks once a second for threads that are blocked, for as long as the program
/// lasts. Nobody wants that of a service that has nothing to do for days.
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
