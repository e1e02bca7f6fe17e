import Apod
import Archive
import Catalog
import Files
import TestMirror
import TestSupport
import Testing

@testable import Syncing

@Suite("A picture that its decoding has shown to be damaged")
struct DamagedPictureTests {
    private let today = TestMirror.today

    private func testMirror() async throws -> TestMirror {
        let testMirror = try TestMirror(days: 3)
        try await testMirror.sync()
        try decode(testMirror, isDamaged: true)
        testMirror.nasa.server.forgetRequests()
        return testMirror
    }

    /// As when its thumbnails are made.
    private func decode(_ testMirror: TestMirror, isDamaged: Bool) throws {
        let image = try #require(try testMirror.status(today)?.stored?.image)
        try testMirror.archive().catalog.record(
            .init(
                day: today, source: image.sha256, version: 1, refusal: isDamaged ? "read error" : nil,
                isDamaged: isDamaged))
    }

    /// The record does not tell of it.
    private func send(_ testMirror: TestMirror, width: Int, seed: UInt64) -> [UInt8] {
        let picture = Pictures.jpeg(width: width, height: width / 4 * 3, bytes: 2_000, seed: seed)
        let name = today.compact
        testMirror.nasa.intercept = { request in
            request.path.hasPrefix(Entry.originals) && request.path.contains(name)
                ? .media(picture, type: "image/jpeg") : nil
        }
        return picture.bytes
    }

    private func hideRenditions(_ testMirror: TestMirror) {
        testMirror.nasa.intercept = { $0.path.hasPrefix(Entry.renditions) ? .html(404) : nil }
    }

    @Test("is fetched again where another day has the same, whole")
    func another() async throws {
        let testMirror = try await testMirror()
        let other = today.advanced(by: -1)
        testMirror.nasa[today]?.seed = UInt64(other.number)
        try await testMirror.sync()
        #expect(try testMirror.bytes(today, "jpg") == testMirror.bytes(other, "jpg"))
    }

    @Test("is fetched again, and nothing else; the same one stays as it is, and is not asked for at every sync")
    func same() async throws {
        let testMirror = try await testMirror()
        hideRenditions(testMirror)
        let picture = try testMirror.bytes(today, "jpg")
        for attempts in 2...4 {
            #expect(try testMirror.status(today)?.state == .failed)
            for _ in 1...2 { _ = try await testMirror.sync() }
            #expect(try testMirror.status(today)?.attempts == attempts)
            #expect(testMirror.fileRequests.count { $0.hasPrefix(Entry.originals) } == attempts - 1)
            let retry = try #require(try testMirror.status(today)?.retryAfter)
            #expect(retry == testMirror.clock.now + 86_400 << (attempts - 1))
            testMirror.clock.set(retry)
        }
        #expect(try testMirror.bytes(today, "jpg") == picture)
        #expect(try await testMirror.problems().count == 1)
    }

    @Test("stays one where all that can be had is damaged, and nothing is left over")
    func allDamaged() async throws {
        let testMirror = try await testMirror()
        for _ in 1...3 {
            try await testMirror.sync()
            try decode(testMirror, isDamaged: true)
            let status = try #require(try testMirror.status(today))
            #expect(status.state != .mirrored && status.stored?.image != nil, "\(status)")
            #expect(testMirror.files(today).count == 2)
            #expect(listing("\(testMirror.root)/.apod-mirror/unfinished") == [])
            if let retry = status.retryAfter { testMirror.clock.set(retry) }
        }
        // Both have come, and been thrown away, more than once.
        for kind in [Entry.originals, Entry.renditions] {
            #expect(testMirror.fileRequests.count { $0.hasPrefix(kind) } > 1)
        }
    }

    @Test("is not asked for at every sync either when each time another damaged one comes")
    func others() async throws {
        let testMirror = try await testMirror()
        for attempts in 2...5 {
            testMirror.nasa[today]?.seed = UInt64(1000 + attempts)
            for _ in 1...2 {
                _ = try await testMirror.sync()
                try decode(testMirror, isDamaged: true)
                #expect(try testMirror.status(today)?.state == .failed)
            }
            #expect(try testMirror.status(today)?.attempts == attempts && testMirror.fileRequests.count == attempts - 1)
            let retry = try #require(try testMirror.status(today)?.retryAfter)
            #expect(retry == testMirror.clock.now + 86_400 << (attempts - 1))
            testMirror.clock.set(retry)
        }
        // A whole one ends that.
        testMirror.nasa[today]?.seed = 9
        try await testMirror.sync()
        try decode(testMirror, isDamaged: false)
        let status = try #require(try testMirror.status(today))
        #expect(status.state == .mirrored && status.attempts == 0 && status.retryAfter == nil)
        try decode(testMirror, isDamaged: true)
        #expect(try testMirror.status(today)?.attempts == 1 && testMirror.status(today)?.retryAfter == nil)
    }

