import Files
import Glibc
import TestSupport
import Testing

@testable import Favorites

extension WatcherTests {
    /// While the favorites are lost nothing polls, but for the one test that says so: it would take a minute.
    struct FavoritesLackTests {
        private let slowly = Duration.seconds(100)

        @Test("The watcher when the favorites folder is deleted and made again at once, watches the new one")
        func replaced() async throws {
            let outlook = try Outlook("favorites", "favorites/a", pollInterval: slowly)
            for _ in 0..<20 {
                try outlook.remove("favorites/a")
                try outlook.remove("favorites")
                try outlook.makeFolder("favorites")
                try outlook.makeFolder("favorites/a")
            }
            try await outlook.everywhere()
            try await outlook.watched()
            try await outlook.link(in: "")
            try await outlook.link(in: "a")
        }

        @Test(
            "The watcher when the favorites folder is missing from the start or deleted, says so, and watches it when it comes"
        )
        func missing() async throws {
            let outlook = try Outlook(pollInterval: slowly)
            #expect(outlook.watcher.watching == .lost(.missing))
            for _ in 1...2 {
                try outlook.makeFolder("favorites")
                try await outlook.watched()
                try outlook.remove("favorites")
                try await outlook.state(.lost(.missing))
            }
            try outlook.makeFolder("favorites")
            try await outlook.watched()
            try await outlook.link(in: "")
        }

        @Test("The watcher when the favorites folder is renamed away and back, watches it again")
        func renamed() async throws {
            let outlook = try Outlook("favorites", "favorites/a", pollInterval: slowly)
            try outlook.move("favorites", to: "away")
            _ = try await outlook.lost()
            try outlook.makeLink("away/x")
            try outlook.move("away", to: "favorites")
            try await outlook.watched()
            #expect(try await outlook.dirty() == .everywhere)
            try await outlook.link(in: "a")
        }

        @Test("The watcher when the favorites folder is another one, watches that")
        func another() async throws {
            let outlook = try Outlook("favorites", "other", "other/b", pollInterval: slowly)
            try outlook.move("favorites", to: "away")
            try outlook.move("other", to: "favorites")
            try await outlook.everywhere()
            try await outlook.watched()
            try await outlook.link(in: "b")
        }

        @Test(
            "The watcher when the favorites folder is a file or a link in its place, says so, and heals",
            arguments: [true, false])
        func noFolder(isLink: Bool) async throws {
            let outlook = try Outlook("favorites", pollInterval: slowly)
            try outlook.move("favorites", to: "away")
            if isLink {
                try outlook.system("symlink", symlink("away", outlook.path("favorites")))
            } else {
                try save([1], to: outlook.path("favorites"))
            }
            try await outlook.state(.lost(.notFolder))
            try outlook.remove("favorites")
            try outlook.move("away", to: "favorites")
            try await outlook.watched()
            try await outlook.link(in: "")
        }

        @Test("The watcher when the favorites folder is lost with the root, looks for it until it is there")
        func root() async throws {
            let outlook = try Outlook("favorites", at: "mirror")
            let away = outlook.root + ".away"
            #expect(rename(outlook.root, away) == 0)
            #expect(try await outlook.lost() == .missing)
            #expect(rename(away, outlook.root) == 0)
            try await outlook.watched()
            try await outlook.link(in: "")
        }

        @Test("The watcher when the favorites folder may not be read, says so, and heals")
        func forbidden() async throws {
            let outlook = try Person.asAnother {
                try Outlook("favorites", "favorites/a", pollInterval: slowly) { chmod("\($0)/favorites", 0) }
            }
            #expect(try await outlook.lost() == .unreadable(EACCES))
            #expect(chmod(outlook.path("favorites"), 0o755) == 0)
            try await outlook.watched()
            try await outlook.link(in: "a")
            #expect(chmod(outlook.path("favorites"), 0) == 0)
            _ = try await outlook.lost()
        }

        @Test("The watcher when the favorites folder has an album that may not be read, watches that one when it may")
        func forbiddenAlbum() async throws {
            let outlook = try Person.asAnother {
                try Outlook("favorites", "favorites/a", "favorites/b") { chmod("\($0)/favorites/a", 0) }
            }
            #expect(outlook.watcher.watching == .inotify)
            try await outlook.link(in: "b")
            #expect(chmod(outlook.path("favorites/a"), 0o755) == 0)
            try await outlook.everywhere()
            try await outlook.link(in: "a")
        }

        @Test("The watcher when the favorites folder is in a root that may not be read, looks for it until it may")
        func opaqueRoot() async throws {
            let outlook = try Person.asAnother {
                try Outlook("favorites", at: "mirror") { chmod($0, 0o311) }
            }
            #expect(outlook.watcher.watching == .lost(.unreadable(EACCES)))
            #expect(chmod(outlook.root, 0o755) == 0)
            try await outlook.watched()
            try await outlook.link(in: "")
        }
    }
}
