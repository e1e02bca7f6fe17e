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

    static func filled() async throws -> Shelf {
        let shelf = try Shelf()
        _ = try shelf.archive().firstDay(orChoose: day("2026-10-30"))
        try await shelf.add(day("2026-10-30"), "Clouds", "Up.", [(.video, .mp4), (.poster, .jpeg)])
        try await shelf.add(november(1), "A Flight", "Up.", [(.page, .html), (.poster, .png)])
        try await shelf.add(november(2), "Small", "Half.", downgraded: true, state: .downgraded)
        try await shelf.add(november(3), "Words", "Only.", [], state: .placeholder)
        try await shelf.add(november(20), "Orion Rising")
        return shelf
    }

    func link(_ shelf: Shelf, _ day: Day) throws {
        try shelf.favorites.favor([day], at: 0)
    }

    /// All that is in the tree, with its content.
    func tree(_ shelf: Shelf) throws -> [String: [UInt8]] {
        var tree: [String: [UInt8]] = [:]
        for name in shelf.tree {
            tree[name] = name.hasSuffix("/") || name.contains(" -> ") ? [] : try contents(shelf[name])
        }
        return tree
    }

    /// As a day that is on its way out.
    func mark(_ day: Day, in shelf: Shelf) throws {
        var status = try #require(try shelf.openCatalog.status(of: day))
        status.state = .pruned
        try shelf.openCatalog.record([.init(status)])
    }
}
