import Apod
import Archive
import TestSupport
import Testing

@testable import Catalog

struct CatalogLinksTests {
    private func status(_ number: Int) -> DayStatus { DayStatus(day: november(number), state: .mirrored) }

    @Test("Days that speak of days are known by those of which they speak, the newest first, until their texts change")
    func links() throws {
        let catalog = try Catalog(insteadOf: "catalog")
        for number in [3, 5, 4] {
            let change = Catalog.Change(
                status(number), title: "A", explanation: "B", speaksOf: [november(1), november(number + 10)])
            try catalog.record([change])
        }
        #expect(try catalog.days(speakingOf: november(1)) == [5, 4, 3].map { november($0) })
        #expect(try catalog.days(speakingOf: november(2)).isEmpty)
        #expect(try catalog.links().map(\.target) == [1, 13, 1, 14, 1, 15].map { november($0) })
        // A status alone leaves the texts.
        try catalog.record([Catalog.Change(status(4))])
        #expect(try catalog.days(speakingOf: november(1)).count == 3)
        try catalog.record([Catalog.Change(status(4), title: "A", explanation: "B", speaksOf: [])])
        #expect(try catalog.days(speakingOf: november(1)) == [5, 3].map { november($0) })
    }
}
