import Files
import Glibc
import TestSupport
import Testing

@testable import Favorites
@testable import Watching

extension WatcherTests {
    @Suite("when something is mounted", .enabled(if: Disk.canBeMade))
    struct MountTests {
        private let slowly = Duration.seconds(100)

        @Test("over the favorites, says that they are on another disk until it is gone", arguments: [0, MNT_DETACH])
        func favorites(detach: Int) async throws {
            let outlook = try Outlook("favorites", "favorites/a", pollInterval: slowly)
            for _ in 0..<2 {
                try outlook.mount(on: "favorites")
                #expect(try await outlook.lost() == .unreadable(EXDEV))
                try await outlook.unmount("favorites", Int32(detach))
                try await outlook.watched()
                try await outlook.link(in: "a")
            }
        }

        @Test("over an album, watches the folder below when it is gone")
        func album() async throws {
            let outlook = try Outlook("favorites", "favorites/a", "favorites/b", pollInterval: slowly)
            try outlook.mount(on: "favorites/a")
            try await outlook.everywhere()
            try outlook.makeFolder("favorites/c")
            try await outlook.link(in: "b")
            try await outlook.unmount("favorites/a")
            try await outlook.everywhere()
            try await outlook.link(in: "a")
        }

        @Test("over the root, says that the favorites are missing until it is gone")
        func root() async throws {
            let outlook = try Outlook("favorites", at: "mirror", pollInterval: slowly)
            try outlook.mount(on: "")
            #expect(try await outlook.lost() == .missing)
            try await outlook.unmount("")
            try await outlook.watched()
            try await outlook.link(in: "")
        }

        private static let needs: [String] = ["/dev/fuse", "/usr/bin/sshfs", "/usr/lib/openssh/sftp-server"]
        private static let hasSSHFS = needs.allSatisfy { access($0, R_OK) == 0 }

        @Test("elsewhere, does not wake up more than once; and never when nothing happens")
        func idle() async throws {
            let others = WakeUps()
            let outlook = try Outlook("favorites", "favorites/a", pollInterval: slowly)
            let atFirst = WakeUps(without: others)
            for _ in 0..<20 { await outlook.watcher.answer() }
            let thread = try #require(WakeUps(without: others).busiest(since: atFirst))
            var stirs: [Stir] = []
            // To wait for a lock counts as well, and so does what others on this machine mount.
            while stirs.count < 10, stirs.last?.isSlight != true {
                let before = try await WakeUps.atRest(thread)
                _ = outlook.changeQueue.take()
                let mounts = try Self.mounts()
                let disk = try Disk("tmpfs")
                while WakeUps().counts[thread] == before {
                    try Task.checkCancellation()
                    await Task.yield()
                }
                let after = try await WakeUps.atRest(thread)
                poll(nil, 0, 300)
                let later = WakeUps().counts[thread] ?? 0
                guard try Self.mounts(without: disk.path) == mounts else { continue }
                stirs.append(Stir(wakes: after - before, later: later - after, queued: outlook.changeQueue.take()))
            }
            #expect(stirs.last?.isSlight == true, "\(stirs)")
        }

        /// What a mount elsewhere does to the thread that watches.
        private struct Stir {
            let wakes: Int
            let later: Int
            let queued: DirtyPaths

            var isSlight: Bool { 1...3 ~= wakes && later == 0 && queued == .none }
        }

        private static func mounts(without path: String = "nowhere") throws -> [Substring] {
            let table = String(decoding: try File.reading("/proc/self/mountinfo").stream(), as: UTF8.self)
            return table.split(separator: "\n").filter { !$0.contains(" \(path) ") }
        }
    }
}

extension Outlook {
    func mount(on name: String) throws { try system("mount", Glibc.mount("test", path(name), "tmpfs", 0, nil)) }

    /// As soon as the thread that watches does not look into it.
    func unmount(_ name: String, _ flags: Int32 = 0) async throws {
        while umount2(path(name), flags) != 0 {
            guard errno == EBUSY else { throw SystemError("umount") }
            try Task.checkCancellation()
            await watcher.answer()
        }
    }
}

/// How often each thread of this process has begun to wait (proc_pid_status(5)).
private struct WakeUps {
    private(set) var counts: [String: Int] = [:]

    init(without others: WakeUps? = nil) {
        for thread in (try? Folder.open("/proc/self/task").names()) ?? [] where others?.counts[thread] == nil {
            let status = try? File.reading("/proc/self/task/\(thread)/status").stream()
            let lines = String(decoding: status ?? [], as: UTF8.self).split(separator: "\n")
            let line = lines.first { $0.hasPrefix("voluntary_ctxt_switches:") }
            counts[thread] = line?.split(separator: "\t").last.flatMap { Int($0) }
        }
    }

    /// How often one has, as soon as it waits again.
    static func atRest(_ thread: String) async throws -> Int {
        while true {
            try Task.checkCancellation()
            let before = WakeUps().counts[thread]
            let status = try File.reading("/proc/self/task/\(thread)/status").stream()
            let isWaiting = String(decoding: status, as: UTF8.self).contains("State:\tS")
            if isWaiting, let before, WakeUps().counts[thread] == before { return before }
            await Task.yield()
        }
    }

    func busiest(since before: WakeUps) -> String? {
        counts.max { $0.value - before[$0.key] < $1.value - before[$1.key] }?.key
    }

    private subscript(thread: String) -> Int { counts[thread, default: 0] }
}
