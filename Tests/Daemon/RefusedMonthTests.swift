import Apod
import Archive
import Catalog
import Daemon
import Glibc
import Syncing
import TestMirror
import TestSupport
import Testing

/// What can stand in the way of a month, for whoever runs the tests.
enum Obstacle: String, Sendable, CaseIterable {
    case file, immutable, immutableYear, readOnly, otherDisk

    static var possible: [Obstacle] {
        allCases.filter { obstacle in
            switch obstacle {
            case .file: true
            case .immutable, .immutableYear: ImmutableFolder.canBeMade
            case .readOnly, .otherDisk: Disk.canBeMade
            }
        }
    }

    /// In what folder nothing can be done.
    func place(_ month: String) -> String {
        self == .immutableYear ? String(month.prefix(4)) : month
    }

    /// The system's reasons.
    var numbers: [Int32] {
        switch self {
        case .file: [ENOTDIR, EEXIST]
        case .immutable, .immutableYear: [EPERM]
        case .readOnly: [EROFS]
        case .otherDisk: [EXDEV]
        }
    }

    /// It is in the way until it is released.
    func put(_ month: String, in root: String) throws -> Any {
        let path = "\(root)/\(place(month))"
        mkdir("\(root)/\(month.prefix(4))", 0o755)
        switch self {
        case .file:
            try save([1], to: path)
            return Removal(path)
        case .immutable:
            mkdir(path, 0o755)
            return try ImmutableFolder(path)
        case .immutableYear: return try ImmutableFolder(path)
        case .readOnly:
            mkdir(path, 0o755)
            let mount = try BindMount(of: path, over: path)
            try mount.makeReadOnly()
            return mount
        case .otherDisk:
            mkdir(path, 0o755)
            let disk = try Disk("tmpfs", "size=1m")
            return (try BindMount(of: disk.path, over: path), disk)
        }
    }

    private final class Removal {
        let path: String
        init(_ path: String) { self.path = path }
        deinit { unlink(path) }
    }
}

@Suite("A month in which nothing can be done", .serialized, .timeLimit(.minutes(10)))
struct RefusedMonthTests {
    private let today = TestMirror.today
    /// More than may fail in a row where it is the upstream's fault.
    private static let bad = (0..<25).map { Day("2024-10-31")!.advanced(by: -$0) }
    private let others = [TestMirror.today, Day("2024-11-01")!, Day("2024-09-30")!, Day("2023-10-15")!]

    private func testMirror() throws -> TestMirror {
        try TestMirror((others + Self.bad).map { Entry($0, bytes: 2_000) })
    }

    /// What could be a day's matter, or its month's, or its year's.
    private func concerns(_ obstacle: Obstacle, _ day: Day) -> Bool { day.folder.hasPrefix(obstacle.place("2024/10")) }

