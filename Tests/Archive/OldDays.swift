import Apod
import Files
import TestSupport
import Testing

@testable import Archive
@testable import Catalog

/// Tests of days that are to go: some of each kind, beside others.
protocol OldDays {}

extension OldDays {
    var old: [Day] { [day("2026-10-30"), day("2026-11-01"), day("2026-11-02")] }

    func filled() async throws -> Shelf {
        let shelf = try Shelf()
        _ = try shelf.archive().firstDay(orChoose: old[0])
        try await shelf.add(day("2026-10-30"), "Clouds", "Up.", [(.video, .mp4), (.poster, .jpeg)])
        try await shelf.add(day("2026-11-01"), "A Flight", "Up.", [(.page, .html), (.poster, .png)])
        try await shelf.add(day("2026-11-02"), "Small", "Half.", downgraded: true, state: .downgraded)
        try await shelf.add(day("2026-11-03"), "Words", "Only.", [], state: .placeholder)
        try await shelf.add(day("2026-11-20"), "Orion Rising")
        return shelf
    }

    func link(_ shelf: Shelf, _ day: Day) throws {
        try shelf.archive().catalog.favor([day], at: 0)
    }

    /// All that is in the tree, with its content.
    func tree(_ shelf: Shelf) throws -> [String: [UInt8]] {
        var tree: [String: [UInt8]] = [:]
        for name in shelf.tree {
            tree[name] = name.hasSuffix("/") || name.contains(" -> ") ? [] : try contents("\(shelf.root)/\(name)")
        }
        return tree
    }

    /// As a day that is on its way out.
    func mark(_ day: Day, in shelf: Shelf) throws {
        // Whoever holds the catalog keeps the mirror open.
        let catalog = try shelf.archive().catalog
        var status = try #require(try catalog.status(of: day))
        status.state = .pruned
        try catalog.record([.init(status)])
    }

    /// As when the mirror is opened, with these days still to go.
    func tidy(_ shelf: Shelf, going: [Day], _ isWanted: @escaping Pruning.Wanting = { _ in false }) throws {
        try shelf.archive().tidy(now: 0, going: { () throws(StorageError) in Set(going) }, unless: isWanted)
    }
}
