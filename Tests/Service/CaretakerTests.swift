import Apod
import Archive
import Files
import Glibc
import TestSupport
import Testing

@testable import Service

@Suite("The service", .serialized, .timeLimit(.minutes(1)))
struct CaretakerTests {
    private let today = Outpost.today
    private var tomorrow: Day { today.advanced(by: 1) }

    /// When the day is asked for at the latest.
    private func due(_ day: Day) -> Int { NewYork.moment(of: day, second: 300 + Schedule.mostJitter) }

    /// It has all that there is and waits for the next day.
    private func upToDate() async throws -> Outpost {
        let outpost = try Outpost(days: 3)
        outpost.start()
        try await outpost.mirrored(today)
        try await outpost.time.awaited(from: due(tomorrow) - Schedule.mostJitter)
        return outpost
    }

    /// Mirrors a disk that can be taken away.
    private func onDisk(
        hasHome: Bool = true
    ) async throws -> (outpost: Outpost, disk: TemporaryFolder, place: TemporaryFolder, BindMount?) {
        let (disk, place) = (try TemporaryFolder(), try TemporaryFolder())
        let outpost = try Outpost(Entry.days(2, newest: today), root: place.path)
        if !hasHome { outpost.environment = [:] }
        let mount = try BindMount(of: disk.path, over: place.path)
        outpost.start()
        try await outpost.mirrored(today)
        try await outpost.told(.watching)
        return (outpost, disk, place, mount)
    }

    @Test("fetches what is there, waits, and fetches the new day minutes after it begins in New York")
    func newDay() async throws {
        let outpost = try await upToDate()
        #expect(try outpost.catalog().fact(.nextRefresh)! <= due(tomorrow))
        let before = outpost.nasa.requests.count
        outpost.nasa.add(Entry(tomorrow))
        outpost.time.set(NewYork.moment(of: tomorrow, second: 299))
        #expect(try await outpost.time.nextWait() > outpost.time.now)
        #expect(outpost.nasa.requests.count == before)
        outpost.time.set(due(tomorrow))
        try await outpost.mirrored(tomorrow)
        #expect(await outpost.stop() == nil)
        #expect(outpost.news.value.first { !$0.hasPrefix("status") } == "ready")
        #expect(outpost.news.value.contains("stopping"))
        #expect(outpost.told.value.contains { $0.event == .stopping })
    }

    @Test("asks again with pauses until a late day is there, and says nothing of it to anybody")
    func late() async throws {
        let outpost = try await upToDate()
        var asked = [try await outpost.time.nextWait()]
        for _ in 1...4 {
            outpost.time.set(asked.last!)
            try await outpost.time.awaited(from: asked.last! + 1)
            asked.append(try await outpost.time.nextWait())
        }
        #expect(zip(asked, asked.dropFirst()).map { ($1 - $0) / 60 } == [5, 10, 20, 40])
        outpost.nasa.add(Entry(tomorrow))
        outpost.time.set(asked.last!)
        try await outpost.mirrored(tomorrow)
        #expect(outpost.told.value.allSatisfy { $0.grade.rawValue > Notice.Grade.warning.rawValue })
    }

    @Test("catches up on all days that it slept through")
    func slept() async throws {
        let outpost = try await upToDate()
        let missed = (1...12).map { today.advanced(by: $0) }
        for day in missed { outpost.nasa.add(Entry(day)) }
        outpost.time.set(due(missed.last!))
        for day in missed { try await outpost.mirrored(day) }
    }

    @Test("does not care for a clock that jumps by a day and back", arguments: [-1, 1])
    func jumps(days: Int) async throws {
        let outpost = try await upToDate()
        let before = try await outpost.time.nextWait()
        outpost.time.jump(days: days)
        try await outpost.time.awaited(from: outpost.time.now + 1)
        outpost.time.jump(days: -days)
        try await outpost.time.awaited(exactly: before)
        outpost.nasa.add(Entry(tomorrow))
        outpost.time.set(due(tomorrow))
        try await outpost.mirrored(tomorrow)
    }

