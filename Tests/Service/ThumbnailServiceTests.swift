import Apod
import Configuration
import Files
import Glibc
import Store
import Synchronization
import TestMirror
import TestSupport
import Testing

@testable import Service

/// Decoders wait for all others on a busy machine: they are as nice as can be.
@Suite(.timeLimit(.minutes(30)))
struct ThumbnailServiceTests {
    private func gallery(_ root: String) -> [String] {
        (try? Folder.open("\(root)/gallery/2026").names().sorted()) ?? []
    }

    @Test(
        "A picture over which the decoder was killed is tried again after an hour, not with each day"
    )
    func killed() async throws {
        var heavy = Entry(TestService.today, .picture(.png), bytes: 400_000)
        (heavy.width, heavy.height) = (6_000, 4_500)
        let service = try TestService([heavy]) { $0.gallery = .yes }
        let isOver = Atomic(false)
        async let killing: Void = blocking {
            while !isOver.load(ordering: .relaxed) {
                for id in workers() where work(of: id) > 8 { kill(id, SIGKILL) }
                usleep(5_000)
            }
        }
        try await service.start(until: .noted, "killed")
        isOver.store(true, ordering: .relaxed)
        await killing
        func count(_ day: Day) -> Int { gallery(service.root).count { $0.hasPrefix("\(day)") } }
        for (number, pause) in [(1, 3_598), (2, 1), (3, 1)] {
            let wish = ago(number)
            service.nasa.add(Entry(wish, bytes: 2_000))
            service.time.pass(pause)
            symlink("\(wish)", service["favorites/\(number)"])
            try await service.eventually { count(wish) == 2 }
            if number < 3 { #expect(count(TestService.today) == 0) }
        }
        try await service.eventually { count(TestService.today) == 2 }
        await service.stop()
    }

    @Test(
        "Colours that a new catalog lacks are read and shown, and no thumbnail is made again"
    )
    func colors() async throws {
        let service = try TestService(days: 3) { $0.gallery = .yes }
        func colors() -> Int {
            ((try? fileText(service["gallery/data/2026.js"])) ?? "").split(separator: "\"color\":\"").count - 1
        }
        service.start()
        try await service.eventually { colors() == 3 }
        await service.stop()
        func inodes() -> [UInt?] { gallery(service.root).map { Facts(service["gallery/2026/\($0)"])?.inode } }
        let before = inodes()
        for suffix in ["", "-wal", "-shm"] { unlink(service[".apod-mirror/catalog.sqlite\(suffix)"]) }
        unlink(service["gallery/data/2026.js"])
        service.start()
        try await service.eventually { colors() == 3 }
        #expect(inodes() == before)
        await service.stop()
    }

    @Test("The service's thumbnails that could not be made are made when the next day comes")
    func later() async throws {
        let service = try TestService(days: 2)
        try await service.start(until: .refreshed)
        await service.stop()
        let name = try #require(try service.catalog.item(of: TestService.today)?.stored).main
        let picture = service["2026/11/\(name)"]
        rename(picture, "\(picture).aside")
        service.settings.gallery = .yes
        try await service.start(until: .noted, "no thumbnail was made")
        rename("\(picture).aside", picture)
        let tomorrow = TestService.today.advanced(by: 1)
        service.nasa.add(Entry(tomorrow))
        service.setTime(toFetch: tomorrow)
        try await service.eventually { gallery(service.root).count == 6 }
        await service.stop()
    }

    @Test(
        "The JPEG for latest.jpg is made where the newest picture is none, also where no copies are wanted"
    )
    func latest() async throws {
        let before = Entry(ago(1), bytes: 2_000)
        let service = try TestService([before, Entry(TestService.today, .picture(.png), bytes: 2_000)])
        func leads(to text: String) -> Bool { target(of: service["latest.jpg"])?.contains(text) == true }
        service.start()
        try await service.eventually { leads(to: ".apod-mirror/latest/\(TestService.today)-") }
        let tomorrow = TestService.today.advanced(by: 1)
        service.nasa.add(Entry(tomorrow))
        service.setTime(toFetch: tomorrow)
        try await service.eventually { leads(to: "2026/11/\(tomorrow) ") }
        await service.stop()
        #expect(!exists(service[".apod-mirror/latest"]))
    }
}
