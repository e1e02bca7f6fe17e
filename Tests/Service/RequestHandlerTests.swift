import Apod
import Configuration
import Files
import Glibc
import Store
import TestMirror
import TestSupport
import Testing

@testable import Service
@testable import Syncing

@Suite(.patience)
struct RequestHandlerTests {
    /// What came of a command: what was told meanwhile, and whether it has ended.
    private final class Asked: Sendable {
        let client: ControlClient
        let heard = Awaited<[Event]>([])
        let hasEnded = Awaited(false)

        init(_ job: Job, _ testService: TestService) throws {
            client = try #require(try ControlClient.reach(root: testService.root))
            startThread { [self] in
                try? client.ask(job) { message in heard.update { $0.append(message) } }
                hasEnded.update { $0 = true }
            }
        }
    }

    @Test("Commands do not miss a favorite of today that is still to come")
    func stillToCome() async throws {
        let today = TestService.today
        let testService = try TestService(Entry.days(2, newest: ago(1)))
        try await testService.startUp()
        symlink("\(today)", testService["favorites/x"])
        try await testService.eventually { try testService.log.favorites.count == 1 }
        // It is asked for, and then left alone for a while.
        try await testService.eventually {
            testService.nasa.requests.contains { $0.path.hasSuffix("/\(today.compact)") }
        }
        try await testService.time.awaited(exactly: testService.time.now + 900)
        let asked = try Asked(.sync(SyncOrder()), testService)
        let begun = try await asked.heard.first { heard in
            heard.contains { if case .refreshEnded = $0 { true } else { false } }
        }.filter { if case .refreshBegan = $0 { true } else { false } }
        #expect(begun == Array(repeating: Event.refreshBegan(named: []), count: 2))
        await testService.stop()
    }

    @Test("Commands that could not be noted are not told as done")
    func unnoted() async throws {
        let testService = try await TestService.upToDate()
        mkdir(testService[".apod-mirror/history"], 0o755)
        let order = FavoritesOrder(.add, [.day(TestService.today)])
        let asked = try Asked(.favorites(order), testService)
        _ = try await asked.hasEnded.first { $0 }
        #expect(asked.heard.value.isEmpty)
        rmdir(testService[".apod-mirror/history"])
        await testService.stop()
    }

    @Test("Commands have due favorites fetched by their own settings")
    func ownSettings() async throws {
        let testService = try await TestService.upToDate()
        let wish = ago(400)
        testService.nasa.add(Entry(wish, bytes: 2_000))
        testService.nasa.intercept = { _ in Response(status: 500) }
        symlink("\(wish)", testService["favorites/x"])
        try await testService.told(.failed)
        testService.nasa.intercept = nil
        try await testService.sync(SyncOrder(settings: ["max-file": "1K", "contact": "me"]))
        #expect(testService.nasa.requests.last?.headers["user-agent"]?.hasSuffix("(+me)") == true)
        #expect(try testService.catalog.item(of: wish)?.failure?.words.contains("max-file") == true)
        await testService.stop()
    }

    @Test("Commands are told with who asks, and of the web with that")
    func askers() async throws {
        let testService = try await TestService.upToDate { $0.webFavorites = .yes }
        let day = TestService.today
        for job in [.sync(SyncOrder(days: [day], settings: ["rate": "0"])), .prune()] as [Job] {
            let asked = try Asked(job, testService)
            _ = try await asked.hasEnded.first { $0 }
        }
        let heart = FavoritesOrder(.add, [.day(day)], album: AlbumName("Comets"))
        for job in [.favorites(heart), .thumbnails([day])] as [Job] {
            _ = try LocalSocket.answer(to: .job(job), at: testService[".apod-mirror/web"])
        }
        let told = testService.told.value.filter { [.asked, .refused].contains($0.event) }
        let user = geteuid()
        let me = "\(FileOwner.login(of: user)) (uid \(user)) asks for: "
        #expect(
            told.map(\.words) == [
                "\(me)sync \(day) --rate 0", "\(me)prune", "the web asks for: favorites add \(day) in Comets",
                "the web may not ask for: thumbnails \(day)",
            ])
        #expect(told.map(\.user) == [Int(user), Int(user), nil, nil])
        await testService.stop()
    }

    @Test(
        "Commands are done though the web cannot be told of its socket yet"
    )
    func withoutWeb() async throws {
        let testService = try await TestService.upToDate()
        let address = testService[".apod-mirror/web-address"]
        mkdir(address, 0o755)
        testService.settings.webFavorites = .yes
        testService.reload()
        try await testService.told(.trouble, "web: ")
        try await testService.sync()
        rmdir(address)
        try await testService.eventually { Facts(address)?.kind == S_IFREG }
        await testService.stop()
    }

    @Test("Commands make by the web no favorite of a day that is not here")
    func elsewhere() async throws {
        let testService = try await TestService.upToDate { $0.webFavorites = .yes }
        func heard(_ day: Day) throws -> String {
            let heart = Job.favorites(FavoritesOrder(.add, [.day(day)]))
            return try LocalSocket.answer(to: .job(heart), at: testService[".apod-mirror/web"])
        }
        #expect(try heard(Day("2019-04-10")!).contains("not-here"))
        #expect(try !heard(TestService.today).contains("not-here"))
        #expect(try testService.log.favorites.map(\.day) == [TestService.today])
        await testService.stop()
    }
}
