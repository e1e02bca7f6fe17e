import Apod
import Configuration
import Daemon
import Glibc
import Synchronization
import Syncing

/// Standard output and standard error.
enum Terminal {
    /// A person watches the progress.
    static let isInteractive = isatty(STDERR_FILENO) == 1
    /// A person reads the results.
    static let isOutputInteractive = isatty(STDOUT_FILENO) == 1

    /// For tests: what is written goes there.
    @TaskLocal static var listener: (@Sendable (String) -> Void)?

    /// What belongs to the commands that are named.
    static let hints = Mutex(Hints())

    private static func lines(_ text: String) -> String { Text.shown(lines: completed(text)) }

    static func completed(_ text: String) -> String { hints.withLock { $0.completed(text) } }

    /// One line, or several, on standard output.
    static func print(_ text: String) {
        write(lines(text) + "\n", to: STDOUT_FILENO)
    }

    /// One line: a program takes the path as it is, a person reads it.
    static func print(path: String) {
        write((isOutputInteractive ? Text.shown(path) : path) + "\n", to: STDOUT_FILENO)
    }

    /// One line, or several, with what stands between U+0002 and U+0003 made to stand out.
    static func print(highlighting text: String) {
        let (bold, plain) = isOutputInteractive ? ("\u{1b}[1m", "\u{1b}[22m") : ("", "")
        let parts = text.split(separator: "\u{2}", omittingEmptySubsequences: false)
        let highlighted = parts.dropFirst().map { part in
            let halves = part.split(separator: "\u{3}", maxSplits: 1, omittingEmptySubsequences: false)
            return bold + Text.shown(lines: String(halves[0])) + plain
                + Text.shown(lines: String(halves.dropFirst().first ?? ""))
        }
        write(Text.shown(lines: String(parts.first ?? "")) + highlighted.joined() + "\n", to: STDOUT_FILENO)
    }

    /// One document on standard output.
    static func print(_ json: JSON) {
        write(String(decoding: json.document, as: UTF8.self), to: STDOUT_FILENO)
    }

    /// Some lines of a document, as they are.
    static func print(part: String) { write(part + "\n", to: STDOUT_FILENO) }

    /// What went wrong, on standard error.
    static func complain(_ text: String) {
        write("apod-mirror: \(lines(text))\n", to: STDERR_FILENO)
    }

    /// The same, with what to do about it.
    static func complain(_ error: any Error, in settings: Settings) {
        complain(Failure(error, in: settings).told(in: settings.root))
    }

    /// On standard output, or, what is not as it should be, on standard error. A service goes on where nothing can be
    /// written, on a full disk perhaps.
    @Sendable static func show(_ notice: Notice) {
        if notice.isWarning {
            write("apod-mirror: \(lines(notice.words))\n", to: STDERR_FILENO, orEnd: false)
        } else {
            write("\(lines(notice.words))\n", to: STDOUT_FILENO, orEnd: false)
        }
    }

    static func write(_ text: String, to descriptor: Int32, orEnd: Bool = true) {
        if let listener { return listener(text) }
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress!, $0.count) }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN {
                var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&ready, 1, -1)
                continue
            }
            if count <= 0, !orEnd { return }
            if count <= 0 {
                // Nobody reads any more: there is nothing left to say.
                if errno != EPIPE, descriptor != STDERR_FILENO {
                    complain("cannot write what there is to say: \(String(cString: strerror(errno)))")
                }
                _exit(ExitStatus.incomplete.rawValue)
            }
            bytes = bytes.dropFirst(count)
        }
    }

    /// Of what shows the progress.
    static var width: Int { columns(of: STDERR_FILENO) }
    /// Of what shows the results.
    static var outputWidth: Int { columns(of: STDOUT_FILENO) }

    private static func columns(of descriptor: Int32) -> Int {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}
