import Glibc

/// Reads parts on all cores, and takes what comes of each on the caller's thread, in their order. A portion of the parts is
/// read at a time, so that what waits to be taken has a bound. The first error ends it.
package func readAhead<Part: Sendable, Value: Sendable>(
    _ parts: [Part], portion: Int = 64, _ read: @escaping @Sendable (Part) throws -> Value,
    _ take: (Value) throws -> Void
) throws {
    for start in stride(from: 0, to: parts.count, by: portion) {
        let end = min(start + portion, parts.count)
        let state = Monitor((next: start, read: [Int: Result<Value, any Error>]()))
        let threads = (0..<min(max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))), end - start)).map { _ in
            startThreadToJoin {
                while true {
                    let index = state.change { state in
                        defer { state.next += 1 }
                        return state.next
                    }
                    guard index < end else { return }
                    let value = Result { try read(parts[index]) }
                    state.change { $0.read[index] = value }
                }
            }
        }
        defer {
            state.change { $0.next = end }
            for thread in threads { pthread_join(thread, nil) }
        }
        for index in start..<end { try take(state.waitAndTake { $0.read.removeValue(forKey: index) }.get()) }
    }
}
