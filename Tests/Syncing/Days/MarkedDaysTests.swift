import Apod
import Archive
import Catalog
import Configuration
import Glibc
import Syncing
import TestMirror
import TestSupport
import Testing

/// Between the mark and what it is for, the program was killed.
@Suite(.timeLimit(.minutes(10)))
struct MarkedDaysTests {
    /// Of sixty days, those so many days old are marked; the picture of some is gone.
    private func testMirror(marked: [Int], gone: [Int] = []) async throws -> TestMirror {
        let testMirror = try await TestMirror.fetched(days: 60)
        let days = marked.map(ago)
        try await testMirror.mirror { mirror async throws in
            for day in days {
                var status = try #require(try mirror.archive.catalog.status(of: day))
                status.state = .pruned
                try mirror.archive.catalog.record([.init(status)])
            }
        }
        for day in gone.map(ago) { unlink(try picture(day, in: testMirror)) }
        return testMirror
    }

    private func picture(_ day: Day, in testMirror: TestMirror) throws -> String {
        let name = try #require(testMirror.files(day).first { $0.hasSuffix(".jpg") })
        return testMirror["\(day.folder)/\(name)"]
    }

    @Test("Days that were marked when the program was killed go, or stay, as the settings say now")
    func some() async throws {
        let testMirror = try await testMirror(marked: (50..<60).map(\.self), gone: [50, 59])
        testMirror.settings.keep = Span("55d")
        try await testMirror.mirror { mirror async throws in
            #expect(try mirror.archive.catalog.summary().pruned == 2)
            let went = try await mirror.retention.apply(isAsked: true).days.map(\.day)
            #expect(went == [59, 58, 57, 56].map(ago))
        }
        #expect(try await testMirror.fetch() == [ago(50)])
        try await testMirror.audit()
    }
}
