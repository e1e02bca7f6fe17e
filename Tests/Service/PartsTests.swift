import Apod
import Archive
import CSQLite
import Files
import Glibc
import Service
import TestSupport
import Testing

/// What one part of the service does may be news for another.
@Suite("The parts of the service", .serialized, .timeLimit(.minutes(1)))
struct PartsTests {
    private let today = Outpost.today

    /// When the day is asked for at the latest.
    private func due(_ day: Day) -> Int { NewYork.moment(of: day, second: 300 + Schedule.mostJitter) }

    private func upToDate(days: Int = 3, _ change: (inout Settings) -> Void = { _ in }) async throws -> Outpost {
        let outpost = try Outpost(days: days, change)
        outpost.start()
        try await outpost.told(.watching)
        try await outpost.told(.refreshed)
        try await outpost.time.awaited(from: due(today.advanced(by: 1)) - Schedule.mostJitter)
        return outpost
    }

    @Test("let a favorite's link be taken away by mistake: its picture stays for thirty days more")
    func mistake() async throws {
        let outpost = try await upToDate(days: 40) { $0.keep = Span("20d") }
        let (favorite, link) = (today.advanced(by: -15), "\(outpost.root)/favorites/x")
        symlink("\(favorite)", link)
        try await outpost.eventually { try outpost.catalog().favorites().map(\.day) == [favorite] }
        let later = today.advanced(by: 10)
        for number in 1...10 { outpost.nasa.add(Entry(today.advanced(by: number), bytes: 2_000)) }
        outpost.time.set(due(later))
        try await outpost.told(.pruned)
        func files() throws -> Int? { try outpost.catalog().standing(of: favorite)?.entry?.files.count }
        #expect(try files() == 1)
        unlink(link)
        symlink("\(later)", "\(outpost.root)/favorites/y")
        try await outpost.eventually {
            let list = try? contents("\(outpost.root)/\(Tree.favoritesList)")
            let isOnlyOne = try outpost.catalog().favorites().count == 1
            return isOnlyOne && String(decoding: list ?? [], as: UTF8.self).contains("\"\(later)\"")
        }
        for number in [1, 29] {
            let next = later.advanced(by: number)
            outpost.nasa.add(Entry(next, bytes: 2_000))
            outpost.time.set(due(next))
            try await outpost.mirrored(next)
            try await outpost.told(.pruned, times: number == 1 ? 2 : 3)
            #expect(try files() == 1)
        }
        outpost.nasa.add(Entry(later.advanced(by: 31), bytes: 2_000))
        outpost.time.set(due(later.advanced(by: 31)))
        try await outpost.eventually { try files() == 0 }
    }

    /// The upstream was down for ten days, and is there again; nobody has asked since.
    private func afterOutage() async throws -> (outpost: Outpost, missed: [Day]) {
        let outpost = try await upToDate()
        let missed = (1...10).map { today.advanced(by: $0) }
        outpost.nasa.intercept = { _ in Response(status: 503) }
        outpost.time.set(due(missed.last!))
        try await outpost.told(.refreshFailed)
        for day in missed { outpost.nasa.add(Entry(day, bytes: 2_000)) }
        outpost.nasa.intercept = nil
        return (outpost, missed)
    }

    @Test("ask for all days that were missed, though a favorite has brought the newest")
    func wishForToday() async throws {
        let (outpost, missed) = try await afterOutage()
        symlink("\(missed.last!)", "\(outpost.root)/favorites/x")
        try await outpost.mirrored(missed.last!)
        let next = try await outpost.time.nextWait()
        #expect(next < outpost.time.now + 7_200)
        outpost.time.set(next)
        for day in missed { try await outpost.mirrored(day) }
    }

    @Test("ask for all days that were missed, though a sync has brought the newest")
    func syncOfToday() async throws {
        let (outpost, missed) = try await afterOutage()
        let service = try #require(try ControlClient.reach(root: outpost.root))
        let order = SyncOrder(since: missed.last!)
        try await blocking { () throws(ControlFailure) in try service.ask(.sync(order)) { _ in } }
        #expect(try outpost.days.last == missed.last!)
        outpost.time.set(try await outpost.time.nextWait())
        for day in missed { try await outpost.mirrored(day) }
    }

