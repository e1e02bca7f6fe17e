import Apod
import Archive
import Files
import Glibc
import Service
import TestSupport
import Testing

/// Between the mark and what it is for, the program was killed.
@Suite("Days that were marked when the program was killed", .timeLimit(.minutes(1)))
struct MarkedTests {
    /// Of sixty days, those so many days old are marked; the picture of some is gone.
    private func observatory(marked: [Int], gone: [Int] = []) async throws -> Observatory {
        let observatory = try Observatory(days: 60) { settings in
            settings.rate = 0
            settings.since = Observatory.today.advanced(by: -59)
        }
        try await observatory.fetch()
        let days = marked.map(observatory.ago)
        try await observatory.session { session async throws in
            for day in days {
                var standing = try #require(try session.archive.catalog.standing(of: day))
                standing.state = .pruned
                try session.archive.catalog.record([.init(standing)])
            }
        }
        for day in gone.map(observatory.ago) { unlink(try picture(day, in: observatory)) }
        return observatory
    }

    private func picture(_ day: Day, in observatory: Observatory) throws -> String {
        let name = try #require(observatory.files(day).first { $0.hasSuffix(".jpg") })
        return "\(observatory.root)/\(day.folder)/\(name)"
    }

    private func pruned(_ session: Session) throws -> Int { try session.archive.catalog.summary().pruned }

    @Test("stay when nothing is to go any more", arguments: [1, 25, 50], [nil, "2m"])
    func corrected(count: Int, keep: String?) async throws {
        let observatory = try await observatory(marked: (60 - count..<60).map(\.self))
        observatory.settings.keep = keep.flatMap { Span($0) }
        try await observatory.session { session async throws in
            #expect(try pruned(session) == 0)
            #expect(try await session.retention.apply().days.isEmpty)
        }
        #expect(try await observatory.fetch().isEmpty)
        for age in 0..<60 { #expect(observatory.files(observatory.ago(age)).count == 2) }
        try await observatory.audit()
    }

    @Test("are fetched again when they have lost a file and are not to go any more", arguments: [[59], [58, 59]])
    func lost(gone: [Int]) async throws {
        let observatory = try await observatory(marked: [57, 58, 59], gone: gone)
        try await observatory.session { session async throws in
            #expect(try session.archive.catalog.failed(at: observatory.clock.now) == Set(gone.map(observatory.ago)))
            #expect(try pruned(session) == 0)
        }
        let came = try await observatory.fetch()
        #expect(Set(came) == Set(gone.map(observatory.ago)))
        try await observatory.audit()
    }

    @Test("go, or stay, as the settings say now")
    func some() async throws {
        let observatory = try await observatory(marked: (50..<60).map(\.self), gone: [50, 59])
        observatory.settings.keep = Span("55d")
        try await observatory.session { session async throws in
            // What has begun is done, what has not begun waits for its round.
            #expect(observatory.files(observatory.ago(59)).count == 1)
            #expect(try pruned(session) == 1)
            #expect(try session.archive.catalog.failed(at: observatory.clock.now) == [observatory.ago(50)])
            #expect(observatory.files(observatory.ago(58)).count == 2)
            let went = try await session.retention.apply().days.map(\.day)
            #expect(went == [58, 57, 56].map(observatory.ago))
        }
        #expect(try await observatory.fetch() == [observatory.ago(50)])
        try await observatory.audit()
    }

    @Test("stay for a day if they are many")
    func held() async throws {
        let observatory = try await observatory(marked: (10..<60).map(\.self))
        observatory.settings.keep = Span("9d")
        try await observatory.session { session async throws in
            #expect(try await session.retention.plan().days.count == 50)
            let round = try await session.retention.apply()
            #expect(round.hold?.days == 50 && round.days.isEmpty)
            #expect(try pruned(session) == 0)
        }
        #expect(observatory.files(observatory.ago(59)).count == 2)
    }

    @Test("stay while the mirror is open, if the settings do not ask for them any more")
    func open() async throws {
        let observatory = try await observatory(marked: [])
        let day = observatory.ago(59)
        try await observatory.session { session async throws in
            var standing = try #require(try session.archive.catalog.standing(of: day))
            standing.state = .pruned
            try session.archive.catalog.record([.init(standing)])
            #expect(try await session.retention.apply().days.isEmpty)
            #expect(try session.archive.catalog.standing(of: day)?.state == .mirrored)
        }
        #expect(observatory.files(day).count == 2)
    }

    @Test("are favorites like any others")
    func favorite() async throws {
        let observatory = try await observatory(marked: [58, 59])
        let day = observatory.ago(59)
        try await observatory.favor([day])
        observatory.settings.keep = Span("30d")
        try await observatory.session { session async throws in
            #expect(try session.archive.catalog.pending().isEmpty)
            #expect(try session.archive.catalog.favorites().map(\.picture).contains(nil) == false)
            #expect(try await session.retention.apply().days.map(\.day).contains(day) == false)
        }
        #expect(observatory.files(day).count == 2)
        try await observatory.audit()
    }
}
