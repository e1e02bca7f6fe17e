import Files
import Glibc
import Synchronization

/// Listens to one program on a thread of its own, so that neither pipe ever fills up.
final class Run: Sendable {
    let outcome: Awaited<Program.Outcome>
    private let output: Int32
    private let errors: Int32
    private let deadline: ContinuousClock.Instant
    /// Nil before it starts and once it has been waited for: from then on the number may be another's.
    private let process = Mutex<pid_t?>(nil)

    init(output: Int32, errors: Int32, deadline: ContinuousClock.Instant, echo: String = "") {
        outcome = Awaited(Program.Outcome(echo: echo))
        self.output = output
        self.errors = errors
        self.deadline = deadline
    }

    deinit {
        close(output)
        close(errors)
    }

    func watch(_ id: pid_t) {
        process.withLock { $0 = id }
        startThread { self.listen() }
    }

    func send(_ signal: Int32) {
        process.withLock { id in
            if let id { Glibc.kill(id, signal) }
        }
    }

    private func listen() {
        let end = readAll() ? waitForEnd() : nil
        if end == nil {
            send(SIGKILL)
            _ = reap(0)
        }
        outcome.update { $0.end = end ?? .tooLong }
    }

    /// False when the time was up before both pipes ended.
    private func readAll() -> Bool {
        var pipes = [output, errors].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while pipes.contains(where: { $0.fd >= 0 }) {
            let left = deadline - .now
            guard left > .zero else { return false }
            guard poll(&pipes, 2, Int32(left / .milliseconds(1)) + 1) > 0 else { continue }
            for index in pipes.indices where pipes[index].revents != 0 {
                if !read(pipes[index].fd) { pipes[index].fd = -1 }
            }
        }
        return true
    }

    private func read(_ pipe: Int32) -> Bool {
        var buffer = nulls(65_536)
        let count = Glibc.read(pipe, &buffer, buffer.count)
        guard count > 0 else { return count < 0 && errno == EINTR }
        let received = buffer[..<count]
        outcome.update { outcome in
            if pipe == output { outcome.outputBytes += received } else { outcome.errorBytes += received }
        }
        return true
    }

    /// Usually at once, for the pipes have ended; a program may close them and live on.
    private func waitForEnd() -> Program.End? {
        while ContinuousClock.now < deadline {
            if let end = reap(WNOHANG) { return end }
            poll(nil, 0, 2)
        }
        return nil
    }

    /// Under the lock, so that no signal goes to a number that was just given back.
    private func reap(_ options: Int32) -> Program.End? {
        process.withLock { id in
            var status: Int32 = 0
            guard let living = id, waitpid(living, &status, options) == living else { return nil }
            id = nil
            let signal = status & 0x7f
            return signal == 0 ? .exited(status >> 8 & 0xff) : .signalled(signal)
        }
    }
}
