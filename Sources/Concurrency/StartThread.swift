import Glibc

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
