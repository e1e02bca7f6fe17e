import Apod
import CLinux
package import Decoding
package import Files
import Glibc

/// The most time that a worker may take.
package struct WorkerLimits: Sendable {
    /// In seconds of processor time, for one picture.
    package var work: Int
    /// By the clock, without a second of processor time: it is stopped, or other programs need the processor.
    package var wait: Duration
    /// In seconds of processor time, for all pictures of one process.
    package var life: Int

    package init(work: Int = 120, wait: Duration = .seconds(60), life: Int? = nil) {
        self.work = work
        self.wait = wait
        self.life = life ?? 10 * work
    }
}

/// A process of `apod-thumbnailer`, which decodes pictures. `deinit` kills it; it leaves nothing behind.
package final class Worker {
    package enum Result {
        case answer(DecodingAnswer)
        /// The process gave no valid answer.
        case ended(End)
        case notStarted(String)
    }

    package enum End: Equatable {
        /// From outside, as when memory is short. The picture is tried once more at once.
        case killed
        /// By the clock, as when other programs need the processor.
        case late
        case overworked
        /// The system could not read the file, as where a disk fails.
        case unread
        case crashed(signal: Int32)
        case stopped

        /// Whether the end says nothing about the picture, which is tried again another time.
        package var isInterruption: Bool { [.killed, .late, .unread].contains(self) }

        package func words(_ limits: WorkerLimits) -> String {
            switch self {
            case .killed: "the decoder was killed twice, as when memory is short"
            case .overworked: "it takes more than \(limits.work) seconds of processor time to decode"
            case .late: "the decoder did nothing for \(limits.wait.components.seconds) seconds"
            case .unread: "the decoder could not read the file"
            case .crashed(let signal): "the decoder crashed over it (signal \(signal))"
            case .stopped: "the decoder gave up on it"
            }
        }
    }

    /// Of the limits and the files: what another version refused is tried again.
    package static let version = Int(DecodingAnswer.greeting)

    private static let program = "apod-thumbnailer"

    /// nil if it is not installed.
    package static var path: String? { InstalledProgram.path(of: program) }

    private let socket: Int32
    private let id: pid_t
    private let limits: WorkerLimits
    private var isReady = false
    /// In seconds of processor time, before it got this picture.
    private var workedBefore = 0
    /// In tenths of a second, when its deadline was last set.
    private var workedLast = 0
    private var job: DecodingJob?
    /// By a clock that stands still while the machine sleeps.
    private var deadline = SuspendingClock.now

    package var isIdle: Bool { job == nil }

    /// `options`: `captions` makes it ready to draw some.
    package init(_ path: String, _ limits: WorkerLimits, options: [String] = []) throws {
        self.limits = limits
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw Problem("make a socket for", path)
        }
        defer { close(ends[1]) }
        socket = ends[0]
        do { id = try InstalledProgram.start([path] + options, input: ends[1]) } catch {
            close(ends[0])
            throw error
        }
    }

    deinit {
        kill(id, SIGKILL)
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        close(socket)
    }

    /// Sends a picture. Returns false if the worker is of no more use: it has spoken unasked, has too little processor
    /// time left, or takes no request.
    package func begin(_ job: DecodingJob) -> Bool {
        if isReady, isReadable(socket) { return false }
        workedBefore = Int(limit_work(id, Int32(limits.work), Int32(limits.life)))
        if isReady, workedBefore + limits.work > limits.life { return false }
        self.job = job
        workedLast = worked
        deadline = .now + limits.wait
        let request = DecodingRequest(job.renditions, caption: job.caption)
        let isSent = DescriptorPassing.send(request.bytes, with: job.file.descriptor, to: socket)
        // It would wait for the picture.
        if !isSent { kill(id, SIGKILL) }
        return isSent
    }

    /// Waits for a worker with a picture that answers or is late; nil when `cancelled` is woken, or none has one.
    package static func firstToAnswer(among workers: [Worker], or cancelled: EventFD) -> Worker? {
        let busy = workers.filter { !$0.isIdle }
        while let earliest = busy.min(by: { $0.deadline < $1.deadline }) {
            var sources = (busy.map(\.socket) + [cancelled.descriptor]).map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            waitUntilReady(&sources, milliseconds: Self.milliseconds(until: earliest.deadline))
            if sources.last!.revents != 0 { return nil }
            if let index = sources.dropLast().firstIndex(where: { $0.revents != 0 }) { return busy[index] }
            if earliest.deadline <= .now, !earliest.extendsDeadline() { return earliest }
        }
        return nil
    }

    /// Returns whether it has worked since it was last asked, and may go on.
    private func extendsDeadline() -> Bool {
        let worked = worked
        defer { workedLast = worked }
        if worked > workedLast { deadline = .now + limits.wait }
        return worked > workedLast
    }

    private static func milliseconds(until moment: SuspendingClock.Instant) -> Int32 {
        Int32(min(max((moment - .now) / .milliseconds(1) + 1, 0), 60_000))
    }

    /// Returns what became of the worker's picture; nil if it only said that it is ready, or `cancelled` is woken.
    package func finish(unless cancelled: EventFD) -> Result? {
        guard let job else { return nil }
        let isLate = deadline <= .now && !isReadable(socket)
        // Once an answer has begun, the rest must follow within 30 seconds.
        deadline = isLate ? .now : .now + .seconds(30)
        func read(_ count: Int) -> [UInt8]? { self.read(count, unless: cancelled) }
        if !isReady {
            switch read(1) {
            case [DecodingAnswer.greeting]?:
                isReady = true
                deadline = .now + limits.wait
                return nil
            case nil where cancelled.isWoken: return nil
            case nil where isLate: return .notStarted("\(Self.program) does not start")
            case nil:
                let end = endOfProcess()
                if !job.wasKilled, End(status: end) == .killed { return .ended(.killed) }
                return .notStarted("\(Self.program) cannot be started: \(Self.words(of: end))")
            default: return .notStarted("\(Self.program) is of another version than this program")
            }
        }
        defer { self.job = nil }
        if let answer = DecodingAnswer(files: job.renditions.count, read) { return .answer(answer) }
        if cancelled.isWoken { return nil }
        return .ended(isLate ? .late : end())
    }

    /// Reads exactly `count` bytes; nil if they do not come in time.
    private func read(_ count: Int, unless cancelled: EventFD) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count < count {
            var sources = [socket, cancelled.descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard deadline > .now else { return nil }
            waitUntilReady(&sources, milliseconds: Self.milliseconds(until: deadline))
            if sources[1].revents != 0 { return nil }
            if sources[0].revents == 0 { continue }
            var piece = [UInt8](repeating: 0, count: min(count - bytes.count, 64 << 10))
            let got = piece.withUnsafeMutableBytes { recv(socket, $0.baseAddress, $0.count, 0) }
            if got < 0, errno == EINTR { continue }
            // An answer that cannot be read says nothing about the picture.
            if got < 0 { kill(id, SIGKILL) }
            guard got > 0 else { return nil }
            bytes += piece.prefix(got)
        }
        return bytes
    }

    private func end() -> End {
        let end = End(status: endOfProcess())
        // What ignores SIGXCPU is killed a little later (setrlimit(2)).
        return end == .killed && worked / 10 - workedBefore >= limits.work ? .overworked : end
    }

    /// In tenths of a second of processor time, also of a process that has ended. On a busy machine, it gets little of it.
    private var worked: Int {
        var (clock, used) = (clockid_t(), timespec())
        guard clock_getcpuclockid(id, &clock) == 0, clock_gettime(clock, &used) == 0 else { return 0 }
        return used.tv_sec * 10 + used.tv_nsec / 100_000_000
    }

    /// How the process ended; nil if it still runs after a second. It is left for `deinit` to reap.
    private func endOfProcess() -> siginfo_t? {
        var info = siginfo_t()
        for _ in 0..<200 {
            guard waitid(P_PID, id_t(id), &info, WEXITED | WNOHANG | WNOWAIT) == 0 else { return nil }
            if info.si_signo == SIGCHLD { return info }
            usleep(5_000)
        }
        return nil
    }

    private static func words(of end: siginfo_t?) -> String {
        guard let end else { return "it says nothing" }
        let status = end._sifields._sigchld.si_status
        return end.si_code == CLD_EXITED ? "it ends with status \(status)" : "signal \(status) ends it"
    }
}

extension Worker.End {
    fileprivate init(status: siginfo_t?) {
        guard let status, status.si_code != CLD_EXITED else {
            self = status?._sifields._sigchld.si_status == EX_IOERR ? .unread : .stopped
            return
        }
        switch status._sifields._sigchld.si_status {
        case SIGKILL, SIGTERM, SIGINT, SIGHUP: self = .killed
        case SIGXCPU: self = .overworked
        // Of a file that is mapped into memory (mmap(2)).
        case SIGBUS: self = .unread
        case let signal: self = .crashed(signal: signal)
        }
    }
}

/// A picture that a worker decodes.
package struct DecodingJob: Sendable {
    package let file: File
    /// The files to ask for; empty to check the picture only.
    package let renditions: [Rendition]
    package var caption = ""
    package var wasKilled = false

    package init(_ file: File, _ renditions: [Rendition] = []) { (self.file, self.renditions) = (file, renditions) }
}
