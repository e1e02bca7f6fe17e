import Apod
import Archive
import Catalog
import Configuration
import Glibc
import Syncing
import TestMirror
import TestSupport
import Testing

struct CorrectionTests {
    private let today = TestMirror.today

    private func testMirror() async throws -> TestMirror {
        let older = Entry(ago(1), title: "Older", bytes: 2_000)
        let testMirror = try TestMirror([older, Entry(today, title: "Rambutans", bytes: 2_000)])
        try await testMirror.sync()
        testMirror.nasa.server.forgetRequests()
        return testMirror
    }

    @Test("A correction is seen as long as the day is one of the newest, and costs one question when there is none")
    func recheck() async throws {
        let testMirror = try TestMirror(days: 12) { $0.recheckDays = 3 }
        try await testMirror.sync()
        testMirror.nasa.server.forgetRequests()
        let events = try await testMirror.sync()
        #expect(events.words.sorted(by: >) == (0...3).map { "\(ago($0)) unchanged" })
        let last = "&date_from=\(ago(3).compact)&date_to=\(today.compact)"
        #expect(testMirror.questions == ["\(FakeNASA.base)?page=1&per_page=25\(last)"])
        #expect(testMirror.fileRequests == [])
        testMirror.nasa[ago(3)]?.title = "Within"
        testMirror.nasa[ago(4)]?.title = "Without"
        let later = try await testMirror.sync()
        #expect(later.words.filter { $0.hasSuffix("mirrored") } == ["2026-11-17 mirrored"])
    }

    @Test("A correction that only changes the links to the neighbours is none")
    func neighbours() async throws {
        let testMirror = try await testMirror()
        testMirror.nasa.add(Entry(ago(2), title: "New neighbour"))
        testMirror.nasa[ago(1)]?.title = "Another title"
        #expect(try await testMirror.sync()[today] == "unchanged")
    }
}
