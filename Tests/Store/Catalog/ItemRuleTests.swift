import Apod
import Files
import Synchronization
import TestSupport
import Testing

@testable import Store

struct ItemRuleTests {
    private static let now = november(20).noon

    /// All that a rule looks at, each of another item: the state, the failure, whether it is put off, what is stored, and
    /// what that lacks.
    private static let items: [Item] = {
        var items: [Item] = []
        func add(_ change: (inout Item) -> Void) {
            var item = Item(.day(Day.first.advanced(by: items.count)))
            change(&item)
            items.append(item)
        }
        let sets: [[StoredFile.Role]?] = [
            nil, [], [.picture], [.poster], [.video, .poster], [.page], [.also(2)], [.poster, .also(2)],
        ]
        for state in Item.State.allCases {
            for roles in sets {
                for failure in [nil, Problem(.missing), Problem(.other)] {
                    add { ($0.state, $0.failure, $0.stored) = (state, failure, stored(roles, of: $0.key)) }
                }
                for (lacks, isStandIn) in [(1, false), (0, true)] {
                    add { ($0.state, $0.stored) = (state, stored(roles, of: $0.key, lacks, isStandIn)) }
                }
            }
            for seconds in [-1, 0, 1, 31 * 86_400 - 1, 31 * 86_400] {
                add { ($0.state, $0.retryAfter) = (state, now + seconds) }
            }
        }
        return items
    }()

    /// `roles`: those of its files; nil where nothing of it is in the tree.
    static func stored(
        _ roles: [StoredFile.Role]?, of key: Key, _ lacks: Int = 0, _ isStandIn: Bool = false
    ) -> Item.Stored? {
        guard let roles, let day = key.day else { return nil }
        let files = roles.map { role in
            let type: MediaType = role == .video ? .mp4 : role == .page ? .html : .jpeg
            return StoredFile(
                role: role, type: type, address: WebAddress("https://example.org/a")!, bytes: 1,
                sha256: Digest(of: [UInt8(role.number)]))
        }
        return Item.Stored(
            name: FileName(day: day, title: "A"), title: "A", hasText: true, files: files,
            mirror: MirrorPart(fetched: 0), lacks: lacks, isStandIn: isStandIn, json: Digest(of: []), jsonBytes: 9)
    }

    @Test("A rule says the same in Swift and in SQL, also of an item of which nothing is known")
    func both() throws {
        let catalog = try Catalog(insteadOf: "catalog")
        try catalog.record(Self.items.map { Catalog.Update($0) })
        for rule in ItemRule.all {
            // A rule without a parameter has a value all the same.
            let sql = "SELECT \(rule.sql) AND ?1 IS NOT NULL FROM"
            func ask(_ rows: String) throws -> [Bool] {
                try catalog.all("\(sql) \(rows)", .integer(Self.now)) { ($0.integer(0) ?? 0) == 1 }
            }
            let found = try ask("item ORDER BY n")
            for (item, holds) in zip(Self.items, found) {
                #expect(rule.holds(item, Self.now) == holds, "\(rule.name): \(item)")
            }
            #expect(found.count == Self.items.count && Set(found).count == 2, "\(rule.name) tells nothing apart")
            #expect(try ask("(SELECT 1) LEFT JOIN item ON 0") == [rule.holds(nil, Self.now)], "\(rule.name)")
        }
    }
}
