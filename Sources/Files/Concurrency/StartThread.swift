import Apod
package import Glibc

/// Starts a thread that ends with its work.
package func startThread(_ work: @escaping @Sendable () -> Void) { pthread_detach(startThreadToJoin(work)) }

/// Starts a thread that the caller joins (pthread_join(3)).
package func startThreadToJoin(_ work: @escaping @Sendable () -> Void) -> pthread_t {
    final class Closure: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
    var thread = pthread_t()
    let code = pthread_create(
        &thread, nil,
        {
            Unmanaged<Closure>.fromOpaque($0!).takeRetainedValue().run()
            return nil
        }, Unmanaged.passRetained(Closure(work)).toOpaque())
    if code != 0 { endProgram(without: "start a thread", code) }
    return thread
}

/// Ends the program, which cannot go on without that. systemd starts the service again.
package func endProgram(without action: String, _ code: Int32) -> Never {
    let words = "apod-mirror: cannot \(action): \(String(cString: strerror(code)))\n".bytes
    _ = write(STDERR_FILENO, words, words.count)
    _exit(1)
}
