package import Glibc

/// Starts a thread that ends with its work.
package func startThread(_ work: @escaping @Sendable () -> Void) { pthread_detach(startThreadToJoin(work)) }

/// Starts a thread that the caller joins (pthread_join(3)).
package func startThreadToJoin(_ work: @escaping @Sendable () -> Void) -> pthread_t {
    var thread = pthread_t()
    let code = tryToStart(&thread, work)
    if code != 0 { endProgram(without: "start a thread", code) }
    return thread
}

/// Returns the error number, or 0.
func tryToStart(_ thread: inout pthread_t, _ work: @escaping @Sendable () -> Void) -> Int32 {
    final class Work: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
    let work = Unmanaged.passRetained(Work(work))
    let code = pthread_create(
        &thread, nil,
        {
            Unmanaged<Work>.fromOpaque($0!).takeRetainedValue().run()
            return nil
        }, work.toOpaque())
    if code != 0 { work.release() }
    return code
}

/// Ends the program, which cannot go on without that. systemd starts the service again.
func endProgram(without action: String, _ code: Int32) -> Never {
    let advice =
        switch code {
        case EAGAIN:
            """
            the limit of processes, or of memory, is reached; end other programs, or raise the limit (`ulimit -u`; \
            of the service, `TasksMax`)
            """
        case EMFILE, ENFILE: "too many files are open; close some, or raise the limit (`ulimit -n`)"
        default: String(cString: strerror(code))
        }
    let words = Array("apod-mirror: cannot \(action): \(advice)\n".utf8)
    _ = write(STDERR_FILENO, words, words.count)
    _exit(1)
}
