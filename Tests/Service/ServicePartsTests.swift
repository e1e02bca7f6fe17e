import Apod
import Configuration
import Favorites
import Files
import Glibc
import Service
import Store
import Syncing
import TestMirror
import TestSupport
import Testing

/// What one part of the service does may be news for another.
@Suite(.patience)
struct ServicePartsTests {
    private let today = TestService.today

    @Test(
        "A picture that went with retention comes back when it is a favorite once more"
    )
    func onceMore() async throws {
        let testService = try await TestService.upToDate(days: 40) { $0.keep = Span("200d") }
        let (favorite, link) = (ago(250), testService["favorites/x"])
        testService.nasa.add(Entry(favorite, bytes: 2_000))
        func files() throws -> Int { try testService.catalog.item(of: favorite)?.stored?.files.count ?? 0 }
        symlink("\(favorite)", link)
        try await testService.eventually { try files() == 1 }
        unlink(link)
        try await testService.eventually { try testService.log.favorites.isEmpty }
        let later = today.advanced(by: 91)
        testService.publish(Entry(later, bytes: 2_000))
        try await testService.eventually { try files() == 0 }
        symlink("\(favorite)", link)
        try await testService.eventually { try files() == 1 }
    }

    @Test("All favorites are left alone for a while when a refresh for some has failed")
    func favoritesInOutage() async throws {
        let testService = try await TestService.upToDate()
        let album = testService["album"]
        mkdir(album, 0o755)
        let days = (1...60).map { ago(100 * $0) }
        for day in days { symlink("\(day)", "\(album)/\(day)") }
        testService.nasa.intercept = { _ in Response(status: 500) }
        rename(album, testService["favorites/album"])
        try await testService.told(.refreshFailed)
        func asked(_ day: Day) -> Bool { testService.nasa.requests.contains { $0.path.contains(day.compact) } }
        let late = ago(50)
        testService.nasa.add(Entry(late, bytes: 2_000))
        symlink("\(late)", testService["favorites/late"])
        try await testService.eventually { try testService.log.favorites.count == 61 }
        try await testService.time.awaited(exactly: testService.time.now + 300)
        #expect(days.count(where: asked) <= 25 && !asked(late))
        testService.nasa.intercept = nil
        testService.time.pass(300)
        try await testService.mirrored(late)
        await testService.stop()
    }

    @Test(
        "All missed days are asked for, though a favorite or a sync brought the newest",
        arguments: [true, false])
    func newestAlone(isFavorite: Bool) async throws {
        let testService = try await TestService.upToDate()
        let (missed, newest) = ((1...10).map { today.advanced(by: $0) }, today.advanced(by: 10))
        testService.nasa.intercept = { _ in Response(status: 503) }
        testService.setTime(toFetch: newest)
        try await testService.told(.refreshFailed)
        for day in missed { testService.nasa.add(Entry(day, bytes: 2_000)) }
        testService.nasa.intercept = nil
        if isFavorite {
            symlink("\(newest)", testService["favorites/x"])
            try await testService.mirrored(newest)
            #expect(try await testService.time.nextWait() < testService.time.now + 7_200)
        } else {
            try await testService.sync(SyncOrder(since: newest))
            #expect(try testService.days.last == newest)
        }
        testService.time.set(try await testService.time.nextWait())
        for day in missed { try await testService.mirrored(day) }
    }

    @Test("A day that a sync has just brought is not asked for again")
    func syncBefore() async throws {
        let testService = try await TestService.upToDate()
        let tomorrow = today.advanced(by: 1)
        testService.nasa.add(Entry(tomorrow, bytes: 2_000))
        testService.time.set(NewYork.moment(of: tomorrow, second: 60))
        try await testService.sync()
        #expect(try testService.days.last == tomorrow)
        let before = testService.nasa.requests.count
        testService.setTime(toFetch: tomorrow)
        try await testService.waits(for: tomorrow.advanced(by: 1))
        #expect(testService.nasa.requests.count == before)
        await testService.stop()
    }

    @Test(
        "Favorites come as soon as there is room on the disk",
        .disks)
    func wishOnFullDisk() async throws {
        let disk = try Disk("tmpfs", "size=12m")
        let testService = try TestService(Entry.days(3, newest: today, bytes: 2_000), root: "\(disk.path)/APOD")
        try await testService.startUp()
        let wish = ago(400)
        testService.nasa.add(Entry(wish, bytes: 2_000))
        // Less than a hundredth is left: the favorite can be noted, but not fetched.
        try disk.fill(with: "others")
        let size = try #require(Facts("\(disk.path)/others")?.bytes)
        truncate("\(disk.path)/others", size - 100_000)
        symlink("\(wish)", testService["favorites/x"])
        try await testService.told(.refreshFailed, "no space left")
        try await testService.time.awaited(exactly: testService.time.now + 60)
        unlink("\(disk.path)/others")
        testService.time.pass(60)
        try await testService.mirrored(wish)
    }

    @Test("A sync that goes well ends the trouble of a refresh")
    func syncAfterFailure() async throws {
        let testService = try await TestService.upToDate()
        testService.nasa.intercept = { _ in Response(status: 503) }
        testService.setTime(toFetch: today.advanced(by: 1))
        try await testService.told(.refreshFailed)
        func retry() -> Int? {
            testService.status?.conditions.firstValue {
                if case .trouble([.refresh], _, let retry) = $0 { retry.seconds } else { nil }
            }
        }
        #expect(retry() != nil)
        try await testService.time.awaited(from: testService.time.now + 1)
        #expect(retry() == testService.status?.nextRefresh)
        testService.nasa.intercept = nil
        try await testService.sync()
        #expect(retry() == nil)
        // What fails next is told anew.
        testService.nasa.intercept = { _ in Response(status: 503) }
        testService.setTime(toFetch: today.advanced(by: 2))
        try await testService.told(.refreshFailed, times: 2)
        await testService.stop()
    }

    @Test(
        "A service whose catalog is gone does nothing for others, and opens the mirror anew"
    )
    func goneCatalog() async throws {
        let testService = try TestService(days: 2)
        try await testService.startUp()
        unlink(testService[".apod-mirror/catalog.sqlite"])
        let client = try #require(try ControlClient.reach(root: testService.root))
        let error = await #expect(throws: Problem.self) { try await client.run(.prune()) { _ in } }
        // A part of the service may have noticed first: then it takes no commands until the mirror is open anew.
        let refusals = ["run the same command again", "takes no commands at the moment"]
        #expect(error.map { error in refusals.contains { "\(error)".contains($0) } } == true, "\(error as Any)")
        try await testService.told(.waiting, "is not what it was any more")
        await testService.stop()
    }

    @Test(
        "Pictures go on a disk so full that neither the catalog nor favorites.json can be written",
        .disks, arguments: [false, true])
    func full(isCatalogThere: Bool) async throws {
        let disk = try Disk("tmpfs", "size=12m")
        let testService = try TestService(
            Entry.days(40, newest: today, bytes: 100_000), root: "\(disk.path)/APOD"
        ) { if isCatalogThere { $0.state = "\(disk.path)/state" } }
        if !isCatalogThere { testService.settings.state = testService.folder.appending("state") }
        try await testService.start(until: .backfilled)
        try await testService.told(.watching)
        await testService.stop()
        testService.settings.keep = Span("34d")
        try disk.fill(with: "others")
        try await testService.start(until: .pruned)
        unlink("\(disk.path)/others")
        try await testService.told(.pruned)
        try await testService.eventually { testService.status?.watching == .inotify }
        await testService.stop()
    }
}
