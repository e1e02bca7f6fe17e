import Files
import Glibc
import Synchronization

/// `apod-server`, for as long as the mirror is open: the setting `listen` makes the service its own web address.
final class WebServer: Sendable {
    private struct State {
        var process: pid_t?
        var isStopped = false
    }

    private struct Ended: Error, CustomStringConvertible { let description: String }

    /// The program and its arguments.
    private let words: [String]
    private let state = Mutex(State())

    init(_ words: [String]) { self.words = words }

    /// Runs until the task is cancelled. Throws if the server ends by itself: it has said why.
    func run() async throws {
        let why = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // The kernel ends the server with the thread that started it (PR_SET_PDEATHSIG).
                startThread { continuation.resume(returning: self.serve()) }
            }
        } onCancel: {
            state.withLock { state in
                state.isStopped = true
                if let process = state.process { kill(process, SIGTERM) }
            }
        }
        try Task.checkCancellation()
        throw why
    }

    /// Returns when the process has ended.
    private func serve() -> any Error {
        do {
            let process = try state.withLock { state in
                if !state.isStopped {
                    state.process = try InstalledProgram.start(words + ["--parent", "\(getpid())"])
                }
                return state.process
            }
            guard let process else { return CancellationError() }
            var end = siginfo_t()
            while waitid(P_PID, id_t(process), &end, WEXITED | WNOWAIT) < 0, errno == EINTR {}
            state.withLock { state in
                state.process = nil
                waitpid(process, nil, 0)
            }
            let (status, isExit) = (end._sifields._sigchld.si_status, end.si_code == CLD_EXITED)
            return Ended(description: "apod-server ended, \(isExit ? "with status" : "by signal") \(status)")
        } catch {
            return error
        }
    }
}