    @Test("ask again and again for a day whose picture is late", arguments: ["missing", "not named"])
    func latePicture(kind: String) async throws {
        let outpost = try await upToDate()
        let tomorrow = today.advanced(by: 1)
        func files() throws -> Int? { try outpost.catalog().standing(of: tomorrow)?.entry?.files.count }
        var entry = Entry(tomorrow, bytes: 2_000)
        if kind == "missing" {
            outpost.nasa.intercept = { $0.path.hasSuffix(".jpg") ? .html(404) : nil }
        } else {
            entry.media = .placeholder
        }
        outpost.nasa.add(entry)
        outpost.time.set(due(tomorrow))
        for minutes in [5, 10, 20, 40, 80] {
            let now = outpost.time.now
            try await outpost.time.awaited(from: now + 1)
            #expect(try await outpost.time.nextWait() == now + minutes * 60)
            #expect(try files() == 0)
            outpost.time.pass(minutes * 60)
        }
        try await outpost.time.awaited(from: outpost.time.now + 1)
        outpost.nasa.intercept = nil
        outpost.nasa.add(Entry(tomorrow, bytes: 2_000))
        outpost.time.pass(7_200)
        try await outpost.eventually { try files() == 1 }
        try await outpost.time.awaited(from: due(tomorrow.advanced(by: 1)) - Schedule.mostJitter)
    }

    @Test("fetch favorites as soon as there is room on the disk", .enabled(if: Disk.canBeMade))
    func wishOnFullDisk() async throws {
        let disk = try Disk("tmpfs", "size=12m")
        let outpost = try Outpost(Entry.days(3, newest: today, bytes: 2_000), root: "\(disk.path)/APOD")
        outpost.start()
        try await outpost.told(.refreshed)
        try await outpost.told(.watching)
        let wish = today.advanced(by: -400)
        outpost.nasa.add(Entry(wish, bytes: 2_000))
        // Less than a hundredth is left: the favorite can be noted, but not fetched.
        try disk.fill(with: "others")
        let size = try #require(Facts("\(disk.path)/others")?.bytes)
        truncate("\(disk.path)/others", size - 100_000)
        symlink("\(wish)", "\(outpost.root)/favorites/x")
        try await outpost.told(.refreshFailed, "make room")
        try await outpost.time.awaited(exactly: outpost.time.now + 60)
        unlink("\(disk.path)/others")
        outpost.time.pass(60)
        try await outpost.mirrored(wish)
    }

    @Test("have got over a refresh that failed when a sync goes well")
    func syncAfterFailure() async throws {
        let outpost = try await upToDate()
        outpost.nasa.intercept = { _ in Response(status: 503) }
        outpost.time.set(due(today.advanced(by: 1)))
        try await outpost.told(.refreshFailed)
        func troubles() throws -> Set<ServicePart> {
            let status = try #require(ControlClient.status(root: outpost.root, environment: [:]))
            return Set(status.state.troubles.keys)
        }
        #expect(try troubles() == [.refresh])
        outpost.nasa.intercept = nil
        let service = try #require(try ControlClient.reach(root: outpost.root))
        try await blocking { () throws(ControlFailure) in try service.ask(.sync(SyncOrder())) { _ in } }
        #expect(try troubles().isEmpty)
    }

    @Test("open the mirror anew when a favorite's day meets a damaged catalog")
    func damaged() async throws {
        let outpost = try await upToDate()
        let wish = today.advanced(by: -400)
        outpost.nasa.add(Entry(wish, bytes: 2_000))
        try damageSearch(in: "\(outpost.root)/.apod-mirror/catalog.sqlite")
        symlink("\(wish)", "\(outpost.root)/favorites/x")
        // Its files have come; the new catalog finds them.
        try await outpost.watchesAgain()
        #expect(access("\(outpost.root)/.apod-mirror/catalog.sqlite.damaged", F_OK) == 0)
        try await outpost.eventually {
            target(of: "\(outpost.root)/favorites/x")?.hasPrefix("../\(wish.folder)/") == true
        }
        #expect(try outpost.days.count == 4)
    }

    /// What only writing meets.
    private func damageSearch(in catalog: String) throws {
        var handle: OpaquePointer?
        defer { sqlite3_close(handle) }
        try #require(sqlite3_open(catalog, &handle) == SQLITE_OK)
        let sql = "UPDATE prose_data SET block = randomblob(length(block))"
        try #require(sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK)
    }

    @Test(
        "let go of pictures on a disk so full that neither the list of favorites nor the catalog can be written",
        .enabled(if: Disk.canBeMade), arguments: [false, true])
    func full(isCatalogThere: Bool) async throws {
        let disk = try Disk("tmpfs", "size=12m")
        let outpost = try Outpost(
            Entry.days(40, newest: today, bytes: 100_000), root: "\(disk.path)/APOD"
        ) { if isCatalogThere { $0.state = "\(disk.path)/state" } }
        if !isCatalogThere { outpost.settings.state = outpost.folder.appending("state") }
        outpost.start()
        try await outpost.told(.backfilled)
        try await outpost.told(.watching)
        await outpost.stop()
        outpost.settings.keep = Span("30d")
        try disk.fill(with: "others")
        outpost.start()
        try await outpost.told(.pruned)
        unlink("\(disk.path)/others")
        try await outpost.told(.pruned)
        let catalog = try #require(try Archive.catalogToRead(root: outpost.root, state: outpost.settings.state))
        try await outpost.eventually { try catalog.remark(.watching) == "inotify" }
        await outpost.stop()
    }
}
