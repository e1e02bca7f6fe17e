import Glibc
import TestSupport
import Testing

@testable import Favorites
@testable import Watching

extension WatcherTests {
    @Suite("where a disk does not answer", .enabled(if: SilentMount.canBeMade))
    struct AwayWatchTests {
        private let slowly = Duration.seconds(100)

        @Test("watches the rest, and that too as soon as it answers")
        func album() async throws {
            let files = try TemporaryFolder()
            var mount: SilentMount?
            let outlook = try Outlook(
                "favorites", "favorites/a", "favorites/z", at: files.appending("mirror"), pollInterval: slowly
            ) { root in
                mount = try SilentMount(over: "\(root)/favorites/nas")
            }
            #expect(outlook.watcher.watching == .inotify)
            for album in ["a", "z", ""] { try await outlook.link(in: album) }
            try mount?.answer(with: [("x", "y")])
            try await outlook.everywhere()
            try outlook.remove("favorites/nas/x")
            try await outlook.places(place("x", in: "nas"))
            mount?.hide()
        }

        @Test("watches the rest when one falls silent that it watched, and answers")
        func later() async throws {
            let files = try TemporaryFolder()
            var mount: SilentMount?
            let outlook = try Outlook(
                "favorites", "favorites/a", at: files.appending("mirror"), pollInterval: slowly
            ) { root in
                mount = try SilentMount(over: "\(root)/favorites/nas")
                try mount?.answer(with: [("inner", "")])
            }
            mount?.fallSilent()
            // Somebody mounts something elsewhere.
            let other = try Disk("tmpfs")
            try await outlook.everywhere()
            await outlook.watcher.answer()
            try await outlook.link(in: "a")
            mount?.hide()
            withExtendedLifetime(other) {}
        }

        @Test("watches one that fails as soon as it does not, though nobody tells of that")
        func failing() async throws {
            var mount: SilentMount?
            let outlook = try Outlook("favorites") { root in
                mount = try SilentMount(over: "\(root)/favorites/nas")
                try mount?.answer(failing: EIO)
            }
            for _ in 0..<2 { try await outlook.link(in: "") }
            try mount?.answer(with: [("x", "y")])
            try await outlook.everywhere()
            try outlook.remove("favorites/nas/x")
            try await outlook.places(place("x", in: "nas"))
        }

        @Test("watches what is below it when it is unmounted, though some still wait for it")
        func unmounted() async throws {
            let outlook = try Outlook("favorites", "favorites/nas", pollInterval: slowly)
            let mount = try SilentMount(over: outlook.path("favorites/nas"))
            try await outlook.everywhere()
            try await outlook.link(in: "")
            mount.hide()
            try await outlook.everywhere()
            try await outlook.link(in: "nas")
            withExtendedLifetime(mount) {}
        }

        @Test("says that the favorites are lost if they are there, until it answers")
        func top() async throws {
            let outlook = try Outlook("favorites", pollInterval: slowly)
            let mount = try SilentMount(over: outlook.path("favorites"))
            #expect(try await outlook.lost() == "cannot open \(outlook.path("favorites")): the disk does not answer")
            await outlook.watcher.answer()
            try mount.answer()
            try await outlook.watched()
        }

        @Test("stops while that is asked")
        func stops() async throws {
            let armings = Awaited(0)
            let outlook = try Outlook(
                "favorites", pollInterval: slowly, raceHook: { if $0 == .arming { armings.update { $0 += 1 } } })
            let mount = try SilentMount(over: outlook.path("favorites/nas"))
            _ = try await armings.first { $0 == 2 }
            poll(nil, 0, 100)
            let start = ContinuousClock.now
            outlook.watcher.stop()
            #expect(.now - start < .seconds(10))
            mount.hide()
        }
    }
}
