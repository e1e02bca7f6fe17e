import Apod
import Fetching
import Service
import TestSupport
import Testing

@Suite("What the service knows of hosts", .timeLimit(.minutes(1)))
struct KnownHostsTests {
    /// The newest day needs no picture: gaps before a day that is here are asked for as soon as the mirror is open.
    private let entries =
        Entry.days(2, newest: Outpost.today.advanced(by: -1), bytes: 2_000) + [Entry(Outpost.today, .text)]

    /// The pictures are on a host of their own.
    private func outpost(_ pictures: String) throws -> Outpost { try Outpost(entries, pictures: pictures) }

    private func reload(_ outpost: Outpost) {
        outpost.settings.recheckDays += 1
        outpost.caretaker?.reload(outpost.settings)
    }

    /// Until the days have been asked for after as many reloads.
    private func failed(_ outpost: Outpost, afterReloads count: Int) async throws {
        _ = try await outpost.told.first { notices in
            let parts = notices.split(omittingEmptySubsequences: false) { $0.event == .reloaded }
            return parts.count > count && parts[count].count { $0.event == .failed } >= 2
        }
    }

    @Test("is known after a reload: who asked for an hour is not asked before that", arguments: [403, 429])
    func wish(status: Int) async throws {
        let pictures = try HTTPServer { _ in .html(status, retryAfter: "3600") }
        let outpost = try outpost(pictures.origin)
        outpost.start()
        try await failed(outpost, afterReloads: 0)
        let asked = pictures.requests.count
        for count in 1...2 {
            reload(outpost)
            try await failed(outpost, afterReloads: count)
        }
        #expect(pictures.requests.count == asked)
        await outpost.stop()
    }

    @Test("is known after a reload: who could not be reached is not tried before its time")
    func unreachable() async throws {
        let gone = try FakeNASA()
        gone.stop()
        let outpost = try outpost(gone.origin)
        outpost.cooldowns = Cooldowns(shortest: .seconds(3600))
        outpost.start()
        try await failed(outpost, afterReloads: 0)
        let back = try FakeNASA(entries, port: gone.server.port)
        reload(outpost)
        try await failed(outpost, afterReloads: 1)
        #expect(back.requests.isEmpty)
        await outpost.stop()
    }

    @Test("allows the next to try a host when a reload has cancelled the one that tried")
    func cancelledProbe() async throws {
        let gone = try FakeNASA()
        gone.stop()
        let outpost = try outpost(gone.origin)
        outpost.cooldowns = Cooldowns(shortest: .milliseconds(1))
        outpost.start()
        try await failed(outpost, afterReloads: 0)
        let back = try FakeNASA(entries, port: gone.server.port)
        back.intercept = { _ in .hanging }
        reload(outpost)
        try await back.server.request { _ in true }
        back.intercept = nil
        reload(outpost)
        try await outpost.mirrored(Outpost.today.advanced(by: -1))
        await outpost.stop()
    }
}
