import Apod
import Files
import Glibc
import Service
import Store
import Synchronization

/// Standard output and standard error.
enum Terminal {
    /// Whether a person watches the progress.
    static let isInteractive = isatty(STDERR_FILENO) == 1
    /// Whether a person reads the results.
    static let isOutputInteractive = isatty(STDOUT_FILENO) == 1

    /// Whether the results and the complaints are read in one place.
    static let hasOneReader: Bool = {
        var (results, complaints) = (stat(), stat())
        return fstat(STDOUT_FILENO, &results) == 0 && fstat(STDERR_FILENO, &complaints) == 0
            && results.st_dev == complaints.st_dev && results.st_ino == complaints.st_ino
    }()

    /// How the commands in messages are to be typed.
    static let hints = Mutex(Hints())

    private static func lines(_ text: String) -> String { Text.shown(lines: completed(text)) }

    static func completed(_ text: String) -> String { hints.withLock(\.self).completed(text) }

    /// One line, or several, on standard output.
    static func print(_ text: String) {
        write(lines(text) + "\n", to: STDOUT_FILENO)
    }

    /// One line: the path, escaped only on a terminal.
    static func print(path: String) {
        write((isOutputInteractive ? Text.shown(path) : path) + "\n", to: STDOUT_FILENO)
    }

    /// One line, or several, on a terminal; text from U+0002 to U+0003 is bold.
    static func print(highlighting text: String) {
        let parts = text.split(omittingEmptySubsequences: false) { $0 == "\u{2}" || $0 == "\u{3}" }
        let shown = parts.enumerated().map { index, part in
            let words = Text.shown(lines: String(part))
            return index % 2 == 1 ? "\u{1b}[1m\(words)\u{1b}[22m" : words
        }
        write(shown.joined() + "\n", to: STDOUT_FILENO)
    }

    /// One document on standard output.
    static func print(_ json: JSON) {
        write(json.document.text, to: STDOUT_FILENO)
    }

    /// A part of a JSON document, as it is.
    static func print(part: String) { write(part + "\n", to: STDOUT_FILENO) }

    /// A complaint, on standard error.
    static func complain(_ text: String) {
        write("apod-mirror: \(lines(text))\n", to: STDERR_FILENO)
    }

    /// The words of an event; a warning goes to standard error. Errors are ignored: a full disk must not end the service.
    @Sendable static func show(_ words: String, of entry: JournalEntry) {
        if entry.isWarning {
            write("apod-mirror: \(lines(words))\n", to: STDERR_FILENO, orEnd: false)
        } else {
            write("\(lines(words))\n", to: STDOUT_FILENO, orEnd: false)
        }
    }

    static func write(_ text: String, to descriptor: Int32, orEnd: Bool = true) {
        var bytes = text.bytes[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress!, $0.count) }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN {
                var ready = [pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)]
                waitUntilReady(&ready)
                continue
            }
            if count <= 0, !orEnd { return }
            if count <= 0 {
                // EPIPE: nobody reads the output.
                if errno != EPIPE, descriptor != STDERR_FILENO {
                    complain("cannot write what there is to say: \(String(cString: strerror(errno)))")
                }
                _exit(ExitStatus.incomplete.rawValue)
            }
            bytes = bytes.dropFirst(count)
        }
    }

    /// The columns of standard error.
    static var width: Int { columns(of: STDERR_FILENO) }
    /// The columns of standard output.
    static var outputWidth: Int { columns(of: STDOUT_FILENO) }

    private static func columns(of descriptor: Int32) -> Int {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}
