import Apod
import Archive
import Catalog
import Glibc
import Synchronization
import Syncing
import TestMirror
import TestSupport
import Testing

@Suite("What belongs to another day", .timeLimit(.minutes(1)))
struct DuplicatesTests {
    private let today = TestMirror.today
    private var other: Day { today.advanced(by: -1) }

    /// Four days, each with a picture and words of its own.
    private func testMirror(_ change: (inout [Entry]) -> Void = { _ in }) async throws -> TestMirror {
        var entries = Entry.days(4, newest: today, bytes: 2_000)
        for index in entries.indices {
            entries[index].title = "Title \(index)"
            entries[index].explanation = "The story of \(index)."
        }
        change(&entries)
        let testMirror = try TestMirror(entries)
        try await testMirror.sync()
        try await testMirror.audit()
        testMirror.nasa.server.forgetRequests()
        return testMirror
    }

    private func contents(of days: [Day], _ testMirror: TestMirror) throws -> [[UInt8]] {
        try days.flatMap { day in
            try testMirror.files(day).map { try testMirror.bytes("\(day.folder)/\($0)") }
        }
    }

    @Test("comes to each of two days that were mixed up before", arguments: ["picture", "record"])
    func mixedUp(what: String) async throws {
        let testMirror = try await testMirror()
        let (one, two) = (try #require(testMirror.nasa[today]), try #require(testMirror.nasa[other]))
        for _ in 1...2 {
            let (mine, its) = (try #require(testMirror.nasa[today]), try #require(testMirror.nasa[other]))
            for (day, entry) in [(today, its), (other, mine)] {
                if what == "picture" { testMirror.nasa[day]?.seed = entry.seed }
                testMirror.nasa[day]?.title = entry.title
                testMirror.nasa[day]?.explanation = entry.explanation
            }
            let events = try await testMirror.sync()
            #expect(events[today] == "mirrored" && events[other] == "mirrored", "\(events.words)")
            try await testMirror.audit()
        }
        #expect(testMirror.nasa[today]?.title == one.title && testMirror.nasa[other]?.seed == two.seed)
    }

    @Test("is waited for with a picture only: a text comes though another day's picture does not")
    func slowly() async throws {
        let testMirror = try await testMirror()
        testMirror.nasa[today]?.explanation = "A better story."
        testMirror.nasa[other]?.seed = 99
        testMirror.nasa[other]?.explanation = "Another story."
        let isCorrected = Mutex(false)
        testMirror.nasa.intercept = { request in
            guard request.path.contains("\(self.other)".dropFirst(2).replacing("-", with: "")),
                request.path.hasSuffix(".jpg")
            else { return nil }
            for _ in 0..<1000 where !isCorrected.withLock(\.self) { usleep(20_000) }
            return nil
        }
        var done: [Day] = []
        for try await event in try testMirror.start().events {
            guard case .mirrored(let day, _, _, _) = event else { continue }
            done.append(day)
            isCorrected.withLock { $0 = true }
        }
        #expect(done == [today, other])
        try await testMirror.audit()
    }

    @Test(
        "is what comes for several days at once, though no day has it yet: none of them is replaced",
        arguments: [2, 4], ["picture", "record"])
    func several(count: Int, what: String) async throws {
        let testMirror = try await testMirror()
        let days = (0..<count).map { today.advanced(by: -$0) }
        let before = try contents(of: days, testMirror)
        for day in days {
            testMirror.nasa[day]?.explanation = what == "record" ? "One story." : "Better by \(day)."
            if what == "record" { testMirror.nasa[day]?.title = "One title" }
            testMirror.nasa[day]?.seed = what == "picture" ? 99 : 1000 + UInt64(day.number)
        }
        for wish in [nil, RefreshRequest.days(Set(days))] {
            let events = try await testMirror.sync(wish)
            #expect(days.map { events[$0] } == days.map { _ in "kept" }, "\(events.words)")
            let words = what == "picture" ? "sends one picture for several days" : "one title and text for several days"
            #expect(events.compactMap(\.why).allSatisfy { $0.contains(words) })
            #expect(try contents(of: days, testMirror) == before)
        }
        try await testMirror.audit()
    }

    @Test("comes for one day after the other: the first has it, and what is here stays")
    func oneByOne() async throws {
        let testMirror = try await testMirror()
        func corrected(_ day: Day, seed: UInt64) async throws -> String? {
            testMirror.nasa[day]?.seed = seed
            testMirror.nasa[day]?.title = "Title with \(seed) of \(day)"
            return try await testMirror.sync()[day]
        }
        #expect(try await corrected(today, seed: 99) == "mirrored")
        let before = try contents(of: [other], testMirror)
        #expect(try await corrected(other, seed: 99) == "kept")
        #expect(try contents(of: [other], testMirror) == before)
        // Something else is a correction like any other.
        #expect(try await corrected(other, seed: 98) == "mirrored")
        try await testMirror.audit()
    }

    @Test("stays there though something worse comes for that day at the same time")
    func besideWorse() async throws {
        let testMirror = try await testMirror()
        let before = try contents(of: [today, other], testMirror)
        testMirror.nasa[today]?.seed = UInt64(other.number)
        for day in [today, other] { testMirror.nasa[day]?.title = "Another Title of \(day)" }
        let (name, tiny) = (other.compact, Response.media(Pictures.jpeg(width: 8, height: 8), type: "image/jpeg"))
        testMirror.nasa.intercept = { $0.path.hasSuffix(".jpg") && $0.path.contains(name) ? tiny : nil }
        let events = try await testMirror.sync()
        #expect(events[today] == "kept" && events[other] == "kept", "\(events.words)")
        #expect(try contents(of: [today, other], testMirror) == before)
    }

    @Test("is what comes for a new day too: that one has it, and what is here stays", arguments: ["picture", "record"])
    func withNewDay(what: String) async throws {
        let testMirror = try await testMirror { $0.removeLast() }
        let before = try contents(of: [other], testMirror)
        testMirror.nasa.add(Entry(today, title: "New", bytes: 2_000))
        testMirror.nasa[today]?.explanation = "The new story."
        testMirror.nasa[other]?.explanation = what == "record" ? "The new story." : "Better."
        if what == "record" { testMirror.nasa[other]?.title = "New" }
        if what == "picture" { testMirror.nasa[other]?.seed = try #require(testMirror.nasa[today]?.seed) }
        let events = try await testMirror.sync()
        #expect(events[today] == "mirrored" && events[other] == "kept", "\(events.words)")
        #expect(try contents(of: [other], testMirror) == before)
        try await testMirror.audit()
    }

    @Test("can be shown again on a new day, which is corrected like any other, and so is the old one")
    func again() async throws {
        let old = today.advanced(by: -3)
        let testMirror = try await testMirror { entries in
            entries[3].seed = entries[0].seed
            entries[3].title = entries[0].title
            entries[3].explanation = entries[0].explanation
        }
        #expect(try testMirror.bytes(today, "jpg") == testMirror.bytes(old, "jpg"))
        testMirror.nasa[today]?.credit = "Somebody Else"
        testMirror.nasa[old]?.credit = "Somebody Else"
        var events = try await testMirror.sync()
        #expect(events[today] == "mirrored" && events[old] == "mirrored", "\(events.words)")
        testMirror.nasa[today]?.title = "Once More"
        testMirror.nasa[old]?.explanation = "Another story."
        events = try await testMirror.sync()
        #expect(events[today] == "mirrored" && events[old] == "mirrored", "\(events.words)")
        // Back to the same title; the text was the same before.
        testMirror.nasa[old]?.explanation = "The story of 0."
        testMirror.nasa[old]?.title = "A Better Title"
        #expect(try await testMirror.sync()[old] == "mirrored")
        testMirror.nasa[old]?.title = "Once More"
        #expect(try await testMirror.sync()[old] == "mirrored")
        try await testMirror.audit()
    }

    @Test("with one of the two, a title or a text, is a correction like any other", arguments: ["title", "text"])
    func half(what: String) async throws {
        let testMirror = try await testMirror()
        if what == "title" {
            testMirror.nasa[today]?.title = try #require(testMirror.nasa[other]?.title)
            testMirror.nasa[today]?.explanation = "A better story."
        } else {
            testMirror.nasa[today]?.explanation = try #require(testMirror.nasa[other]?.explanation)
        }
        #expect(try await testMirror.sync()[today] == "mirrored")
        try await testMirror.audit()
    }

    @Test("is taken by a day with the same record, from a worse copy to a good one: both show one picture")
    func better() async throws {
        let old = today.advanced(by: -3)
        let testMirror = try await testMirror { entries in
            entries[3].seed = entries[0].seed
            entries[3].hasOriginal = false
        }
        #expect(try testMirror.status(today)?.state == .downgraded)
        testMirror.nasa[today]?.hasOriginal = true
        #expect(try await testMirror.sync(.days([today]))[today] == "mirrored")
        #expect(try testMirror.bytes(today, "jpg") == testMirror.bytes(old, "jpg"))
        try await testMirror.audit()
    }

    /// Today and the day before show one picture, which becomes another.
    @Test("comes to two days that have it from one address, one after the other")
    func oneAddress() async throws {
        let testMirror = try await testMirror { entries in
            (entries[3].file, entries[3].seed) = (entries[2].file, entries[2].seed)
        }
        #expect(try testMirror.bytes(today, "jpg") == testMirror.bytes(other, "jpg"))
        for day in [today, other] { testMirror.nasa[day]?.seed = 99 }
        for day in [other, today] {
            testMirror.nasa[day]?.explanation = "Better by \(day)."
            let events = try await testMirror.sync()
            #expect(events[day] == "mirrored", "\(events.words)")
        }
        #expect(try testMirror.bytes(today, "jpg") == testMirror.bytes(other, "jpg"))
        try await testMirror.audit()
    }

    @Test("stays there, though a record tells of it by the other day's address")
    func otherAddress() async throws {
        let testMirror = try await testMirror()
        let before = try contents(of: [today, other], testMirror)
        let its = try #require(testMirror.nasa[other])
        testMirror.nasa[today]?.file = its.file
        testMirror.nasa[today]?.seed = its.seed
        testMirror.nasa[today]?.explanation = "Better."
        let events = try await testMirror.sync()
        #expect(events[today] == "kept", "\(events.words)")
        #expect(try contents(of: [today, other], testMirror) == before)
    }

    @Test("is better than nothing", arguments: ["missing", "damaged", "undecodable", "text"])
    func nothing(what: String) async throws {
        let testMirror = try await testMirror { if what == "text" { $0[3].media = .text } }
        let path = "\(testMirror.root)/2026/11/2026-11-20 Title 3.jpg"
        switch what {
        case "missing": unlink(path)
        case "damaged": try save([1, 2, 3], to: path)
        case "undecodable":
            let image = try #require(try testMirror.status(today)?.stored?.image)
            try testMirror.archive().catalog.record(
                .init(day: today, source: image.sha256, version: 1, refusal: "read error", isDamaged: true))
            testMirror.nasa[today]?.explanation = "Better."
        default: testMirror.nasa[today]?.media = .picture(.jpg)
        }
        testMirror.nasa[today]?.seed = try #require(testMirror.nasa[other]?.seed)
        #expect(try await testMirror.sync(.again([today]))[today] == "mirrored")
        #expect(try testMirror.bytes(today, "jpg") == testMirror.bytes(other, "jpg"))
        try await testMirror.audit()
    }

    @Test("is not taken for a poster that is here, and the texts are corrected")
    func poster() async throws {
        let testMirror = try await testMirror { entries in
            for index in 2...3 { entries[index].media = .video }
        }
        let before = try [today, other].map { try [testMirror.bytes($0, "mp4"), testMirror.bytes($0, "jpg")] }
        for day in [today, other] { testMirror.nasa[day]?.explanation = "Better by \(day)." }
        let picture = try testMirror.bytes(today.advanced(by: -2), "jpg")
        testMirror.nasa.intercept = { request in
            request.path.hasSuffix(".jpg") ? .media(Body(picture), type: "image/jpeg") : nil
        }
        let events = try await testMirror.sync()
        #expect(events[today] == "mirrored" && events[other] == "mirrored", "\(events.words)")
        #expect(try [today, other].map { try [testMirror.bytes($0, "mp4"), testMirror.bytes($0, "jpg")] } == before)
        #expect(try testMirror.json(today)["explanation"]?.string == "Better by \(today).")
        try await testMirror.audit()
    }

    @Test("is not taken for a video that is here")
    func video() async throws {
        let testMirror = try await testMirror { entries in
            for index in 2...3 { entries[index].media = .video }
        }
        let before = try contents(of: [today, other], testMirror)
        for day in [today, other] {
            testMirror.nasa[day]?.explanation = "Better by \(day)."
            testMirror.nasa[day]?.seed = 99
        }
        let events = try await testMirror.sync()
        #expect(events.compactMap(\.why).allSatisfy { $0.contains("the upstream sends one video for several days") })
        #expect(events[today] == "kept" && events[other] == "kept")
        #expect(try contents(of: [today, other], testMirror) == before)
        try await testMirror.audit()
    }

    @Test("is not waited for where somebody else works on that day, who may wait for this one")
    func busy() async throws {
        let testMirror = try await testMirror()
        for day in [today, other] {
            testMirror.nasa[day]?.explanation = "Better by \(day)."
            testMirror.nasa[day]?.seed = 1000 + UInt64(day.number)
        }
        let archive = try testMirror.archive()
        try await archive.dayLocks.lock(other)
        var done: [Day] = []
        for try await event in try testMirror.start().events {
            guard case .mirrored(let day, _, _, _) = event else { continue }
            done.append(day)
            if done.count == 1 { archive.dayLocks.unlock(other) }
        }
        #expect(done == [today, other])
        try await testMirror.audit()
    }
}
