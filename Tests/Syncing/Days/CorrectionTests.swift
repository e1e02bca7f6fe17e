import Apod
import Configuration
import Glibc
import Store
import Syncing
import TestMirror
import TestSupport
import Testing

struct CorrectionTests {
    private let today = TestMirror.today

    @Test("A correction of the newest days is seen, and costs one question where there is none")
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
        let testMirror = try TestMirror(days: 2)
        try await testMirror.sync()
        testMirror.nasa.add(Entry(ago(2), title: "New neighbour"))
        testMirror.nasa[ago(1)]?.title = "Another title"
        #expect(try await testMirror.sync()[today] == "unchanged")
    }
}
