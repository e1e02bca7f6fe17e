import Apod
import Favorites
import Files
import Glibc
import Store
import Syncing
import TestMirror
import TestSupport
import Testing

@testable import Configuration
@testable import Service

@Suite(.patience)
struct MirrorServiceTests {
    private let today = TestService.today
    private var tomorrow: Day { today.advanced(by: 1) }

    /// Mirrors a disk that can be taken away.
    private func onDisk(
        hasHome: Bool = true
    ) async throws -> (testService: TestService, disk: TemporaryFolder, place: TemporaryFolder, BindMount?) {
        let (disk, place) = (try TemporaryFolder(), try TemporaryFolder())
        let testService = try TestService(Entry.days(2, newest: today), root: place.path)
        if !hasHome { testService.environment = [:] }
        let mount = try BindMount(of: disk.path, over: place.path)
        testService.start()
        try await testService.mirrored(today)
        try await testService.told(.watching)
        return (testService, disk, place, mount)
    }

    @Test(
        "The service asks for a day when it begins in New York, and with pauses until it is there"
    )
    func newDay() async throws {
        let testService = try await TestService.upToDate()
        #expect(try #require(testService.status?.nextRefresh) <= TestService.due(tomorrow))
        let line = testService.news.value.last { $0.hasPrefix("status") } ?? ""
        #expect(line.contains("next refresh ") && !line.contains("asking"))
        let before = testService.nasa.requests.count
        testService.time.set(NewYork.moment(of: tomorrow, second: 299))
        var asked = [try await testService.time.nextWait()]
        #expect(asked[0] > testService.time.now)
        #expect(testService.nasa.requests.count == before)
        for _ in 1...4 {
            testService.time.set(asked.last!)
            try await testService.time.awaited(from: asked.last! + 1)
            asked.append(try await testService.time.nextWait())
        }
        #expect(zip(asked, asked.dropFirst()).map { ($1 - $0) / 60 } == [5, 10, 20, 40])
        testService.nasa.add(Entry(tomorrow))
        testService.time.set(asked.last!)
        try await testService.mirrored(tomorrow)
        #expect(testService.told.value.allSatisfy { $0.grade.rawValue > JournalEntry.Grade.warning.rawValue })
        #expect(await testService.stop() == nil)
        #expect(testService.news.value.first { !$0.hasPrefix("status") } == "ready")
        #expect(testService.news.value.contains("stopping"))
        #expect(testService.told.value.contains { $0.event == .stopping })
    }

    @Test("The service looks each day for links to days that have come, and clears away old downloads")
    func daily() async throws {
        let testService = try await TestService.upToDate()
        let path = testService[".apod-mirror/unfinished/left"]
        try save([1], to: path)
        symlink("\(tomorrow.advanced(by: 1))", testService["favorites/wish"])
        try await testService.eventually {
            try testService.catalog.leftAlone().first.map(\.why) == [.toCome]
        }
        testService.publish(Entry(tomorrow))
        try await testService.eventually { try testService.log.favorites.count == 1 }
        #expect(Facts(path) != nil)
        testService.time.set(time(nil) + 31 * 86_400)
        try await testService.eventually { Facts(path) == nil }
        #expect(await testService.stop() == nil)
    }

    @Test(
        "The service puts a favorite's link and title in order, whatever brought the day or its correction"
    )
    func favorites() async throws {
        let testService = try await TestService.upToDate()
        func listed(_ words: String...) -> Bool {
            let list = (try? fileText(testService["\(Tree.favoritesList)"])) ?? ""
            return words.allSatisfy(list.contains)
        }
        for day in [today, tomorrow] { symlink("\(day)", testService["favorites/\(day)"]) }
        try await testService.eventually { listed("\(today)", "\(tomorrow)") }
        testService.nasa[today]?.title = "Corrected"
        testService.publish(Entry(tomorrow, title: "A Wish"))
        try await testService.mirrored(tomorrow)
        try await testService.eventually { listed("Corrected", "A Wish") }
        try await testService.eventually {
            let link = target(of: testService["favorites/\(tomorrow) A Wish.jpg"])
            return link == "../\(tomorrow.folder)/\(tomorrow) A Wish.jpg"
        }
        #expect(target(of: testService["favorites/\(tomorrow)"]) == nil)
        #expect(try testService.catalog.pending(among: testService.log.known.keys).isEmpty)
    }

    @Test(
        "The service waits again when its root is unmounted under it, also where it cannot remember its roots",
        .disks, arguments: [true, false])
    func unmounted(hasHome: Bool) async throws {
        var (testService, disk, place, mount) = try await onDisk(hasHome: hasHome)
        withExtendedLifetime(mount) {}
        mount = nil
        try await testService.told(.waiting, "has no mirror in it any more")
        #expect(try Folder.open(place.path).names().isEmpty)
        mount = try BindMount(of: disk.path, over: place.path)
        try await testService.told(.ready, times: 2)
        await testService.stop()
        withExtendedLifetime(mount) {}
    }

