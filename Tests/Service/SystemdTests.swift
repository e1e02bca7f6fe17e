import Glibc
import Testing

@testable import Service

struct SystemdTests {
    @Test(
        "What systemd is told is one line, whatever the status says",
        arguments: ["\n", "\r\n", "\u{d4e}\n\u{301}", "\u{85}", "\u{1b}"])
    func status(words: String) {
        let lines = Systemd.Notification.status("a\(words)READY=1").lines
        #expect(lines.hasPrefix("STATUS=a"))
        #expect(!lines.unicodeScalars.contains { $0.properties.generalCategory == .control })
    }

    @Test("What systemd is told is the time of a reload in microseconds, by the clock that systemd goes by")
    func reloading() throws {
        let lines = Systemd.Notification.reloading.lines.split(separator: "\n")
        let time = try #require(lines.last?.split(separator: "=").last.flatMap { Int($0) })
        #expect(lines.first == "RELOADING=1" && lines.last == "MONOTONIC_USEC=\(time)")
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        #expect(abs(now.tv_sec - time / 1_000_000) <= 1)
    }
}
