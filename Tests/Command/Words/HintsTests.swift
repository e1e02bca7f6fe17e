import Apod
import Glibc
import Syncing
import TestSupport
import Testing

@testable import Service
@testable import apod_mirror

struct HintsTests {
    private static let day = Day("2026-11-08")!

    @Test(
        "A command that a message names takes sudo where the service does it for the owner and root alone",
        arguments: [
            ("revert 2026-11-08", .revert(Self.day)), ("prune", .prune()), ("verify --repair", .repair([])),
            ("sync", .sync(SyncOrder())), ("sync --list cats", .sync(SyncOrder(list: ListName("cats")))),
            ("sync 2026-11-08", .sync(SyncOrder(days: [Self.day]))), ("thumbnails", .thumbnails([])),
            ("favorites add 2026-11-08", .favorites(FavoritesOrder(.add, [.day(Self.day)]))),
            ("prune --dry-run", nil), ("verify", nil), ("status", nil),
        ] as [(String, Job?)])
    func owners(command: String, job: Job?) {
        let mayMember = job.map { Asker.member(1000).may(.job($0)) } ?? true
        #expect(Hints.isOwners("apod-mirror \(command)") == !mayMember)
    }
}
