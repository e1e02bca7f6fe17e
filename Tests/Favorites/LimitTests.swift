import Archive
import Files
import Glibc
import TestSupport
import Testing

@testable import Favorites

extension WatcherTests {
    @Suite("where the system does not let it watch")
    struct LimitTests {
        @Test("polls, as too many instances are in use, and watches as soon as it can")
        func instances() async throws {
            let instances = Instances()
            instances.take()
            let outlook = try Outlook("favorites")
            #expect(try await outlook.polling().contains("fs.inotify.max_user_instances"))
            try outlook.makeLink("favorites/x")
            try await outlook.everywhere()
            instances.giveBack()
            try await outlook.watched()
            try await outlook.link(in: "")
        }

        @Test("polls, as too many watches are in use, and watches as soon as it can", .enabled(if: Instances.areEnough))
        func watches() async throws {
            let (instances, folder) = (Instances(), try TemporaryFolder())
            try instances.takeWatches(in: folder)
            let outlook = try Outlook("favorites", "favorites/a")
            #expect(try await outlook.polling().contains("fs.inotify.max_user_watches"))
            instances.giveBack()
            try await outlook.watched()
            try await outlook.link(in: "a")
        }

        @Test("polls, as more files are open than the library can count to, and watches as soon as it can")
        func descriptors() async throws {
            let open = (0..<1100).map { _ in dup(2) }
            let outlook = try Outlook("favorites")
            let why = try await outlook.polling()
            for descriptor in open { close(descriptor) }
            #expect(why == "too many files are open")
            try await outlook.watched()
            try await outlook.link(in: "")
        }

        @Test("looks for the favorites by polling as well, where there is no more to watch with")
        func lost() async throws {
            let instances = Instances()
            instances.take()
            let outlook = try Outlook()
            #expect(try await outlook.lost().hasSuffix("favorites is missing"))
            try outlook.makeFolder("favorites")
            _ = try await outlook.polling()
            instances.giveBack()
            try await outlook.watched()
        }

        @Test("rings for everywhere with every look, but not while there is nothing to look at")
        func rings() async throws {
            let instances = Instances()
            instances.take()
            let outlook = try Outlook("favorites")
            for _ in 0..<3 { try await outlook.everywhere() }
            try outlook.remove("favorites")
            _ = try await outlook.lost()
            _ = outlook.bell.answer()
            poll(nil, 0, 100)
            #expect(outlook.bell.answer() == .none)
        }

        @Test("tells of a second watcher in the process that it polls, until the first has stopped")
        func second() async throws {
            let first = try Outlook("favorites")
            let second = try Outlook("favorites")
            #expect(try await second.polling() == "folders are watched in this process already")
            first.watcher.stop()
            try await second.watched()
            try await second.link(in: "")
        }

        @Test("stops at once, and lets go of the library, whatever it is doing", arguments: [true, false])
        func stop(polls: Bool) async throws {
            for _ in 0..<20 {
                let instances = Instances()
                if polls { instances.take() }
                let outlook = try Outlook("favorites", pollInterval: .seconds(100))
                try outlook.makeFolder("favorites/a")
                try outlook.makeLink("favorites/b")
                let start = ContinuousClock.now
                outlook.watcher.stop()
                outlook.watcher.stop()
                #expect(.now - start < .milliseconds(50))
                instances.giveBack()
                let library = try Inotify()
                #expect(library.next() == nil)
            }
        }
    }
}

/// As many as a person's programs may have.
private final class Instances {
    private var descriptors: [Int32] = []
    private static let watchesOfEach = 4096

    static var areEnough: Bool {
        limit("instances") * watchesOfEach > limit("watches") && limit("watches") <= 300_000
    }

    private static func limit(_ name: String) -> Int {
        let bytes = try? File.reading("/proc/sys/fs/inotify/max_user_\(name)").stream()
        return Int(String(decoding: (bytes ?? []).dropLast(), as: UTF8.self)) ?? 0
    }

    deinit { giveBack() }

    func take() {
        while true {
            let descriptor = inotify_init()
            guard descriptor >= 0 else { return }
            descriptors.append(descriptor)
        }
    }

    func takeWatches(in folder: TemporaryFolder) throws {
        for number in 0..<Self.watchesOfEach { try save([], to: folder.appending("\(number)")) }
        while true {
            let descriptor = inotify_init()
            guard descriptor >= 0 else { throw SystemError("inotify_init") }
            descriptors.append(descriptor)
            for number in 0..<Self.watchesOfEach {
                let watch = inotify_add_watch(descriptor, folder.appending("\(number)"), UInt32(IN_OPEN))
                if watch < 0, errno == ENOSPC { return }
                guard watch >= 0 else { throw SystemError("inotify_add_watch") }
            }
        }
    }

    func giveBack() {
        for descriptor in descriptors { close(descriptor) }
        descriptors = []
    }
}
