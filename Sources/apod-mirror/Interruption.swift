import Glibc

/// Ctrl-C, or a request to end: the first is passed on, the second ends the program at once.
enum Interruption {
    private static var signals: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, signal) }
        return signals
    }

    static func block() {
        var signals = signals
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Waits on a thread of its own, for as long as the program runs.
    static func onFirst(_ action: @escaping @Sendable () -> Void) {
        let action = Unmanaged.passRetained(Action(run: action)).toOpaque()
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { action in
                let action = Unmanaged<Action>.fromOpaque(action!).takeRetainedValue()
                Interruption.wait()
                action.run()
                Interruption.wait()
                _exit(ExitStatus.incomplete.rawValue)
            }, action)
        pthread_detach(thread)
    }

    /// For commands that have nothing to wind up.
    static func unblock() {
        var signals = signals
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    private static func wait() {
        var signals = signals
        var received: Int32 = 0
        sigwait(&signals, &received)
    }

    private final class Action: Sendable {
        let run: @Sendable () -> Void

        init(run: @escaping @Sendable () -> Void) { self.run = run }
    }
}
