import Glibc
import Synchronization

private final class Count: Sendable {
    nonisolated(unsafe) var value = 0
    nonisolated(unsafe) var other: Count?
}

private let lock = Mutex(())
private let count = Count()

/// What `sanitizers` must see, and what it must not: `race`, `leak`, or `lock`.
@main
struct Awake {
    static func main() {
        switch CommandLine.arguments.last {
        case "race":
            together { _ in
                for _ in 0..<1000 { count.value += 1 }
                return nil
            }
        case "leak":
            for _ in 0..<100 {
                let one = Count()
                one.other = Count()
                one.other?.other = one
            }
        default:
            // Each waits for the other, in the kernel too.
            together { _ in
                for _ in 0..<200 {
                    lock.withLock { _ in
                        count.value += 1
                        usleep(100)
                    }
                }
                return nil
            }
        }
        exit(0)
    }

    static func together(_ work: @Sendable @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?) {
        let threads = (0..<2).map { _ in
            var thread = pthread_t()
            pthread_create(&thread, nil, work, nil)
            return thread
        }
        for thread in threads { pthread_join(thread, nil) }
    }
}
