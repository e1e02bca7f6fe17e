import Apod
import Archive
import Files
import Glibc
import Service
import TestSupport
import Testing

/// What can stand in the way of a month, for whoever runs the tests.
enum Obstacle: String, Sendable, CaseIterable {
    case file, link, fileOfYear, immutable, immutableYear, readOnly, otherDisk, silentDisk, silentDiskOfYear

    static var possible: [Obstacle] {
        allCases.filter { obstacle in
            switch obstacle {
            case .file, .link, .fileOfYear: true
            case .immutable, .immutableYear: ImmutableFolder.canBeMade
            case .readOnly, .otherDisk: Disk.canBeMade
            case .silentDisk, .silentDiskOfYear: SilentMount.canBeMade
            }
        }
    }

    /// In what folder nothing can be done.
    func place(_ month: String) -> String {
        switch self {
        case .fileOfYear, .immutableYear, .silentDiskOfYear: String(month.prefix(4))
        default: month
        }
    }

    /// What to do is told with these words.
    var advice: String {
        switch self {
        case .file, .link, .fileOfYear: "move what is there elsewhere"
        case .immutable, .immutableYear: "`sudo chattr -i`"
        case .readOnly: "`sudo mount -o remount,rw "
        case .otherDisk, .silentDisk, .silentDiskOfYear: "is on another disk"
        }
    }

    /// It is in the way until it is let go of.
    func put(_ month: String, in root: String) throws -> Any {
        let path = "\(root)/\(place(month))"
        mkdir("\(root)/\(month.prefix(4))", 0o755)
        switch self {
        case .file, .fileOfYear:
            rmdir(path)
            try save([1], to: path)
            return Removal(path)
        case .link:
            try #require(symlink("../nowhere", path) == 0)
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
        case .silentDisk, .silentDiskOfYear: return try SilentMount(over: path)
        }
    }

    private final class Removal {
        let path: String
        init(_ path: String) { self.path = path }
        deinit { unlink(path) }
    }
}

@Suite("A month in which nothing can be done", .serialized, .timeLimit(.minutes(1)))
struct RefusedMonthTests {
    private let today = Observatory.today
    /// More than may fail in a row where it is the upstream's fault.
    private static let bad = (0..<25).map { Day("2024-10-31")!.advanced(by: -$0) }
    private let others = [Observatory.today, Day("2024-11-01")!, Day("2024-09-30")!, Day("2023-10-15")!]

    private func observatory() throws -> Observatory {
        try Observatory((others + Self.bad).map { Entry($0, bytes: 2_000) })
    }

    /// What could be a day's matter, or its month's, or its year's.
    private func concerns(_ obstacle: Obstacle, _ day: Day) -> Bool { day.folder.hasPrefix(obstacle.place("2024/10")) }

