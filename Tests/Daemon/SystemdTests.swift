import Testing

@testable import Daemon

@Suite("What systemd is told")
struct SystemdTests {
    @Test("is one line, whatever the status says", arguments: ["\n", "\r\n", "\u{d4e}\n\u{301}", "\u{85}", "\u{1b}"])
    func status(words: String) {
        let lines = Systemd.News.status("a\(words)READY=1").lines
        #expect(lines.hasPrefix("STATUS=a"))
        #expect(!lines.unicodeScalars.contains { $0.properties.generalCategory == .control })
    }
}
