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
        let catalog = try testMirror.archive().catalog
        let image = try #require(try testMirror.status(today)?.stored?.image)
        try catalog.record(
            .init(day: today, source: image.sha256, version: 1, refusal: "read error", isDamaged: true))
        testMirror.nasa.server.forgetRequests()
        return testMirror
    }

    @Test("is fetched again, and nothing else; the same one stays as it is, and is not asked for at every sync")
    func same() async throws {
        let testMirror = try await testMirror()
        let picture = try testMirror.bytes(today, "jpg")
        for attempts in 2...4 {
            #expect(try testMirror.status(today)?.state == .failed)
            for _ in 1...2 { _ = try await testMirror.sync() }
            #expect(try testMirror.status(today)?.attempts == attempts)
            #expect(testMirror.fileRequests.count == attempts - 1)
            let retry = try #require(try testMirror.status(today)?.retryAfter)
            #expect(retry == testMirror.clock.now + 86_400 << (attempts - 1))
            testMirror.clock.set(retry)
        }
        #expect(try testMirror.bytes(today, "jpg") == picture)
        #expect(try await testMirror.problems().count == 1)
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
