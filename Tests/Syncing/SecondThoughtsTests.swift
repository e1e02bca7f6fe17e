import Apod
import Archive
import Catalog
import Configuration
import Favorites
import Glibc
import Syncing
import TestMirror
import TestSupport
import Testing

struct SecondThoughtsTests {
    /// Thirty days with pictures of 100 KB. One of the oldest was a favorite.
    private func testMirror() async throws -> TestMirror {
        let testMirror = try await TestMirror.fetched(days: 30, bytes: 100_000)
        try await testMirror.favor([ago(28)])
        try await testMirror.unfavor([ago(28)])
        return testMirror
    }

    private func went(_ testMirror: TestMirror) async throws -> [Day] {
        try await testMirror.mirror { try await $0.retention.apply(isAsked: true).days.map(\.day) }
    }

    /// Without newer days, the clock would not be believed.
    private func publish(_ testMirror: TestMirror) async throws {
        testMirror.nasa.add(Entry(testMirror.today, bytes: 100_000))
        #expect(try await testMirror.fetch() == [testMirror.today])
    }

    @Test("Second thoughts about a favorite find the picture there for ninety days")
    func stays() async throws {
        let testMirror = try await testMirror()
        testMirror.settings.maxTotal = 2_200_000
        let day = ago(28)
        let first = try await went(testMirror)
        #expect(first.first == ago(29) && first.count >= 8 && !first.contains(day))
        testMirror.clock.pass(days: 89)
        #expect(try await went(testMirror) == [])
        #expect(testMirror.files(day).count == 2)
        testMirror.clock.pass(days: 1)
        try await publish(testMirror)
        testMirror.settings.maxTotal = 2_000_000
        #expect(try await went(testMirror).first == day)
        try await testMirror.audit()
    }

}
