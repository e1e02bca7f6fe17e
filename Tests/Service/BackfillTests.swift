import Apod
import Archive
import Glibc
import TestSupport
import Testing

@testable import Service

@Suite("The backfill", .serialized, .timeLimit(.minutes(1)))
struct BackfillTests {
    private let today = Outpost.today

    @Test("goes back window by window, newest first, and tells how far it is")
    func windows() async throws {
        let outpost = try Outpost(days: 120)
        outpost.start()
        try await outpost.told(.backfilled)
        let days = outpost.told.value.filter { $0.event == .mirrored }.compactMap(\.day)
        #expect(days.count == 120)
        // Within a window the days come as they come.
        for (index, day) in days.enumerated() {
            let newer = days.prefix(index).count { $0 < day.advanced(by: -25) }
            #expect(newer == 0, "\(day) came behind days of older windows")
        }
        let lines = outpost.news.value.filter { $0.contains("days to fetch, now at") }
        #expect(lines.contains { $0.contains("about a minute left") })
        _ = try await outpost.news.first { $0.last { $0.hasPrefix("status") }?.contains("to fetch") == false }
        #expect(outpost.told.value.contains { $0.event == .backfilling && $0.words.hasPrefix("82 days to fetch") })
    }

    @Test("goes on where it was when the service is stopped and started again")
    func resumed() async throws {
        let outpost = try Outpost(days: 150)
        outpost.start()
        try await outpost.mirrored(today.advanced(by: -70))
        await outpost.stop()
        let here = Set(try outpost.days)
        #expect(here.count < 150)
        let before = outpost.nasa.requests.count
        outpost.start()
        try await outpost.told(.backfilled)
        let asked = outpost.nasa.requests.dropFirst(before)
        for day in here {
            #expect(!asked.contains { $0.path.hasPrefix(Entry.originals) && $0.path.contains(day.compact) })
        }
        #expect(try outpost.days.count == 150)
    }

    @Test("gives way to the new day, and to a favorite")
    func givesWay() async throws {
        let outpost = try Outpost(days: 200)
        let (slow, wish) = (today.advanced(by: -60), today.advanced(by: -199))
        // Until somebody interrupts it, it goes no further.
        outpost.nasa.intercept = { request in
            request.path.hasPrefix(Entry.originals) && request.path.contains(slow.compact) ? .hanging : nil
        }
        outpost.start()
        try await outpost.nasa.server.request { $0.path.contains(slow.compact) }
        symlink("\(wish)", "\(outpost.root)/favorites/\(wish)")
        try await outpost.mirrored(wish)
        #expect(try !outpost.days.contains(today.advanced(by: -150)))
        let tomorrow = today.advanced(by: 1)
        outpost.nasa.add(Entry(tomorrow))
        outpost.time.set(NewYork.moment(of: tomorrow, second: 300 + Schedule.mostJitter))
        try await outpost.mirrored(tomorrow)
        #expect(try !outpost.days.contains(today.advanced(by: -150)))
        outpost.nasa.intercept = nil
        await outpost.stop()
        outpost.start()
        try await outpost.told(.backfilled)
        #expect(try outpost.days.count == 201)
    }

    @Test("waits while the upstream is down, and goes on when it is back")
    func outage() async throws {
        let outpost = try Outpost(days: 100)
        let limit = today.advanced(by: -50)
        outpost.nasa.intercept = { request in
            let isOld = request["date_to"].map { $0 < limit.compact } ?? request.path.hasPrefix("/feed")
            return isOld ? Response(status: 503) : nil
        }
        outpost.start()
        try await outpost.told(.refreshFailed, "the backfill goes on later")
        _ = try await outpost.news.first { $0.last { $0.hasPrefix("status") }?.contains("backfill: ") == true }
        outpost.nasa.intercept = nil
        outpost.time.set(try await outpost.time.nextWait())
        try await outpost.told(.backfilled)
        #expect(try outpost.days.count == 100)
    }

    @Test("leaves each window that stays unanswered for another time after four attempts, with growing pauses")
    func attempts() async throws {
        let outpost = try Outpost(days: 100)
        let limit = today.advanced(by: -50)
        outpost.nasa.intercept = { request in
            let isOld = request["date_to"].map { $0 < limit.compact } ?? request.path.hasPrefix("/feed")
            return isOld ? Response(status: 503) : nil
        }
        outpost.start()
        var pauses: [Int] = []
        try await outpost.eventually {
            // The next day is waited for, too.
            if let pause = outpost.time.nextPause, 1...7_200 ~= pause {
                pauses.append(pause)
                outpost.time.pass(pause)
            }
            return outpost.told.value.contains { $0.event == .backfilled }
        }
        #expect(pauses == [300, 600, 1200, 2400, 4800, 7200])
        #expect(try outpost.days.count == 63)
        await outpost.stop()
    }

    @Test("ends where what has come leaves no room for what is older")
    func noRoom() async throws {
        let entries = Entry.days(100, newest: today, bytes: 100_000)
        let outpost = try Outpost(entries) { $0.maxTotal = 5_000_000 }
        outpost.start()
        try await outpost.told(.backfilled, "back to \(today.advanced(by: -62))")
        #expect(!outpost.told.value.contains { $0.words.contains("there is no room") })
        await outpost.stop()
    }

    @Test("and all else stay up on a full disk, say so, and go on when there is room", .enabled(if: Disk.canBeMade))
    func full() async throws {
        let disk = try Disk("tmpfs", "size=1m")
        let outpost = try Outpost(Entry.days(4, newest: today, bytes: 400_000), root: "\(disk.path)/APOD")
        outpost.start()
        try await outpost.told(.refreshFailed, "make room")
        _ = try await outpost.news.first { $0.contains { $0.contains("refresh: ") && $0.contains("make room") } }
        try await outpost.told(.watching)
        try disk.change("size=32m")
        try await outpost.time.awaited(from: outpost.time.now + 1)
        outpost.time.pass(Fullness.look)
        try await outpost.eventually { try outpost.days.count == 4 }
        _ = try await outpost.news.first { $0.last { $0.hasPrefix("status") }?.contains("make room") == false }
        await outpost.stop()
    }

    @Test("starts although the disk is full, and goes on when there is room", .enabled(if: Disk.canBeMade))
    func fullAtStart() async throws {
        let disk = try Disk("tmpfs", "size=1m")
        let outpost = try Outpost(Entry.days(2, newest: today), root: "\(disk.path)/APOD")
        try disk.fill(with: "ballast")
        outpost.start()
        try await outpost.told(.waiting, "no space left")
        _ = try await outpost.news.first { $0.contains("ready") }
        try disk.change("size=32m")
        try await outpost.mirrored(today)
        await outpost.stop()
    }
}
