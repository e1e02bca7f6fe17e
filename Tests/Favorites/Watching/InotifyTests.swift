import Apod
import Files
import Glibc
import TestSupport
import Testing

@testable import Favorites

extension BellTests {
    struct InotifyTests {
        private let mask: Inotify.Mask = [.created, .foldersOnly, .noLinks]

        private func queue() throws -> Int {
            let bytes = try File.reading("/proc/sys/fs/inotify/max_queued_events").stream()
            return try #require(Int(bytes.dropLast().text))
        }

        @Test("The library says that events were lost, and begins anew without those left over")
        func overflow() throws {
            let folder = try TemporaryFolder()
            let more = try queue() + 1000
            do {
                let library = try Inotify.awaited()
                let number = try library.watch(folder.path.bytes, for: mask)
                for link in 0..<more { symlink("x", folder.appending("\(link)")) }
                #expect(library.next() == .init(watch: number, mask: .created, name: Name("0")))
                var last: Inotify.Notice?
                var count = 1
                while let event = library.next() { (last, count) = (event, count + 1) }
                #expect(last.map { WatchSet.Meaning($0, in: nil) } == .folders)
                #expect(last?.watch == -1)
                #expect(count == more - 1000 + 1)
                for link in 0..<100 { symlink("x", folder.appending("more \(link)")) }
                #expect(library.next() != nil)
            }
            let library = try Inotify.awaited()
            #expect(library.next() == nil)
            let number = try library.watch(folder.path.bytes, for: mask)
            symlink("x", folder.appending("last"))
            #expect(library.next() == .init(watch: number, mask: .created, name: Name("last")))
        }

        @Test("The library's descriptor is found among others, and no program inherits it")
        func descriptor() throws {
            let others = try (0..<3).map { _ in try Inotify.instance() }
            defer { for other in others.dropFirst() { close(other) } }
            close(others[0])
            let library = try Inotify.awaited()
            #expect(library.descriptor == others[0])
            #expect(fcntl(library.descriptor, F_GETFD) == FD_CLOEXEC)
            #expect(fcntl(library.descriptor, F_GETFL) & O_NONBLOCK != 0)
        }
    }
}

extension Inotify.Mask {
    static let created = Inotify.Mask(rawValue: UInt32(IN_CREATE))
}
