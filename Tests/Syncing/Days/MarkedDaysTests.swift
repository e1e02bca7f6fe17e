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
@Suite("Days that were marked when the program was killed", .timeLimit(.minutes(10)))
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

    private func pruned(_ mirror: OpenMirror) throws -> Int { try mirror.archive.catalog.summary().pruned }

    @Test("stay when nothing is to go any more", arguments: [1, 50], [nil, "2m"])
    func corrected(count: Int, keep: String?) async throws {
        let testMirror = try await testMirror(marked: (60 - count..<60).map(\.self))
        testMirror.settings.keep = keep.flatMap { Span($0) }
        try await testMirror.mirror { mirror async throws in
            #expect(try pruned(mirror) == 0)
            #expect(try await mirror.retention.apply().days.isEmpty)
        }
        #expect(try await testMirror.fetch().isEmpty)
        for age in 0..<60 { #expect(testMirror.files(ago(age)).count == 2) }
        try await testMirror.audit()
    }

    @Test("are fetched again when they have lost a file and are not to go any more", arguments: [[59], [58, 59]])
    func lost(gone: [Int]) async throws {
        let testMirror = try await testMirror(marked: [57, 58, 59], gone: gone)
        try await testMirror.mirror { mirror async throws in
            #expect(try mirror.archive.catalog.failed(at: testMirror.clock.now) == Set(gone.map(ago)))
            #expect(try pruned(mirror) == 0)
        }
        let came = try await testMirror.fetch()
        #expect(Set(came) == Set(gone.map(ago)))
        try await testMirror.audit()
    }

    @Test("go, or stay, as the settings say now")
    func some() async throws {
        let testMirror = try await testMirror(marked: (50..<60).map(\.self), gone: [50, 59])
        testMirror.settings.keep = Span("55d")
        try await testMirror.mirror { mirror async throws in
            // What has begun is done, what has not begun waits for its round.
            #expect(testMirror.files(ago(59)).count == 1)
            #expect(try pruned(mirror) == 1)
            #expect(try mirror.archive.catalog.failed(at: testMirror.clock.now) == [ago(50)])
            #expect(testMirror.files(ago(58)).count == 2)
            let went = try await mirror.retention.apply().days.map(\.day)
            #expect(went == [58, 57, 56].map(ago))
        }
        #expect(try await testMirror.fetch() == [ago(50)])
        try await testMirror.audit()
    }

    @Test("stay while the mirror is open, if the settings do not ask for them any more")
    func open() async throws {
        let testMirror = try await testMirror(marked: [])
        let day = ago(59)
        try await testMirror.mirror { mirror async throws in
            var status = try #require(try mirror.archive.catalog.status(of: day))
            status.state = .pruned
            try mirror.archive.catalog.record([.init(status)])
            #expect(try await mirror.retention.apply().days.isEmpty)
            #expect(try mirror.archive.catalog.status(of: day)?.state == .mirrored)
        }
        #expect(testMirror.files(day).count == 2)
    }
}
