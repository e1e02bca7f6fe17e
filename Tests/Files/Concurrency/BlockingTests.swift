import Apod
import Files
import Glibc
import Testing

struct BlockingTests {
    @Test("Blocking work returns what it made, and passes its error on")
    func errors() async {
        #expect(await blocking { 1 + 1 } == 2)
        do {
            try await blocking { throw Problem("read", "x", code: EIO) }
            Issue.record("nothing was thrown")
        } catch {
            #expect(error.problem == Problem("read", "x", code: EIO))
        }
    }

    @Test("Blocking work sees that its task is cancelled, however late")
    func cancellation() async {
        let (begun, doorbell) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            await blocking {
                let before = Task.isCancelled
                doorbell.yield()
                for _ in 0..<20_000 where !Task.isCancelled { usleep(1_000) }
                return [before, Task.isCancelled]
            }
        }
        for await _ in begun {
            task.cancel()
            break
        }
        #expect(await task.value == [false, true])
    }

    /// As many of them as there are threads for tasks: on those, nothing would be left to open the door.
    @Test("Blocking work does not hold up the threads that tasks share")
    func offThePool() async {
        let count = sysconf(Int32(_SC_NPROCESSORS_ONLN))
        let door = Door()
        let (begun, doorbell) = AsyncStream.makeStream(of: Void.self)
        let allPassed = await withTaskGroup { group in
            for _ in 0..<count {
                group.addTask {
                    await blocking {
                        doorbell.yield()
                        return door.pass()
                    }
                }
            }
            var waiting = begun.makeAsyncIterator()
            for _ in 0..<count { await waiting.next() }
            for _ in 0..<count { door.open() }
            return await group.reduce(true) { $0 && $1 }
        }
        #expect(allPassed)
    }
}

/// Opened as often as it is to be passed.
///
/// `@unchecked Sendable`: a semaphore is for any thread.
private final class Door: @unchecked Sendable {
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() { sem_init(semaphore, 0, 0) }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    func open() { sem_post(semaphore) }

    /// False if nobody opened.
    func pass() -> Bool {
        var end = timespec()
        clock_gettime(CLOCK_REALTIME, &end)
        end.tv_sec += 20
        return sem_timedwait(semaphore, &end) == 0
    }
}
