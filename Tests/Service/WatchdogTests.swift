import Apod
import Dispatch
import Files
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Archive
@testable import Service

/// Each of those whom the watchdog asks stops working, and works again; the others go on all the time.
extension CaretakerTests {
    /// It tells a hundred times a second that it is alive.
    private func guarded(_ change: (inout Settings) -> Void = { _ in }) async throws -> Outpost {
        let outpost = try Outpost(days: 2, change)
        outpost.start(watchdog: .milliseconds(30))
        try await outpost.mirrored(Outpost.today)
        try await outpost.told(.watching)
        try await alive(outpost)
        return outpost
    }

    private func signs(_ outpost: Outpost) -> Int { outpost.news.value.count { $0 == "alive" } }

    private func alive(_ outpost: Outpost) async throws {
        let before = signs(outpost)
        _ = try await outpost.news.first { news in news.count { $0 == "alive" } > before + 3 }
    }

    /// Nothing is told for much longer than it takes to tell it.
    private func expectSilence(_ outpost: Outpost) async throws {
        for _ in 1...10 {
            let before = signs(outpost)
            try await nap(for: .milliseconds(500))
            if signs(outpost) == before { return }
        }
        Issue.record("it is told alive all the time")
    }

    @Test("is not told alive while its catalog waits for another writer, and loses nothing by it")
    func catalogStands() async throws {
        let outpost = try await guarded()
        let gate = DispatchSemaphore(value: 0)
        let isIn = Awaited(false)
        let root = outpost.root
        startThread {
            _ = try? Archive.catalogBeside(root: root)?.database.withLock { database throws(CatalogError) in
                try database.transaction { () throws(CatalogError) in
                    isIn.update { $0 = true }
                    gate.wait()
                }
            }
        }
        _ = try await isIn.first { $0 }
        try await alive(outpost)
        symlink("2026-11-19", "\(root)/favorites/mine")
        try await expectSilence(outpost)
        gate.signal()
        try await alive(outpost)
        try await outpost.eventually { try outpost.catalog().favorites().count == 1 }
        #expect(await outpost.stop() == nil)
    }

    @Test("is not told alive while nobody watches the favorites", .enabled(if: geteuid() == 0))
    func watchingStands() async throws {
        let outpost = try await guarded()
        // Whoever opens the folder waits for as long as this lives (fanotify(7)).
        let script = """
            my ($init, $mark) = `uname -m` =~ /x86_64/ ? (300, 301) : (262, 263);
            $| = 1;
            (my $all = syscall($init, 5, 0)) >= 0 or die $!;
            syscall($mark, $all, 1, 0x40010000, -100, $ARGV[0]) == 0 or die $!;
            print "marked\\n"; sleep 100;
            """
        let holder = try Program("/usr/bin/perl", ["-e", script, "\(outpost.root)/favorites"])
        #expect(try await holder.outcome { $0.output == "marked\n" }.end == nil)
        try await alive(outpost)
        mkdir("\(outpost.root)/favorites/album", 0o755)
        try await expectSilence(outpost)
        holder.kill()
        try await alive(outpost)
        #expect(await outpost.stop() == nil)
    }

    @Test("is not told alive while nobody hears commands")
    func hearingStands() async throws {
        let outpost = try await guarded()
        let gate = DispatchSemaphore(value: 0)
        let isIn = Awaited(false)
        outpost.onNews.update {
            $0 = { news in
                guard news.contains("a fault") else { return }
                isIn.update { $0 = true }
                gate.wait()
            }
        }
        let caretaker = try #require(outpost.caretaker)
        startThread { caretaker.refuse(.init(description: "a fault")) }
        _ = try await isIn.first { $0 }
        try await alive(outpost)
        let folder = try Folder.open("\(outpost.root)/.apod-mirror")
        let socket = try LocalSocket.connected(to: Control.name, in: folder, patience: .seconds(20))
        _ = try socket.send(ControlRequest.status.line[...])
        try await expectSilence(outpost)
        gate.signal()
        try await alive(outpost)
        #expect(await outpost.stop() == nil)
    }

    @Test("is not told alive while nothing comes of a refresh")
    func refreshStands() async throws {
        // So that it need not stand for a quarter of an hour.
        let outpost = try await guarded { $0.rate = -1.0 / 900 }
        let gate = DispatchSemaphore(value: 0)
        let isIn = Awaited(false)
        outpost.nasa.intercept = { _ in
            isIn.update { $0 = true }
            gate.wait()
            gate.signal()
            return nil
        }
        let tomorrow = Outpost.today.advanced(by: 1)
        outpost.nasa.add(Entry(tomorrow))
        outpost.time.set(NewYork.moment(of: tomorrow, second: 300 + Schedule.mostJitter))
        _ = try await isIn.first { $0 }
        try await expectSilence(outpost)
        gate.signal()
        try await alive(outpost)
        try await outpost.mirrored(tomorrow)
        #expect(await outpost.stop() == nil)
    }
}
