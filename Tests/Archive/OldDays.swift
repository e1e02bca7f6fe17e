import Apod
import Files
import TestSupport
import Testing

@testable import Archive
@testable import Catalog

/// Tests of days that are to go: some of each kind, beside others.
protocol OldDays {}

extension OldDays {
    var old: [Day] { [day("2026-10-30"), november(1), november(2)] }

    static func filled() async throws -> ArchiveFixture {
        let fixture = try ArchiveFixture()
        _ = try fixture.archive().firstDay(orChoose: day("2026-10-30"))
        try await fixture.add(day("2026-10-30"), "Clouds", "Up.", [(.video, .mp4), (.poster, .jpeg)])
        try await fixture.add(november(1), "A Flight", "Up.", [(.page, .html), (.poster, .png)])
        try await fixture.add(november(2), "Small", "Half.", downgraded: true, state: .downgraded)
        try await fixture.add(november(3), "Words", "Only.", [], state: .placeholder)
        try await fixture.add(november(20), "Orion Rising")
        return fixture
    }

    func link(_ fixture: ArchiveFixture, _ day: Day) throws {
        try fixture.favorites.favor([day], at: 0)
    }

    /// All that is in the tree, with its content.
    func tree(_ fixture: ArchiveFixture) throws -> [String: [UInt8]] {
        var tree: [String: [UInt8]] = [:]
        for name in fixture.tree {
            tree[name] = name.hasSuffix("/") || name.contains(" -> ") ? [] : try contents(fixture[name])
        }
        return tree
    }

    /// As a day that is on its way out.
    func mark(_ day: Day, in fixture: ArchiveFixture) throws {
        var status = try #require(try fixture.openCatalog.status(of: day))
        status.state = .pruned
        try fixture.openCatalog.record([.init(status)])
    }
}