    @Test("costs its own days and no others, which is told with what to do, and passes", arguments: Obstacle.possible)
    func refresh(obstacle: Obstacle) async throws {
        let observatory = try observatory()
        _ = try observatory.archive()
        var held: Any? = try obstacle.put("2024/10", in: observatory.root)
        let days = Set(others + Self.bad)
        for round in 1...4 {
            observatory.nasa.server.forgetRequests()
            let (events, error) = try await observatory.attempt(.days(days))
            #expect(error == nil)
            for day in days {
                let isBad = concerns(obstacle, day)
                #expect(events[day] == (isBad ? "failed for now" : round == 1 ? "mirrored" : "unchanged"), "\(day)")
            }
            // What could not be put into its place was not fetched.
            #expect(observatory.fileRequests.count == (round == 1 ? days.count { !concerns(obstacle, $0) } : 0))
            let why = try #require(events.first { $0.why != nil }?.why)
            #expect(why.contains("\(observatory.root)/\(obstacle.place("2024/10"))") && why.contains(obstacle.advice))
            let standing = try #require(try observatory.standing(Self.bad[0]))
            #expect(standing.reason == why && standing.state == .failed && standing.retryAfter == nil)
        }
        _ = held.take()
        // Also those that are older than what is looked at again.
        try await observatory.sync(.missing(today.advanced(by: -1)...today))
        for day in Self.bad { #expect(try observatory.standing(day)?.state == .mirrored) }
        try await observatory.audit()
    }

    @Test("costs its own days also where that is known only when it is tried", .enabled(if: Disk.canBeMade))
    func tried() async throws {
        let observatory = try observatory()
        _ = try observatory.archive()
        let month = "\(observatory.root)/2024/10"
        for folder in ["\(observatory.root)/2024", month] { mkdir(folder, 0o755) }
        // Of the same disk, but nothing can be moved there from anywhere else.
        var view: BindMount? = try BindMount(of: month, over: month)
        for _ in 1...4 {
            let (events, error) = try await observatory.attempt(.days(Set(others + Self.bad)))
            #expect(error == nil)
            for day in Self.bad { #expect(events[day] == "failed for now") }
            #expect(listing("\(observatory.root)/.apod-mirror/unfinished") == [])
        }
        for day in others { #expect(try observatory.standing(day)?.state == .mirrored) }
        let standing = try #require(try observatory.standing(Self.bad[0]))
        #expect(standing.reason?.contains("\(month) is on another disk") == true && standing.retryAfter == nil)
        _ = view.take()
        try await observatory.sync(.missing(today...today))
        try await observatory.audit()
    }

    @Test(
        "keeps the days that are there, and takes their corrections later", .enabled(if: ImmutableFolder.canBeMade),
        arguments: [false, true])
    func correction(ofFile: Bool) async throws {
        let observatory = try observatory()
        let days = Set(others + Self.bad)
        try await observatory.sync(.days(days))
        let tree = observatory.tree
        var held: ImmutableFolder? = try ImmutableFolder("\(observatory.root)/2024/10")
        let (first, second) = (Self.bad[0], Self.bad[1])
        for day in [first, others[1]] {
            observatory.nasa[day]?.explanation = "Other words."
            if ofFile { observatory.nasa[day]?.media = .picture(.png) }
        }
        let events = try await observatory.sync(.days(days))
        #expect(events[first] == "failed for now" && events[others[1]] == "mirrored")
        #expect(events[second] == "unchanged")
        #expect(observatory.files(first) == tree.filter { $0.contains("\(first)") }.map { String($0.dropFirst(8)) })
        #expect(try await observatory.problems() == [])
        _ = held.take()
        try await observatory.sync(.missing(today...today))
        #expect(try observatory.json(first)["explanation"]?.string == "Other words.")
        #expect(observatory.files(first).map { $0.suffix(3) }.sorted() == (ofFile ? ["png", "son"] : ["jpg", "son"]))
        try await observatory.audit()
    }

    @Test("is no matter of its own where nothing can be made in the root", .enabled(if: ImmutableFolder.canBeMade))
    func root() async throws {
        let observatory = try observatory()
        _ = try observatory.archive()
        var held: ImmutableFolder? = try ImmutableFolder(observatory.root)
        let (events, error) = try await observatory.attempt(.days([today]))
        #expect(error?.kind == "archive" && events[today] == nil)
        #expect(try observatory.standing(today) == nil)
        _ = held.take()
        #expect(try await observatory.sync(.days([today]))[today] == "mirrored")
    }

    @Test("does not end the backfill, which goes on with it later")
    func backfill() async throws {
        let outpost = try Outpost(days: 120)
        mkdir(outpost.root, 0o755)
        var held: Any? = try Obstacle.file.put("2026/09", in: outpost.root)
        outpost.start()
        try await outpost.told(.backfilled)
        let summary = try outpost.catalog().summary()
        #expect(summary.failed.count == 30 && summary.pictures == 90)
        let month = "\(outpost.root)/2026/09"
        #expect(summary.failed.allSatisfy { $0.day.folder == "2026/09" && $0.reason.contains(month) })
        #expect(!outpost.told.value.contains { $0.event == .refreshFailed })
        _ = held.take()
        await outpost.stop()
        outpost.start()
        try await outpost.eventually { try outpost.catalog().summary().pictures == 120 }
        await outpost.stop()
    }
}
