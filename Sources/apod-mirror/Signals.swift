import Apod
import Files
import Glibc
import Synchronization

/// The signals that end the program: the first stops its work, the second exits at once.
///
/// Before `onFirst` and after `release`, signals have their default actions. Blocking them to wait for them does not
/// work: once `main` has suspended, libdispatch opens its thread to all signals (`_dispatch_sigsuspend`). One that is
/// ignored when the program begins stays so, as nohup and shells in the background want it.
enum Signals {
    private static let all = [SIGINT, SIGTERM, SIGHUP]
    /// The first signal; 0 before it.
    private static let first = Atomic<Int32>(0)

    /// Whether somebody has asked to end.
    static var isAsked: Bool { first.load(ordering: .relaxed) != 0 }

    /// The failure's words; for stopped work, they name the signal.
    static func words(for failure: Problem, in root: String) -> String {
        guard failure.code == .stopped else { return failure.told(in: root) }
        guard isAsked else {
            return "the service was stopped or has new settings; the same command goes on from here when it is back"
        }
        let cause =
            switch first.load(ordering: .relaxed) {
            case SIGINT: " by Ctrl-C"
            case SIGTERM: " by SIGTERM"
            case SIGHUP: ", as its terminal was closed"
            default: ""
            }
        return "stopped\(cause); the same command goes on from here"
    }

    /// Waits on a thread of its own, as long as the program runs. `hangUp`: what SIGHUP does instead.
    static func onFirst(hangUp: (@Sendable () -> Void)? = nil, _ action: @escaping @Sendable () -> Void) {
        var ends: [Int32] = [-1, -1]
        if pipe(&ends) != 0 { endProgram(without: "wait for signals", errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        wakeUp = ends[1]
        let end = ends[0]
        startThread {
            Self.first.store(Self.next(from: end, hangUp), ordering: .relaxed)
            action()
            _ = Self.next(from: end, hangUp)
            _exit(ExitStatus.incomplete.rawValue)
        }
        for signal in all where !isIgnored(signal) || signal == SIGHUP && hangUp != nil { handle(signal) }
    }

    static func release() { for signal in all where !isIgnored(signal) { Glibc.signal(signal, SIG_DFL) } }

    private static func isIgnored(_ signal: Int32) -> Bool {
        var action = sigaction()
        sigaction(signal, nil, &action)
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// Waits for a signal that ends the program.
    private static func next(from end: Int32, _ hangUp: (@Sendable () -> Void)?) -> Int32 {
        while true {
            var byte: UInt8 = 0
            while read(end, &byte, 1) < 0 { if errno != EINTR { endProgram(without: "wait for signals", errno) } }
            guard Int32(byte) == SIGHUP, let hangUp else { return Int32(byte) }
            hangUp()
        }
    }

    private static func handle(_ signal: Int32) {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { signal in
            let before = errno
            var byte = UInt8(signal)
            _ = write(wakeUp, &byte, 1)
            errno = before
        }
        action.sa_flags = SA_RESTART
        sigaction(signal, &action, nil)
    }
}

/// Where the signal handler writes. Set before there is a handler, which must not be the first to touch it.
nonisolated(unsafe) private var wakeUp: Int32 = -1
