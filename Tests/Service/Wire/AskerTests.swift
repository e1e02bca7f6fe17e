import Apod
import Glibc
import Store
import Testing

@testable import Service
@testable import Syncing

struct AskerTests {
    private struct Row {
        let request: ControlRequest
        let member: Bool
        let web: Bool

        init(_ job: Job, member: Bool, web: Bool = false) {
            (request, self.member, self.web) = (.job(job), member, web)
        }

        init(status member: Bool) { (request, self.member, web) = (.status, member, false) }
    }

    private static let day = Day("2026-11-08")!
    private static let days: Set = [day, Day("2026-11-09")!]
    private static let album = AlbumName("Comets")
    private static let upstream = ["upstream": "http://127.0.0.1:1810"]

    private static let rows: [Row] =
        [
            Row(status: true), Row(.revert(day), member: false), Row(.prune(), member: false),
            Row(.repair([]), member: false), Row(.repair(days), member: false),
            Row(.remember(VerifyFindings(1, at: 0)), member: false),
            Row(.thumbnails([]), member: true), Row(.thumbnails(days), member: true),
            Row(.sync(SyncOrder()), member: false), Row(.sync(SyncOrder(days: days)), member: true),
            Row(.sync(SyncOrder(since: day)), member: false), Row(.sync(SyncOrder(until: day)), member: false),
            Row(.sync(SyncOrder(since: day, until: day)), member: true),
            Row(.sync(SyncOrder(since: day.advanced(by: -365), until: day)), member: true),
            Row(.sync(SyncOrder(since: day.advanced(by: -366), until: day)), member: false),
            Row(.sync(SyncOrder(list: ListName("cats"))), member: false),
            Row(.sync(SyncOrder(settings: upstream)), member: false),
            Row(.sync(SyncOrder(days: days, settings: upstream)), member: false),
            Row(.sync(SyncOrder(since: day, until: day, settings: upstream)), member: false),
        ]
        + FavoritesOrder.Action.allCases.flatMap { action in
            [
                Row(.favorites(FavoritesOrder(action, [.day(day)])), member: true, web: action != .restore),
                Row(.favorites(FavoritesOrder(action, Set(days.map(Key.day)))), member: true),
                Row(.favorites(FavoritesOrder(action, [])), member: true),
                Row(.favorites(FavoritesOrder(action, [.day(day)], since: 0)), member: true),
                Row(
                    .favorites(FavoritesOrder(action, [.day(day)], album: album)), member: true,
                    web: [.add, .remove].contains(action)),
            ]
        }

    /// A request that is new here needs a row.
    private static func kind(_ request: ControlRequest) -> Int {
        switch request {
        case .status: 0
        case .job(.sync): 1
        case .job(.revert): 2
        case .job(.prune): 3
        case .job(.favorites): 4
        case .job(.repair): 5
        case .job(.remember): 6
        case .job(.thumbnails): 7
        }
    }

    @Test(
        "Who may ask for what is one table, in which each request has its row"
    )
    func table() {
        #expect(Set(Self.rows.map { Self.kind($0.request) }) == Set(0...7))
        for row in Self.rows {
            #expect(Asker.owner(0).may(row.request), "\(row.request)")
            #expect(Asker.member(1000).may(row.request) == row.member, "\(row.request)")
            #expect(Asker.web.may(row.request) == row.web, "\(row.request)")
        }
    }

    @Test(
        "An asker is known by the user who has connected, and at the web's socket by nothing else")
    func user() {
        let own = geteuid()
        for (user, asker) in [(0, .owner(0)), (own, .owner(own)), (own + 1, .member(own + 1))] as [(UInt32, Asker)] {
            #expect(Asker(user, isOfWeb: false) == asker)
            #expect(Asker(user, isOfWeb: true) == .web)
        }
        // Whom the system does not tell.
        #expect(Asker(.max, isOfWeb: false) == .member(.max))
    }
}
