import Apod
import Synchronization

/// The line on a terminal that shows how far work is, how fast it goes and how long it will take.
final class ProgressBar: Sendable {
    private let start: ContinuousClock.Instant
    private let isDrawn = Mutex(false)
    private let timeLeft = Mutex(TimeLeft())

    init(since start: ContinuousClock.Instant = .now) { self.start = start }

    /// Draws the wait for an answer.
    func draw(askingFor days: Int, delay: String?) {
        let seconds = Int((ContinuousClock.now - start) / .seconds(1))
        var text = "asking for \(days == 0 ? "news" : Day.count(days))"
        if seconds >= 3 { text += " · \(seconds) s" }
        if let delay { text += " · waiting: \(Text.shown(delay))" }
        write(String(text.prefix(Terminal.width - 1)))
    }

    func draw(done: Int, of planned: Int, bytes: Int, unit: String) {
        let text = words(done: done, of: planned, bytes: bytes, unit: unit)
        let room = min(30, Terminal.width - text.count - 4)
        let filled = planned > 0 && room > 0 ? room * min(done, planned) / planned : 0
        let line =
            room < 5
            ? String(text.prefix(Terminal.width - 1))
            : "[" + String(repeating: "=", count: filled) + String(repeating: " ", count: room - filled) + "] " + text
        write(line)
    }

    func words(done: Int, of planned: Int, bytes: Int, unit: String) -> String {
        let seconds = max((ContinuousClock.now - start) / .seconds(1), 0.001)
        var parts = ["\(done)/\(planned) \(unit)", Size.text(bytes)]
        parts.append("\(Size.text(Int(min(Double(bytes) / seconds, 1e18))))/s")
        if done > 0, planned > done,
            let left = timeLeft.withLock({ $0.seconds(done: done, left: planned - done, after: seconds) })
        {
            parts.append(TimeLeft.words(left))
        }
        return parts.joined(separator: " · ")
    }

    private func write(_ line: String) {
        isDrawn.withLock { isDrawn in
            isDrawn = true
            Terminal.write("\r\u{1b}[K" + line, to: 2)
        }
    }

    /// Clears the line, and keeps it clear until `print` returns.
    func clear(for print: () -> Void = {}) {
        isDrawn.withLock { isDrawn in
            if isDrawn { Terminal.write("\r\u{1b}[K", to: 2) }
            isDrawn = false
            print()
        }
    }
}
