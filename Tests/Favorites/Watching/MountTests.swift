import Files
import Glibc
import TestSupport
import Testing

@testable import Favorites

extension WatcherTests {
    @Suite(.enabled(if: Disk.canBeMade, "needs root and mount(2)"))
    struct MountTests {
        private let slowly = Duration.seconds(100)

        @Test(
            "The watcher when something is mounted over the favorites, says that they are on another disk until it is gone",
            arguments: [0, MNT_DETACH])
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

        @Test("The watcher when something is mounted over an album, watches the folder below when it is gone")
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

        @Test(
            "The watcher when something is mounted over the root, says that the favorites are missing until it is gone")
        func root() async throws {
            let outlook = try Outlook("favorites", at: "mirror", pollInterval: slowly)
            try outlook.mount(on: "")
            #expect(try await outlook.lost() == .missing)
            try await outlook.unmount("")
            try await outlook.watched()
            try await outlook.link(in: "")
        }

        @Test("The watcher when something is mounted elsewhere, does not look anew for that")
        func elsewhere() async throws {
            let outlook = try Outlook("favorites", "favorites/a", pollInterval: slowly)
            let disk = try Disk("tmpfs")
            // There is no event to wait for: nothing is to happen.
            poll(nil, 0, 100)
            await outlook.watcher.answer()
            #expect(outlook.changeQueue.take() == .none)
            withExtendedLifetime(disk) {}
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
