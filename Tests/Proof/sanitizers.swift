import Glibc

private final class Count: Sendable {
    nonisolated(unsafe) var value = 0
    nonisolated(unsafe) var other: Count?
}

private let count = Count()

private func race(_: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    for _ in 0..<1000 { count.value += 1 }
    return nil
}

/// What `sanitizers` must see: a `race`, or else a leak.
@main
struct Awake {
    static func main() {
        guard CommandLine.arguments.last == "race" else {
            for _ in 0..<100 {
                let one = Count()
                one.other = Count()
                one.other?.other = one
            }
            exit(0)
        }
        let threads = (0..<2).map { _ in
            var thread = pthread_t()
            pthread_create(&thread, nil, race, nil)
            return thread
        }
        for thread in threads { pthread_join(thread, nil) }
        exit(0)
    }
}
