import Apod
import Archive
import Glibc
import Service
import Synchronization
import TestSupport
import Testing

@Suite("What belongs to another day", .timeLimit(.minutes(1)))
struct BorrowedTests {
    private let today = Observatory.today
    private var other: Day { today.advanced(by: -1) }

    /// Four days, each with a picture and words of its own.
    private func observatory(_ change: (inout [Entry]) -> Void = { _ in }) async throws -> Observatory {
        var entries = Entry.days(4, newest: today, bytes: 2_000)
        for index in entries.indices {
            entries[index].title = "Title \(index)"
            entries[index].explanation = "The story of \(index)."
        }
        change(&entries)
        let observatory = try Observatory(entries)
        try await observatory.sync()
        try await observatory.audit()
        observatory.nasa.server.forgetRequests()
        return observatory
    }

    private func contents(of days: [Day], _ observatory: Observatory) throws -> [[UInt8]] {
        try days.flatMap { day in
            try observatory.files(day).map { try observatory.bytes("\(day.folder)/\($0)") }
        }
    }

    @Test("comes to each of two days that were mixed up before", arguments: ["picture", "record"])
    func mixedUp(what: String) async throws {
        let observatory = try await observatory()
        let (one, two) = (try #require(observatory.nasa[today]), try #require(observatory.nasa[other]))
        for _ in 1...2 {
            let (mine, its) = (try #require(observatory.nasa[today]), try #require(observatory.nasa[other]))
            for (day, entry) in [(today, its), (other, mine)] {
                if what == "picture" { observatory.nasa[day]?.seed = entry.seed }
                observatory.nasa[day]?.title = entry.title
                observatory.nasa[day]?.explanation = entry.explanation
            }
            let events = try await observatory.sync()
            #expect(events[today] == "mirrored" && events[other] == "mirrored", "\(events.words)")
            try await observatory.audit()
        }
        #expect(observatory.nasa[today]?.title == one.title && observatory.nasa[other]?.seed == two.seed)
    }

    @Test("is waited for with a picture only: a text comes though another day's picture does not")
    func slowly() async throws {
        let observatory = try await observatory()
        observatory.nasa[today]?.explanation = "A better story."
        observatory.nasa[other]?.seed = 99
        observatory.nasa[other]?.explanation = "Another story."
        let isCorrected = Mutex(false)
        observatory.nasa.intercept = { request in
            guard request.path.contains("\(self.other)".dropFirst(2).replacing("-", with: "")),
                request.path.hasSuffix(".jpg")
            else { return nil }
            for _ in 0..<1000 where !isCorrected.withLock(\.self) { usleep(20_000) }
            return nil
        }
        var done: [Day] = []
        for try await event in try observatory.start().events {
            guard case .mirrored(let day, _, _, _) = event else { continue }
            done.append(day)
            isCorrected.withLock { $0 = true }
        }
        #expect(done == [today, other])
        try await observatory.audit()
    }

    @Test(
        "is what comes for several days at once, though no day has it yet: none of them is replaced",
        arguments: [2, 4], ["picture", "record"])
    func several(count: Int, what: String) async throws {
        let observatory = try await observatory()
        let days = (0..<count).map { today.advanced(by: -$0) }
        let before = try contents(of: days, observatory)
        for day in days {
            observatory.nasa[day]?.explanation = what == "record" ? "One story." : "Better by \(day)."
            if what == "record" { observatory.nasa[day]?.title = "One title" }
            observatory.nasa[day]?.seed = what == "picture" ? 99 : 1000 + UInt64(day.number)
        }
        for wish in [nil, Refresh.Wish.days(Set(days))] {
            let events = try await observatory.sync(wish)
            #expect(days.map { events[$0] } == days.map { _ in "kept" }, "\(events.words)")
            let words = what == "picture" ? "sends one picture for several days" : "one title and text for several days"
            #expect(events.compactMap(\.why).allSatisfy { $0.contains(words) })
            #expect(try contents(of: days, observatory) == before)
        }
        try await observatory.audit()
    }

    @Test("is what comes for a new day too: that one has it, and what is here stays", arguments: ["picture", "record"])
    func withNewDay(what: String) async throws {
        let observatory = try await observatory { $0.removeLast() }
        let before = try contents(of: [other], observatory)
        observatory.nasa.add(Entry(today, title: "New", bytes: 2_000))
        observatory.nasa[today]?.explanation = "The new story."
        observatory.nasa[other]?.explanation = what == "record" ? "The new story." : "Better."
        if what == "record" { observatory.nasa[other]?.title = "New" }
        if what == "picture" { observatory.nasa[other]?.seed = try #require(observatory.nasa[today]?.seed) }
        let events = try await observatory.sync()
        #expect(events[today] == "mirrored" && events[other] == "kept", "\(events.words)")
        #expect(try contents(of: [other], observatory) == before)
        try await observatory.audit()
    }

    @Test("can be shown again on a new day, which is corrected like any other, and so is the old one")
    func again() async throws {
        let old = today.advanced(by: -3)
        let observatory = try await observatory { entries in
            entries[3].seed = entries[0].seed
            entries[3].title = entries[0].title
            entries[3].explanation = entries[0].explanation
        }
        #expect(try observatory.bytes(today, "jpg") == observatory.bytes(old, "jpg"))
        observatory.nasa[today]?.credit = "Somebody Else"
        observatory.nasa[old]?.credit = "Somebody Else"
        var events = try await observatory.sync()
        #expect(events[today] == "mirrored" && events[old] == "mirrored", "\(events.words)")
        observatory.nasa[today]?.title = "Once More"
        observatory.nasa[old]?.explanation = "Another story."
        events = try await observatory.sync()
        #expect(events[today] == "mirrored" && events[old] == "mirrored", "\(events.words)")
        // Back to the same title; the text was the same before.
        observatory.nasa[old]?.explanation = "The story of 0."
        observatory.nasa[old]?.title = "A Better Title"
        #expect(try await observatory.sync()[old] == "mirrored")
        observatory.nasa[old]?.title = "Once More"
        #expect(try await observatory.sync()[old] == "mirrored")
        try await observatory.audit()
    }

    @Test("with one of the two, a title or a text, is a correction like any other", arguments: ["title", "text"])
    func half(what: String) async throws {
        let observatory = try await observatory()
        if what == "title" {
            observatory.nasa[today]?.title = try #require(observatory.nasa[other]?.title)
            observatory.nasa[today]?.explanation = "A better story."
        } else {
            observatory.nasa[today]?.explanation = try #require(observatory.nasa[other]?.explanation)
        }
        #expect(try await observatory.sync()[today] == "mirrored")
        try await observatory.audit()
    }

    @Test("is better than nothing", arguments: ["missing", "damaged", "text"])
    func nothing(what: String) async throws {
        let observatory = try await observatory { if what == "text" { $0[3].media = .text } }
        let path = "\(observatory.root)/2026/11/2026-11-20 Title 3.jpg"
        switch what {
        case "missing": unlink(path)
        case "damaged": try save([1, 2, 3], to: path)
        default: observatory.nasa[today]?.media = .picture(.jpg)
        }
        observatory.nasa[today]?.seed = try #require(observatory.nasa[other]?.seed)
        #expect(try await observatory.sync(.again([today]))[today] == "mirrored")
        #expect(try observatory.bytes(today, "jpg") == observatory.bytes(other, "jpg"))
        try await observatory.audit()
    }

    @Test("is not taken for a poster that is here, and the texts are corrected")
    func poster() async throws {
        let observatory = try await observatory { entries in
            for index in 2...3 { entries[index].media = .video }
        }
        let before = try [today, other].map { try [observatory.bytes($0, "mp4"), observatory.bytes($0, "jpg")] }
        for day in [today, other] { observatory.nasa[day]?.explanation = "Better by \(day)." }
        let picture = try observatory.bytes(today.advanced(by: -2), "jpg")
        observatory.nasa.intercept = { request in
            request.path.hasSuffix(".jpg") ? .media(Body(picture), type: "image/jpeg") : nil
        }
        let events = try await observatory.sync()
        #expect(events[today] == "mirrored" && events[other] == "mirrored", "\(events.words)")
        #expect(try [today, other].map { try [observatory.bytes($0, "mp4"), observatory.bytes($0, "jpg")] } == before)
        #expect(try observatory.json(today)["explanation"]?.string == "Better by \(today).")
        try await observatory.audit()
    }

    @Test("is not taken for a video that is here")
    func video() async throws {
        let observatory = try await observatory { entries in
            for index in 2...3 { entries[index].media = .video }
        }
        let before = try contents(of: [today, other], observatory)
        for day in [today, other] {
            observatory.nasa[day]?.explanation = "Better by \(day)."
            observatory.nasa[day]?.seed = 99
        }
        let events = try await observatory.sync()
        #expect(events.compactMap(\.why).allSatisfy { $0.contains("the upstream sends one video for several days") })
        #expect(events[today] == "kept" && events[other] == "kept")
        #expect(try contents(of: [today, other], observatory) == before)
        try await observatory.audit()
    }

    @Test("is not waited for where somebody else works on that day, who may wait for this one")
    func busy() async throws {
        let observatory = try await observatory()
        for day in [today, other] {
            observatory.nasa[day]?.explanation = "Better by \(day)."
            observatory.nasa[day]?.seed = 1000 + UInt64(day.number)
        }
        let archive = try observatory.archive()
        try await archive.turns.take(other)
        var done: [Day] = []
        for try await event in try observatory.start().events {
            guard case .mirrored(let day, _, _, _) = event else { continue }
            done.append(day)
            if done.count == 1 { archive.turns.give(other) }
        }
        #expect(done == [today, other])
        try await observatory.audit()
    }
}