    @Test("The service chooses nothing by a clock that is not set yet, and is alive all the time")
    func unsetClock() async throws {
        let testService = try TestService(Entry.days(40, newest: today), time: FakeClock(1_793_491_199)) {
            $0.since = nil
        }
        testService.start(watchdog: .milliseconds(30))
        try await testService.told(.waiting, "the clock is not set")
        try await testService.news.first("news") { $0.count { $0 == "alive" } > 3 }
        #expect(Facts(testService.root) == nil)
        testService.time.set(today.noon)
        try await testService.told(.ready)
        try await testService.mirrored(ago(30))
        #expect(try testService.catalog.fact(.since) == ago(30).number)
    }

    @Test("The service waits at its start for a command that writes, also where its clock is set just then")
    func inUse() async throws {
        let testService = try TestService(Entry.days(1, newest: today), time: FakeClock(86_400))
        var mirror: OpenMirror? = try OpenMirror(
            testService.settings, version: "1", environment: [:], time: FakeClock(today.noon))
        try await testService.start(until: .waiting, "the clock is not set")
        testService.time.set(today.noon)
        try await testService.told(.waiting, "is in use by process \(getpid())")
        withExtendedLifetime(mirror) {}
        mirror = nil
        try await testService.mirrored(today)
        #expect(await testService.stop() == nil)
    }

    @Test("The service works by new settings after a reload, and goes on by the old ones if they are the same")
    func reload() async throws {
        let testService = try TestService(days: 60)
        testService.settings.since = ago(10)
        try await testService.start(until: .watching)
        try await testService.mirrored(ago(10))
        testService.reload()
        try await testService.told(.reloaded, "the same as before")
        testService.settings.since = ago(59)
        testService.reload()
        try await testService.told(.reloaded, "new settings")
        try await testService.mirrored(ago(59))
        await testService.stop()
        let news = testService.news.value.filter { !$0.hasPrefix("status") }
        #expect(news == ["ready", "reloading", "ready", "reloading", "ready", "stopping"])
    }

    @Test("The service says that its settings were refused until they are put right, be it to what they were")
    func refused() async throws {
        let testService = try TestService(days: 1)
        testService.start()
        try await testService.mirrored(today)
        testService.mirrorService?.refuse(ConfigurationError(["mirror.conf:1: no value"]))
        @Sendable func isShown(_ news: [String]) -> Bool {
            news.last { $0.hasPrefix("status") }?.contains("settings refused: mirror.conf:1: no value") == true
        }
        try await testService.news.first("news") { isShown($0) }
        // Also when the mirror is opened anew meanwhile.
        unlink(testService[".apod-mirror/catalog.sqlite"])
        symlink("../latest", testService["favorites/x"])
        try await testService.watchesAgain()
        #expect(isShown(testService.news.value))
        testService.reload()
        try await testService.told(.reloaded, "the same as before")
        #expect(!isShown(testService.news.value))
        await testService.stop()
    }

    @Test("The service opens a mirror with a damaged catalog anew, and keeps the favorites")
    func suspectCatalog() async throws {
        let testService = try await TestService.upToDate()
        let catalog = testService[".apod-mirror/catalog.sqlite"]
        symlink("../latest", testService["favorites/mine"])
        try await testService.eventually { try testService.log.favorites.map(\.day) == [today] }
        // `latest` leads elsewhere tomorrow.
        try await testService.eventually { target(of: testService["favorites/mine"]) != "../latest" }
        try save([], to: catalog + ".suspect")
        testService.publish(Entry(tomorrow))
        try await testService.mirrored(tomorrow)
        let told = testService.told.value.first { $0.event == .waiting || $0.day == tomorrow }
        #expect(told?.event == .waiting)
        try await testService.told(.waiting, "somebody has met damage in it")
        try await testService.eventually { Facts(catalog + ".suspect") == nil }
        #expect(Facts(catalog + ".aside") != nil)
        try await testService.watchesAgain()
        try await testService.eventually { try testService.log.favorites.map(\.day) == [today] }
        try await testService.eventually { try testService.days.count == 4 }
        await testService.stop()
    }

    @Test("The service tells that it is alive three times as often as somebody waits for that")
    func aliveInTime() async throws {
        let testService = try TestService(Entry.days(1, newest: today))
        let times = Awaited<[ContinuousClock.Instant]>([])
        testService.onNews.update { $0 = { news in if news == "alive" { times.update { $0.append(.now) } } } }
        testService.start(watchdog: .milliseconds(900))
        let signs = try await times.first("times") { $0.count == 8 }
        let pauses = zip(signs, signs.dropFirst()).map { $1 - $0 }
        // On a busy machine, some are late.
        #expect(.milliseconds(300)...(.milliseconds(600)) ~= pauses.min()!, "\(pauses)")
        await testService.stop()
    }
}
