import Glibc
import TestSupport
import Testing

@testable import Favorites

extension WatcherTests {
    struct LimitTests {
        @Test(
            "The watcher where the system does not let it watch looks for the favorites by polling as well, where there is nothing to watch with"
        )
        func lost() async throws {
            let library = try TakenLibrary()
            let outlook = try Outlook()
            #expect(try await outlook.lost() == .missing)
            try outlook.makeFolder("favorites")
            _ = try await outlook.polling()
            library.trim()
            try await outlook.watched()
        }

        @Test(
            "The watcher where the system does not let it watch rings for everywhere with every look, but not while there is nothing to look at"
        )
        func wakeUps() async throws {
            let library = try TakenLibrary()
            let outlook = try Outlook("favorites")
            for _ in 0..<3 { try await outlook.everywhere() }
            try outlook.remove("favorites")
            _ = try await outlook.lost()
            _ = outlook.changeQueue.take()
            // There is no event to wait for: nothing is to happen.
            poll(nil, 0, 100)
            #expect(outlook.changeQueue.take() == .none)
            library.trim()
        }

        @Test(
            "The watcher where the system does not let it watch tells of a second watcher in the process that it polls, until the first has stopped"
        )
        func second() async throws {
            let first = try Outlook("favorites")
            let second = try Outlook("favorites")
            #expect(try await second.polling() == "folders are watched in this process already")
            first.watcher.stop()
            try await second.watched()
            try await second.link(in: "")
        }

        @Test(
            "The watcher where the system does not let it watch stops at once, and lets go of the library, whatever it is doing",
            arguments: [true, false])
        func stop(polls: Bool) async throws {
            for _ in 0..<20 {
                let taken = polls ? try TakenLibrary() : nil
                let outlook = try Outlook("favorites", pollInterval: .seconds(100))
                try outlook.makeFolder("favorites/a")
                try outlook.makeLink("favorites/b")
                let start = ContinuousClock.now
                outlook.watcher.stop()
                outlook.watcher.stop()
                #expect(.now - start < .seconds(1))
                taken?.trim()
                let library = try Inotify()
                #expect(library.next() == nil)
            }
        }
    }
}

/// The library in other hands: whoever wants to watch has to poll.
final class TakenLibrary {
    private var library: Inotify?

    init() throws { library = try Inotify() }

    func trim() { library = nil }
}
