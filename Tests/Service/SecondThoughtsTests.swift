import Apod
import Archive
import Favorites
import Files
import Glibc
import Service
import TestSupport
import Testing

@Suite("Second thoughts about a favorite")
struct SecondThoughtsTests {
    enum Rule: CaseIterable { case keep, maxTotal, both }

    /// Thirty days with pictures of 100 KB. One of the oldest was a favorite.
    private func observatory(_ rule: Rule) async throws -> Observatory {
        let observatory = try Observatory(days: 30, bytes: 100_000) { settings in
            settings.rate = 0
            settings.since = Observatory.today.advanced(by: -29)
        }
        try await observatory.fetch()
        try await observatory.favor([observatory.ago(28)])
        try await observatory.unfavor([observatory.ago(28)])
        if rule != .maxTotal { observatory.settings.keep = Span("20d") }
        if rule != .keep { observatory.settings.maxTotal = 2_200_000 }
        return observatory
    }

    private func went(_ observatory: Observatory) async throws -> [Day] {
        try await observatory.session { try await $0.retention.apply().days.map(\.day) }
    }

    /// Without newer days, the clock would not be believed.
    private func publish(_ observatory: Observatory) async throws {
        observatory.nasa.add(Entry(observatory.today, bytes: 100_000))
        #expect(try await observatory.fetch() == [observatory.today])
    }

    @Test("find the picture there for thirty days", arguments: Rule.allCases)
    func stays(rule: Rule) async throws {
        let observatory = try await observatory(rule)
        let day = observatory.ago(28)
        let first = try await went(observatory)
        #expect(first.first == observatory.ago(29) && first.count >= 8 && !first.contains(day))
        observatory.clock.pass(days: 29)
        #expect(try await went(observatory) == [])
        #expect(observatory.files(day).count == 2)
        observatory.clock.pass(days: 1)
        try await publish(observatory)
        if rule == .maxTotal { observatory.settings.maxTotal = 2_000_000 }
        #expect(try await went(observatory).first == day)
        try await observatory.audit()
    }

    @Test("find it there too by a clock that is behind, or was ahead", arguments: [-400, 400])
    func wrongClock(days: Int) async throws {
        let observatory = try await observatory(.maxTotal)
        if days > 0 {
            observatory.clock.jump(days: days)
            try await observatory.favor([observatory.ago(28)])
            try await observatory.unfavor([observatory.ago(28)])
        }
        observatory.clock.jump(days: -days)
        if days < 0 { observatory.clock.jump(days: 2 * days) }
        #expect(try await went(observatory).contains(observatory.ago(28)) == false)
        #expect(observatory.files(observatory.ago(28)).count == 2)
    }

    @Test("find it there after a catalog was lost, too")
    func rebuilt() async throws {
        let observatory = try await observatory(.keep)
        let clock = observatory.clock
        try await observatory.session { session in
            try FavoritesList(tree: session.archive.tree, catalog: session.archive.catalog) { clock.now }.write()
        }
        for suffix in ["", "-wal", "-shm"] { unlink("\(observatory.root)/.apod-mirror/catalog.sqlite\(suffix)") }
        #expect(try await went(observatory).contains(observatory.ago(28)) == false)
        observatory.clock.pass(days: 30)
        try await publish(observatory)
        #expect(try await went(observatory).first == observatory.ago(28))
    }
}