    @Test(
        "gives way to a worse copy that is whole; then it takes no place any more, but a whole one of its size does",
        arguments: [false, true])
    func standIn(isGone: Bool) async throws {
        let testMirror = try await testMirror()
        func isDowngraded() throws -> Bool {
            let rendition = testMirror.nasa[today]?.files[0].rendition?.bytes
            let json = String(decoding: try testMirror.bytes(today, "json"), as: UTF8.self)
            return try testMirror.bytes(today, "jpg") == rendition && json.contains("\"downgraded\": true")
                && testMirror.status(today)?.state == .downgraded
        }
        testMirror.nasa[today]?.hasOriginal = !isGone
        #expect(try await testMirror.sync()[today] == "downgraded")
        try await testMirror.audit()
        try decode(testMirror, isDamaged: false)
        for count in 1...2 {
            #expect(try isDowngraded())
            testMirror.nasa.server.forgetRequests()
            testMirror.clock.set(try #require(try testMirror.status(today)?.retryAfter))
            try await testMirror.sync()
            #expect(testMirror.fileRequests.filter { $0.contains(today.compact) }.count == 1, "\(count)")
        }
        #expect(try isDowngraded())
        testMirror.nasa[today]?.hasOriginal = true
        testMirror.nasa[today]?.seed = 99
        testMirror.clock.set(try #require(try testMirror.status(today)?.retryAfter))
        #expect(try await testMirror.sync()[today] == "mirrored")
        try decode(testMirror, isDamaged: false)
        #expect(try testMirror.bytes(today, "jpg") == testMirror.nasa[today]?.files[0].original?.bytes)
        try await testMirror.audit()
    }

    @Test("gives way to a much smaller one from its own address, until a larger one is there")
    func smaller() async throws {
        let testMirror = try await testMirror()
        let small = send(testMirror, width: 200, seed: 1)
        #expect(try await testMirror.sync()[today] == "downgraded")
        try decode(testMirror, isDamaged: false)
        for (width, seed) in [(200, 1), (100, 2)] as [(Int, UInt64)] {
            _ = send(testMirror, width: width, seed: seed)
            testMirror.clock.set(try #require(try testMirror.status(today)?.retryAfter))
            let requests = testMirror.fileRequests.count
            try await testMirror.sync()
            #expect(testMirror.fileRequests.count == requests + 1)
            #expect(try testMirror.bytes(today, "jpg") == small && testMirror.status(today)?.state == .downgraded)
        }
        let large = send(testMirror, width: 640, seed: 5)
        testMirror.clock.set(try #require(try testMirror.status(today)?.retryAfter))
        #expect(try await testMirror.sync()[today] == "mirrored")
        #expect(try testMirror.bytes(today, "jpg") == large)
        try await testMirror.audit()
    }

    @Test("that is known takes no whole one's place", arguments: [false, true])
    func returns(isRepair: Bool) async throws {
        let testMirror = try await testMirror()
        let seed = try #require(testMirror.nasa[today]?.seed)
        testMirror.nasa[today]?.seed = 99
        try await testMirror.sync()
        try decode(testMirror, isDamaged: false)
        let whole = try testMirror.bytes(today, "jpg")
        hideRenditions(testMirror)
        testMirror.nasa[today]?.seed = seed
        testMirror.nasa[today]?.credit = "Somebody Else"
        let events = try await testMirror.sync(isRepair ? .again([today]) : nil)
        #expect(events[today]?.hasPrefix("kept") == true, "\(events.words)")
        #expect(try testMirror.bytes(today, "jpg") == whole && testMirror.status(today)?.state == .mirrored)
    }

    @Test("is replaced when another one comes", arguments: [false, true])
    func another(isRepair: Bool) async throws {
        let testMirror = try await testMirror()
        testMirror.nasa[today]?.seed = 99
        #expect(try await testMirror.sync(isRepair ? .again([today]) : nil)[today] == "mirrored")
        #expect(try testMirror.bytes(today, "jpg") == testMirror.nasa[today]?.files[0].original?.bytes)
        try await testMirror.audit()
    }

    @Test("is not damaged any more when the same one can be decoded")
    func absolved() async throws {
        let testMirror = try await testMirror()
        let catalog = try testMirror.archive().catalog
        let image = try #require(try testMirror.status(today)?.stored?.image)
        let other = try #require(try testMirror.status(today.advanced(by: -1))?.stored?.image)
        try catalog.record(.init(day: today, source: other.sha256, version: 2))
        #expect(try testMirror.status(today)?.state == .failed)
        try catalog.record(.init(day: today, source: image.sha256, version: 2, refusal: "end", isDamaged: true))
        try catalog.record(.init(day: today, source: image.sha256, version: 3))
        #expect(try testMirror.status(today)?.state == .mirrored && testMirror.status(today)?.reason == nil)
    }

    @Test("stays when it is gone at NASA")
    func gone() async throws {
        let testMirror = try await testMirror()
        let picture = try testMirror.bytes(today, "jpg")
        testMirror.nasa.intercept = { $0.path.hasSuffix(".jpg") ? .html(404) : nil }
        for request in [nil, RefreshRequest.again([today])] {
            #expect(try await testMirror.sync(request)[today] == "failed")
            #expect(try testMirror.bytes(today, "jpg") == picture)
        }
    }
}