    @Test("gets over an upstream that is down for a week, without knocking all the time")
    func week() async throws {
        let outpost = try await upToDate()
        let before = outpost.nasa.requests.count
        outpost.nasa.intercept = { _ in Response(status: 503) }
        let back = outpost.time.now + 7 * 86_400
        while outpost.time.now < back {
            let next = try await outpost.time.nextWait()
            outpost.time.set(next)
            try await outpost.time.awaited(from: next + 1)
        }
        let knocks = outpost.nasa.requests.count - before
        // A dozen times a day and some more in the first hours of each; each time, some attempts and the feed.
        #expect(knocks > 7 && knocks < 7 * 20 * 20)
        #expect(try outpost.catalog().remark(.lastFailure) != nil)
        outpost.nasa.intercept = nil
        let missed = (1...7).map { today.advanced(by: $0) }
        for day in missed { outpost.nasa.add(Entry(day)) }
        outpost.time.set(try await outpost.time.nextWait())
        for day in missed { try await outpost.mirrored(day) }
        try await outpost.told(.refreshed, "\(missed.last!)")
        #expect(try outpost.catalog().remark(.lastFailure) == nil)
    }

    @Test("takes a correction of the last days over with the next day")
    func corrected() async throws {
        let outpost = try await upToDate()
        outpost.nasa[today]?.title = "Corrected"
        outpost.nasa.add(Entry(tomorrow))
        outpost.time.set(due(tomorrow))
        try await outpost.told(.mirrored, "Corrected")
        try await outpost.mirrored(tomorrow)
        #expect(try outpost.catalog().standing(of: today)?.entry?.title == "Corrected")
        #expect(try outpost.days.count == 4)
    }

    @Test("puts a favorite's link in order and its title in the list, whatever brought the day or a correction of it")
    func favorites() async throws {
        let outpost = try await upToDate()
        func listed(_ words: String...) -> Bool {
            let bytes = try? contents("\(outpost.root)/\(Tree.favoritesList)")
            let list = String(decoding: bytes ?? [], as: UTF8.self)
            return words.allSatisfy(list.contains)
        }
        for day in [today, tomorrow] { symlink("\(day)", "\(outpost.root)/favorites/\(day)") }
        try await outpost.eventually { listed("\(today)", "\(tomorrow)") }
        outpost.nasa[today]?.title = "Corrected"
        outpost.nasa.add(Entry(tomorrow, title: "A Wish"))
        outpost.time.set(due(tomorrow))
        try await outpost.mirrored(tomorrow)
        try await outpost.eventually { listed("Corrected", "A Wish") }
        let link = target(of: "\(outpost.root)/favorites/\(tomorrow)")
        #expect(link == "../\(tomorrow.folder)/\(tomorrow) A Wish.jpg")
        #expect(try outpost.catalog().pending().isEmpty)
    }

    @Test(
        "waits where its disk is not mounted, writes nothing there, and goes on when it is",
        .enabled(if: Disk.canBeMade))
    func away() async throws {
        var (outpost, disk, place, mount) = try await onDisk()
        await outpost.stop()
        withExtendedLifetime(mount) {}
        mount = nil
        outpost.start()
        try await outpost.told(.waiting, "is its disk mounted?")
        _ = try await outpost.news.first { $0.count { $0 == "ready" } == 2 }
        #expect(try Folder.open(place.path).names().isEmpty)
        mount = try BindMount(of: disk.path, over: place.path)
        try await outpost.told(.watching, times: 2)
        await outpost.stop()
        withExtendedLifetime(mount) {}
    }

    @Test(
        "waits again when its root is unmounted under it, also where it cannot remember its roots",
        .enabled(if: Disk.canBeMade), arguments: [true, false])
    func unmounted(hasHome: Bool) async throws {
        var (outpost, disk, place, mount) = try await onDisk(hasHome: hasHome)
        withExtendedLifetime(mount) {}
        mount = nil
        try await outpost.told(.waiting, "is its disk mounted?")
        #expect(try Folder.open(place.path).names().isEmpty)
        mount = try BindMount(of: disk.path, over: place.path)
        try await outpost.told(.watching, times: 2)
        await outpost.stop()
        withExtendedLifetime(mount) {}
    }

