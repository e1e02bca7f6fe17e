import Apod
import Configuration
import Fetching
import Files
import Glibc
import Service
import Store
import Syncing
import TestMirror
import TestSupport
import Testing

/// The service in the tests' own process, a fake NASA, and a clock that the test sets. It is noon of 2026-11-20.
final class TestService {
    static let today = TestMirror.today

    let nasa: FakeNASA
    let folder: TemporaryFolder
    let time: FakeClock
    let root: String
    var settings: Settings
    let told = Awaited<[JournalEntry]>([])
    let news = Awaited<[String]>([])
    /// Called with each, before it is noted.
    let onNews = Awaited<(@Sendable (String) -> Void)?>(nil)
    /// Called with each that is told, before it is noted. It may hold up a thread, but none of `ThreadExecutor`.
    let onEntry = Awaited<(@Sendable (JournalEntry) -> Void)?>(nil)
    var environment: [String: String]
    private(set) var mirrorService: MirrorService?
    private var task: Task<Problem?, Never>?

    init(
        _ entries: [Entry], pictures: String? = nil, root: String? = nil, time: FakeClock = FakeClock(today.noon),
        _ change: (inout Settings) -> Void = { _ in }
    ) throws {
        nasa = try FakeNASA(entries, pictures: pictures)
        folder = try TemporaryFolder()
        environment = ["HOME": folder.path]
        self.time = time
        self.root = root ?? folder.appending("APOD")
        settings = Settings(root: self.root)
        settings.upstream = WebAddress(nasa.origin)!
        settings.rate = 0
        settings.gallery = .no
        settings.thumbnails = .no
        settings.since = entries.map(\.day).min()
        change(&settings)
    }

    convenience init(days: Int, _ change: (inout Settings) -> Void = { _ in }) throws {
        try self.init(Entry.days(days, newest: Self.today, bytes: 2_000), change)
    }

    func start(watchdog: Duration? = nil) {
        var environment = ServiceEnvironment(version: "test", variables: environment) { [told, onEntry] event in
            guard let entry = JournalEntry(event) else { return }
            onEntry.value?(entry)
            told.update { $0.append(entry) }
        }
        environment.time = time
        environment.notify = { [news, onNews] told in
            onNews.value?("\(told)")
            news.update { $0.append("\(told)") }
        }
        environment.watchdog = watchdog
        var fetching = FetchSettings()
        fetching.pause = .milliseconds(2)
        fetching.cooldowns = HostCooldowns(shortest: .milliseconds(1))
        environment.fetching = fetching
        let mirrorService = MirrorService(settings, environment)
        self.mirrorService = mirrorService
        task = Task(executorPreference: ThreadExecutor.shared) {
            do {
                try await mirrorService.run()
                return nil
            } catch {
                return error.problem
            }
        }
    }

    /// Until something has been told so many times.
    func start(until event: JournalEntry.EventName, _ words: String = "", times: Int = 1) async throws {
        start()
        try await told(event, words, times: times)
    }

    /// One that has all that there is, watches, and waits for the next day.
    static func upToDate(days: Int = 3, _ change: (inout Settings) -> Void = { _ in }) async throws -> TestService {
        let testService = try TestService(days: days, change)
        try await testService.startUp()
        try await testService.waits(for: today.advanced(by: 1))
        return testService
    }

    /// Until it has asked for the newest days, and watches.
    func startUp() async throws {
        try await start(until: .refreshed)
        try await told(.watching)
    }

    /// When the day is asked for at the latest.
    static func due(_ day: Day) -> Int { NewYork.moment(of: day, second: 300 + RefreshSchedule.mostJitter) }

    func setTime(toFetch day: Day) { time.set(Self.due(day)) }

    /// As when NASA publishes a day, and it is time to ask for it.
    func publish(_ entry: Entry) {
        nasa.add(entry)
        setTime(toFetch: entry.day)
    }

    func waits(for day: Day) async throws { try await time.awaited(from: Self.due(day) - RefreshSchedule.mostJitter) }

    /// As the command does it.
    func sync(_ order: SyncOrder = SyncOrder()) async throws {
        let client = try #require(try ControlClient.reach(root: root))
        try await client.run(.sync(order)) { _ in }
    }

    /// As whoever asks is told.
    var status: StatusReport? { ControlClient.status(root: root, environment: [:]) }

    func reload() { mirrorService?.reload(settings) }

    /// What ended it, by itself or now.
    @discardableResult
    func stop() async -> Problem? {
        task?.cancel()
        let error = await ended()
        try? await unlocked(root)
        return error
    }

    func ended() async -> Problem? {
        let error = await task?.value
        task = nil
        mirrorService = nil
        return error
    }

    deinit { task?.cancel() }

    /// Until something has been told so many times.
    func told(_ event: JournalEntry.EventName, _ words: String = "", times: Int = 1) async throws {
        try await told.first("\(times) × \(event) \(words)") { entries in
            entries.count { $0.event == event && $0.words.contains(words) } >= times
        }
    }

    /// Until it watches again after it has waited; another service in this process can have it say so more than once.
    func watchesAgain() async throws {
        try await told.first("watching again") { entries in
            entries.contains { $0.event == .waiting }
                && entries.reversed().prefix { $0.event != .waiting }.contains { $0.event == .watching }
        }
    }

    func mirrored(_ day: Day) async throws {
        try await told.first("\(day)") { $0.contains { $0.event == .mirrored && $0.day == day } }
    }

    /// Where something in the mirror is.
    subscript(path: String) -> String { "\(root)/\(path)" }

    var log: FavoritesLog { get throws { try FavoritesLog(toRead: Folder.open(root)) } }
    var catalog: Catalog { get throws { try #require(try Archive.catalogToRead(root: root)) } }

    var days: [Day] { get throws { try catalog.storedDays().map(\.day) } }

    /// Looks with growing pauses: decoders, which let all others go first, would wait for who looks all the time.
    func eventually(_ holds: () throws -> Bool) async throws {
        var pause = 1
        while try !holds() {
            pause = min(2 * pause, 100)
            do {
                try await sleep(for: .milliseconds(pause))
            } catch {
                throw Missed("that", instead: told.value.map(\.words))
            }
        }
    }
}
