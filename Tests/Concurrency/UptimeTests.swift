import Apod
import Concurrency
import Files
import TestSupport
import Testing

@Suite("The uptime")
struct UptimeTests {
    private func text(_ path: String) throws -> String {
        String(decoding: try File.reading(path).stream(), as: UTF8.self)
    }

    @Test("is of this start of the system, and counts from there, not from what a clock was set to")
    func uptime() throws {
        let before = Uptime.now
        #expect(before.boot + "\n" == (try text("/proc/sys/kernel/random/boot_id")))
        let words = try text("/proc/uptime").split(separator: ".")
        // There, sleep counts.
        #expect(before.seconds > 0 && before.seconds <= Int(words[0])!)
        let after = Uptime.now
        #expect(after.boot == before.boot && after.seconds >= before.seconds)
    }
}