    @Test("costs its own days and no others, which is told with what to do, and passes", arguments: Obstacle.possible)
    func refresh(obstacle: Obstacle) async throws {
        let testMirror = try testMirror()
        _ = try testMirror.archive()
        var held: Any? = try obstacle.put("2024/10", in: testMirror.root)
        let days = Set(others + Self.bad)
        for round in 1...4 {
            testMirror.nasa.server.forgetRequests()
            let (events, error) = try await testMirror.attempt(.days(days))
            #expect(error == nil)
            for day in days {
                let isBad = concerns(obstacle, day)
                #expect(events[day] == (isBad ? "failed for now" : round == 1 ? "mirrored" : "unchanged"), "\(day)")
            }
            // What could not be put into its place was not fetched.
            #expect(testMirror.fileRequests.count == (round == 1 ? days.count { !concerns(obstacle, $0) } : 0))
            let why = try #require(events.first { $0.why != nil }?.why)
            #expect(why.contains(testMirror["\(obstacle.place("2024/10"))"]))
            let status = try #require(try testMirror.status(Self.bad[0]))
            #expect(status.failure?.words == why && status.state == .failed && status.retryAfter == nil)
            #expect(obstacle.numbers.map(Int.init).contains(try #require(status.failure?.number)))
        }
        _ = held.take()
        // Also those that are older than what is looked at again.
        try await testMirror.sync(.missing(ago(1)...today))
        for day in Self.bad { #expect(try testMirror.status(day)?.state == .mirrored) }
        try await testMirror.audit()
    }

    @Test(
        "keeps the days that are there, and takes their corrections later", .enabled(if: ImmutableFolder.canBeMade))
    func correction() async throws {
        let testMirror = try testMirror()
        let days = Set(others + Self.bad)
        try await testMirror.sync(.days(days))
        let tree = testMirror.tree
        var held: ImmutableFolder? = try ImmutableFolder(testMirror["2024/10"])
        let (first, second) = (Self.bad[0], Self.bad[1])
        for day in [first, others[1]] {
            testMirror.nasa[day]?.explanation = "Other words."
            testMirror.nasa[day]?.media = .picture(.png)
        }
        let events = try await testMirror.sync(.days(days))
        #expect(events[first] == "failed for now" && events[others[1]] == "mirrored")
        #expect(events[second] == "unchanged")
        #expect(testMirror.files(first) == tree.filter { $0.contains("\(first)") }.map { String($0.dropFirst(8)) })
        #expect(try await testMirror.problems() == [])
        _ = held.take()
        try await testMirror.sync(.missing(today...today))
        #expect(try testMirror.json(first)["explanation"]?.string == "Other words.")
        #expect(testMirror.files(first).map { $0.suffix(3) }.sorted() == ["png", "son"])
        try await testMirror.audit()
    }

    @Test("is no matter of its own where nothing can be made in the root", .enabled(if: ImmutableFolder.canBeMade))
    func root() async throws {
        let testMirror = try testMirror()
        _ = try testMirror.archive()
        var held: ImmutableFolder? = try ImmutableFolder(testMirror.root)
        let (events, error) = try await testMirror.attempt(.days([today]))
        #expect(error?.kind == "archive" && events[today] == nil)
        #expect(try testMirror.status(today) == nil)
        _ = held.take()
        #expect(try await testMirror.sync(.days([today]))[today] == "mirrored")
    }

    @Test(
        "is no matter of its own where nothing can be done with what is unfinished: nothing is fetched, and that is told",
        .enabled(if: ImmutableFolder.canBeMade))
    func unfinished() async throws {
        let testMirror = try testMirror()
        try await testMirror.sync(.days([others[1]]))
        let path = testMirror[".apod-mirror/unfinished"]
        var held: ImmutableFolder? = try ImmutableFolder(path)
        testMirror.nasa.server.forgetRequests()
        let (events, error) = try await testMirror.attempt(.days([today]))
        #expect(error?.kind == "archive" && events[today] == nil && testMirror.fileRequests.isEmpty)
        #expect(error?.failure.number == Int(EPERM))
        _ = held.take()
        #expect(try await testMirror.sync(.days([today]))[today] == "mirrored")
        #expect(listing(path) == [])
    }

    @Test("does not end the backfill, which goes on with it later")
    func backfill() async throws {
        let testService = try TestService(days: 120)
        mkdir(testService.root, 0o755)
        var held: Any? = try Obstacle.file.put("2026/09", in: testService.root)
        try await testService.start(until: .backfilled)
        let summary = try testService.catalog.summary()
        #expect(summary.failed.count == 30 && summary.pictures == 90)
        let month = testService["2026/09"]
        #expect(summary.failed.allSatisfy { $0.day.folder == "2026/09" && $0.failure.words.contains(month) })
        #expect(!testService.told.value.contains { $0.event == .refreshFailed })
        _ = held.take()
        await testService.stop()
        testService.start()
        try await testService.eventually { try testService.catalog.summary().pictures == 120 }
        await testService.stop()
    }
}