    @Test("chooses nothing by a clock that is not set yet")
    func unsetClock() async throws {
        let outpost = try Outpost(Entry.days(40, newest: today), time: FakeTime(86_400)) { $0.since = nil }
        outpost.start()
        try await outpost.told(.waiting, "the clock is not set")
        #expect(Facts(outpost.root) == nil)
        outpost.time.set(today.noon)
        try await outpost.mirrored(today.advanced(by: -30))
        #expect(try outpost.catalog().fact(.since) == today.advanced(by: -30).number)
    }

    @Test("works by new settings after a reload, and goes on by the old ones if they are the same")
    func reload() async throws {
        let outpost = try Outpost(days: 60)
        outpost.settings.since = today.advanced(by: -10)
        outpost.start()
        try await outpost.told(.watching)
        try await outpost.mirrored(today.advanced(by: -10))
        outpost.caretaker?.reload(outpost.settings)
        try await outpost.told(.reloaded, "the same as before")
        outpost.settings.since = today.advanced(by: -59)
        outpost.caretaker?.reload(outpost.settings)
        try await outpost.told(.reloaded, "new settings")
        try await outpost.mirrored(today.advanced(by: -59))
        await outpost.stop()
        let news = outpost.news.value.filter { !$0.hasPrefix("status") }
        #expect(news == ["ready", "reloading", "ready", "reloading", "ready", "stopping"])
    }

