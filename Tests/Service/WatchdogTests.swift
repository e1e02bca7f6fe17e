import Apod
import Dispatch
import Files
import Glibc
import Synchronization
import Syncing
import TestMirror
import TestSupport
import Testing

@testable import Configuration
@testable import Service
@testable import Store

/// Each of those whom the watchdog asks stops working, and works again. While one is held up, nothing is waited for that
/// needs the service: on a busy machine, it may not be done with anything yet.
extension MirrorServiceTests {
    /// It tells a hundred times a second that it is alive.
    private func guarded(_ change: (inout Settings) -> Void = { _ in }) async throws -> TestService {
        let testService = try TestService(days: 2, change)
        testService.start(watchdog: .milliseconds(30))
        try await testService.mirrored(TestService.today)
        try await testService.told(.watching)
        try await alive(testService)
        return testService
    }

    private func signs(_ testService: TestService) -> Int { testService.news.value.count { $0 == "alive" } }

    private func alive(_ testService: TestService) async throws {
        let before = signs(testService)
        try await testService.news.first("news") { news in news.count { $0 == "alive" } > before + 3 }
    }

    /// Nothing is told for much longer than it takes to tell it.
    private func expectSilence(_ testService: TestService) async throws {
        for _ in 1...10 {
            let before = signs(testService)
            try await sleep(for: .milliseconds(500))
            if signs(testService) == before { return }
        }
        Issue.record("it is told alive all the time")
    }

    @Test("The service is not told alive while its catalog waits for another writer, and loses nothing by it")
    func catalogStands() async throws {
        let testService = try await guarded()
        let gate = DispatchSemaphore(value: 0)
        defer { gate.signal() }
        let isIn = Awaited(false)
        let root = testService.root
        startThread {
            _ = try? Catalog(in: root).database.withLock { database in
                try database.transaction {
                    isIn.update { $0 = true }
                    gate.wait()
                }
            }
        }
        try await isIn.first("the hold") { $0 }
        symlink("2026-11-19", "\(root)/favorites/mine")
        try await expectSilence(testService)
        gate.signal()
        try await alive(testService)
        try await testService.eventually { try testService.log.favorites.count == 1 }
        #expect(await testService.stop() == nil)
    }

    @Test(
        "The service is not told alive while nobody watches the favorites", .root)
    func watchingStands() async throws {
        let testService = try await guarded()
        // Whoever opens the folder waits for as long as this lives (fanotify(7)).
        let script = """
            my ($init, $mark) = `uname -m` =~ /x86_64/ ? (300, 301) : (262, 263);
            $| = 1;
            (my $all = syscall($init, 5, 0)) >= 0 or die $!;
            syscall($mark, $all, 1, 0x40010000, -100, $ARGV[0]) == 0 or die $!;
            print "marked\\n"; sleep 100;
            """
        let holder = try Program("/usr/bin/perl", ["-e", script, testService["favorites"]])
        #expect(try await holder.outcome { $0.output == "marked\n" }.end == nil)
        mkdir(testService["favorites/album"], 0o755)
        try await expectSilence(testService)
        holder.kill()
        try await alive(testService)
        #expect(await testService.stop() == nil)
    }

    @Test("The service is not told alive while nobody hears commands")
    func hearingStands() async throws {
        let testService = try await guarded()
        let gate = DispatchSemaphore(value: 0)
        defer { gate.signal() }
        // The thread that hears commands tells itself what it is asked for.
        testService.onEntry.update { $0 = { entry in if entry.event == .asked { gate.wait() } } }
        let socket = try LocalSocket.connected(at: testService[".apod-mirror/control"], timeout: .seconds(20))
        _ = try socket.send(ServiceRequest.job(Job.prune()).bytes[...])
        try await expectSilence(testService)
        gate.signal()
        try await alive(testService)
        #expect(await testService.stop() == nil)
    }

    @Test("The service is not told alive while nothing comes of a refresh")
    func refreshStands() async throws {
        // So that it need not stand for a quarter of an hour.
        let testService = try await guarded { $0.rate = -1.0 / 900 }
        let gate = DispatchSemaphore(value: 0)
        defer { gate.signal() }
        let isIn = Awaited(false)
        testService.nasa.intercept = { _ in
            isIn.update { $0 = true }
            gate.wait()
            gate.signal()
            return nil
        }
        let tomorrow = TestService.today.advanced(by: 1)
        testService.publish(Entry(tomorrow))
        try await isIn.first("the hold") { $0 }
        try await expectSilence(testService)
        gate.signal()
        try await alive(testService)
        try await testService.mirrored(tomorrow)
        #expect(await testService.stop() == nil)
    }
}
