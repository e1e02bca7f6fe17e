import Glibc

/// One that lasts as long as its work.
package func startThread(_ work: @escaping @Sendable () -> Void) {
    let code = tryToStartThread(work)
    precondition(code == 0, "cannot start a thread: \(String(cString: strerror(code)))")
}

/// The same; returns the system's reason if it cannot be started, and otherwise 0.
func tryToStartThread(_ work: @escaping @Sendable () -> Void) -> Int32 {
    final class Work: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
    let work = Unmanaged.passRetained(Work(work))
    var thread = pthread_t()
    let code = pthread_create(
        &thread, nil,
        {
            Unmanaged<Work>.fromOpaque($0!).takeRetainedValue().run()
            return nil
        }, work.toOpaque())
    if code == 0 { pthread_detach(thread) } else { work.release() }
    return code
}