    @Test("says who has the mirror if it is not to be had")
    func twice() async throws {
        let outpost = try Outpost(days: 1)
        outpost.start()
        try await outpost.mirrored(today)
        let other = Caretaker(outpost.settings, .init(version: "test", environment: [:]) { _ in })
        await #expect {
            try await other.run()
        } throws: { error in
            "\(error)".contains("is in use by process \(getpid())")
        }
    }

    @Test("opens the mirror anew when its catalog is deleted, and finds everything again")
    func deletedCatalog() async throws {
        let outpost = try Outpost(days: 3)
        outpost.start()
        try await outpost.told(.watching)
        try await outpost.mirrored(today)
        try await outpost.told(.refreshed)
        unlink("\(outpost.root)/.apod-mirror/catalog.sqlite")
        symlink("../latest", "\(outpost.root)/favorites/x")
        try await outpost.told(.waiting, "is not what it was any more")
        try await outpost.told(.watching, times: 2)
        #expect(try outpost.days.count == 3)
    }

    @Test("sets a catalog aside in which somebody has met damage, and keeps the favorites", arguments: [true, false])
    func suspectCatalog(onNewDay: Bool) async throws {
        let outpost = try await upToDate()
        let catalog = "\(outpost.root)/.apod-mirror/catalog.sqlite"
        try await outpost.told(.watching)
        symlink("../latest", "\(outpost.root)/favorites/mine")
        try await outpost.eventually { try outpost.catalog().favorites().map(\.day) == [today] }
        try save([], to: catalog + ".suspect")
        if onNewDay {
            outpost.nasa.add(Entry(tomorrow))
            outpost.time.set(due(tomorrow))
            try await outpost.mirrored(tomorrow)
        } else {
            symlink("nowhere", "\(outpost.root)/favorites/other")
        }
        try await outpost.told(.waiting, "somebody has met damage in it")
        try await outpost.eventually { Facts(catalog + ".damaged") != nil && Facts(catalog + ".suspect") == nil }
        // The new one is not there at once.
        try await outpost.watchesAgain()
        try await outpost.eventually { try outpost.catalog().favorites().map(\.day) == [today] }
        try await outpost.eventually { try outpost.days.count == (onNewDay ? 4 : 3) }
    }

    @Test("tells that it is alive, also while it waits")
    func alive() async throws {
        let outpost = try Outpost(Entry.days(1, newest: today), time: FakeTime(86_400))
        outpost.start(watchdog: .milliseconds(30))
        _ = try await outpost.news.first { $0.count { $0 == "alive" } > 3 }
        outpost.time.set(today.noon)
        try await outpost.mirrored(today)
        let before = outpost.news.value.count
        _ = try await outpost.news.first { $0.dropFirst(before).count { $0 == "alive" } > 3 }
    }

    @Test("tells that it is alive three times as often as somebody waits for that")
    func aliveInTime() async throws {
        let outpost = try Outpost(Entry.days(1, newest: today))
        let times = Awaited<[ContinuousClock.Instant]>([])
        outpost.onNews.update { $0 = { news in if news == "alive" { times.update { $0.append(.now) } } } }
        outpost.start(watchdog: .milliseconds(900))
        let signs = try await times.first { $0.count == 8 }
        let pauses = zip(signs, signs.dropFirst()).map { $1 - $0 }
        // On a busy machine, some are late.
        #expect(.milliseconds(300)...(.milliseconds(600)) ~= pauses.min()!, "\(pauses)")
        await outpost.stop()
    }

    @Test("lets go of what is too old, but of no favorite, and does not fetch it again")
    func retention() async throws {
        let outpost = try Outpost(days: 40) { $0.keep = Span("20d") }
        outpost.start()
        try await outpost.told(.watching)
        try await outpost.told(.refreshed)
        let favorite = today.advanced(by: -15)
        symlink("\(favorite)", "\(outpost.root)/favorites/\(favorite)")
        try await outpost.eventually { try outpost.catalog().favorites().map(\.day) == [favorite] }
        let later = today.advanced(by: 10)
        for number in 1...10 { outpost.nasa.add(Entry(today.advanced(by: number))) }
        outpost.time.set(due(later))
        try await outpost.told(.pruned)
        let catalog = try outpost.catalog()
        let files = try catalog.entries().filter { $0.entry?.files.isEmpty == false }.map(\.day)
        #expect(files.first == favorite && files.dropFirst().first! >= later.advanced(by: -20))
        let before = outpost.nasa.requests.count
        outpost.nasa.add(Entry(later.advanced(by: 1)))
        outpost.time.set(due(later.advanced(by: 1)))
        try await outpost.mirrored(later.advanced(by: 1))
        await outpost.stop()
        #expect(outpost.nasa.requests.dropFirst(before).count { $0.path.hasPrefix(Entry.originals) } == 1)
    }

    @Test("can be reloaded again and again, also while it opens the mirror")
    func reloads() async throws {
        let outpost = try Outpost(days: 30)
        outpost.settings.since = today.advanced(by: -3)
        outpost.start()
        for number in 4..<24 {
            outpost.settings.since = today.advanced(by: -number)
            outpost.caretaker?.reload(outpost.settings)
            for _ in 0..<number * 50 { await Task.yield() }
        }
        try await outpost.mirrored(today.advanced(by: -23))
        try await outpost.eventually { outpost.news.value.last { !$0.hasPrefix("status") } == "ready" }
    }

    @Test("lets go of nothing that was linked to or copied while it was down")
    func retentionAtStart() async throws {
        let outpost = try Outpost(days: 30)
        outpost.start()
        try await outpost.mirrored(today.advanced(by: -29))
        try await outpost.told(.watching)
        await outpost.stop()
        let (linked, copied) = (today.advanced(by: -29), today.advanced(by: -28))
        let catalog = try outpost.catalog()
        let pictures = try [linked, copied].map { day in
            "\(outpost.root)/\(day.folder)/\(try #require(try catalog.standing(of: day)?.entry).main)"
        }
        symlink(pictures[0], "\(outpost.root)/favorites/linked")
        try save(try contents(pictures[1]), to: "\(outpost.root)/favorites/copied.jpg")
        outpost.settings.keep = Span("5d")
        outpost.start()
        try await outpost.told(.pruned)
        try await outpost.eventually { try outpost.catalog().favorites().count == 2 }
        #expect(try pictures.allSatisfy { try Facts($0)?.bytes == contents(pictures[0]).count })
        let kept = try outpost.catalog().entries().filter { $0.state == .mirrored }.map(\.day)
        #expect(kept.prefix(2) == [linked, copied] && kept.dropFirst(2).allSatisfy { $0 >= today.advanced(by: -5) })
    }

    @Test("fetches nothing of years that nobody asked for by a clock that is behind")
    func behind() async throws {
        let outpost = try Outpost(Entry.days(200, newest: today)) { $0.since = nil }
        outpost.start()
        try await outpost.mirrored(today.advanced(by: -30))
        await outpost.stop()
        let before = try outpost.days
        outpost.time.pass(-15 * 86_400)
        outpost.start()
        try await outpost.told(.watching, times: 2)
        try await outpost.time.awaited(from: outpost.time.now + 1)
        await outpost.stop()
        #expect(try outpost.days == before)
    }
}
