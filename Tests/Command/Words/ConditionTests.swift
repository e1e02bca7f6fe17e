import Apod
import Configuration
import Favorites
import Files
import Glibc
import Syncing
import TestSupport
import Testing

@testable import Service
@testable import Store
@testable import apod_mirror

struct ConditionTests {
    private func lines(_ failures: [(String, Problem)]) -> [String] {
        MirrorFacts.groups(of: failures.map { Item(.day(day($0)), .failed, failure: $1) })
            .flatMap { $0.lines(in: "/") }
    }

    @Test("Days that failed for one server's one reason are told together")
    func groups() {
        #expect(lines([]).isEmpty)
        let missing = Problem(.refused, at: WebAddress("https://apod.example/image/1.jpg"), number: 404)
        let nothing = "nothing, or next to nothing, came for"
        func stalled(_ seconds: Int, _ address: String) -> Problem {
            Problem(.stalled, at: WebAddress("https://\(address)"), number: seconds)
        }
        #expect(lines([("2026-11-20", missing)]) == ["2026-11-20  apod.example: not there (404)"])
        #expect(
            lines([
                ("2026-11-20", stalled(30, "img.example/a.jpg")),
                ("2026-11-19", missing),
                ("2026-11-18", stalled(30, "img.example/b.jpg")),
                ("2026-11-17", stalled(30, "other.example/b.jpg")),
                ("2026-11-16", stalled(60, "img.example/b.jpg")),
                ("2026-11-15", "interrupted while it was replaced"),
                ("2003-01-02", "interrupted while it was replaced"),
            ]) == [
                "2026-11-20, 2026-11-18  img.example: \(nothing) 30 s",
                "2026-11-19  apod.example: not there (404)",
                "2026-11-17  other.example: \(nothing) 30 s",
                "2026-11-16  img.example: \(nothing) 60 s",
                "2026-11-15, 2003-01-02  interrupted while it was replaced",
            ])
    }

    @Test("Days that failed are named while they are few, and by their ends where none lacks between")
    func names() {
        func line(_ distances: some Sequence<Int>) -> String? {
            let newest = day("2026-11-20")
            return lines(distances.map { ("\(newest.advanced(by: -$0))", "cut off") }).first
        }
        #expect(line(0..<40) == "40 days from 2026-10-12 to 2026-11-20  cut off")
        let six = "2026-11-20, 2026-11-18, 2026-11-16, 2026-11-14, 2026-11-12, 2026-11-10"
        #expect(line(stride(from: 0, to: 12, by: 2)) == "\(six)  cut off")
        #expect(line(stride(from: 0, to: 16, by: 2)) == "\(six) and 2 more  cut off")
    }

    private static let days = [day("2026-11-20"), day("2026-11-18")]
    private static let hold = PruneHold(
        rule: "keep = 9d", pictures: 50, replaced: 7, bytes: 1_000_000, range: day("2026-01-01")...day("2026-02-19"))

    /// Each case once, with words of it and of what to do.
    private static let all: [(Condition, words: String, remedy: String?)] = [
        (
            .waiting(failure: Problem(.away, path: "/m")), "no mirror in it any more\nif you deleted it on purpose, ",
            nil
        ),
        (.settings(reason: "/etc/a.conf, line 3: keeep"), "line 3", "stop the service and start it again"),
        (
            .trouble(parts: [.refresh, .gallery], failure: "no answer", retry: Moment(1_500_000_000)),
            "refresh, gallery: no answer; it is", nil
        ),
        (
            .trouble(parts: [.refresh], failure: "no answer", retry: Moment(3_900_000_000)),
            "no answer; again at 2093-", nil
        ),
        (.unfinished(LastFailure("no answer", at: 1_500_000_000)), ": no answer", nil),
        (.noThumbnailer, "apod-thumbnailer", "`swift build` makes it"),
        (
            .folderLost(failure: Problem(.folderMissing, path: "/m/favorites")),
            "missing; all favorites stay; put the folder back", nil
        ),
        (.folderLost(failure: Problem("open", "/m", code: EXDEV)), "it is on another disk\nunmount it there", nil),
        (.polling(failure: "it is out"), "it is out", nil),
        (.polling(failure: Problem(.limit, path: "fs.inotify.max_user_watches")), "is reached\n`sudo sysctl", nil),
        (.ended(LinkLoss(links: 9, since: 1_500_000_000)), "9 links went", "--since 2017-07-14T02:40:00Z`"),
        (
            .held(hold), "50 days, from 2026-01-01 to 2026-02-19, and what was replaced 7 times, 1.0 MB",
            "until you run `apod-mirror prune`"
        ),
        (.damaged(VerifyFindings(1, at: 1_500_000_000)), "1 file damaged or missing", "verify --repair`"),
        (.failed(dates: days, failure: "no answer"), "2026-11-20, 2026-11-18  no answer", "sync 2026-11-20`"),
        (.incomplete(dates: days, failure: "no still"), "no still", "sync 2026-11-20`"),
        (
            .pending(PendingFavorite(Item(.day(days[0])), today: days[0])), "2026-11-20: still to be fetched",
            nil
        ),
        (
            .pending(PendingFavorite(Item(.day(days[0]), .failed, failure: "no answer"), today: days[0])),
            "could not be fetched: no answer", nil
        ),
        (.unwritable(album: "a", error: Int(EROFS)), "/m/favorites/a: Read-only file system\nmake it writable", nil),
        (.undecodable(date: days[0], reason: "too dark"), "2026-11-20  too dark", "thumbnails 2026-11-20`"),
        (.edited(paths: ["2026/11/a.jpg"]), "changed by somebody\n2026/11/a.jpg", "until you move"),
        (.incomplete(dates: days, failure: Problem(.edited, path: "/m/a.jpg")), "/m/a.jpg is not as", "moves yours"),
        (.nameTaken(paths: ["latest", "feed.xml"]), "latest", "rename it"),
        (.unrecognised(link: "a/b", reason: .outside), "a/b: a link out of the mirror", nil),
        (
            .replaced(date: days[0], replaced: Moment(1_500_000_000), role: "text", text: true, smaller: false),
            "has another text", "revert 2026-11-20`"
        ),
        (
            .replaced(date: days[0], replaced: Moment(1_500_000_000), role: "poster", text: false, smaller: true),
            "another still, a much smaller one", "revert"
        ),
    ]

    @Test("What is wrong is told in words, with what to do, and to programs by its code", arguments: all.indices)
    func words(index: Int) throws {
        let (condition, words, remedy) = Self.all[index]
        let root = "/m"
        let told = ([condition.heading] + condition.lines(in: root)).joined(separator: "\n")
        #expect(told.contains(words))
        let advice = Remedy(Keeping(root)).of(condition, isServed: true)
        #expect(remedy.map { advice?.contains($0) == true } ?? (advice == nil), "\(advice ?? "nothing")")
        let json = try JSONText(JSON(condition).compact)
        #expect(json.decoded() == condition)
        #expect(
            try JSONText(JSON.object([("code", .string(condition.code))]).compact).decoded()
                == (condition == .noThumbnailer ? condition : nil))
    }

    @Test("The state of the favorites folder is what the service sees, or else this process")
    func folderLost() throws {
        let files = try TemporaryFolder()
        for name in ["favorites", ".apod-mirror"] { mkdir(files.appending(name), 0o755) }
        let (catalog, log) = (try Catalog(in: files.path), try FavoritesLog(in: files.path))
        func lack(_ watching: WatchState?) throws -> String? {
            var state = Activity.Snapshot()
            (state.watching, state.nextRefresh) = (watching, 7)
            let service = StatusReport(of: state, version: "")
            let report = try StatusReport(Settings(root: files.path), catalog, log, service, at: 9)
            // One that is due is about to begin.
            #expect(report.nextRefresh == 9)
            let condition = report.conditions.first { $0.code == "folder-lost" }
            return condition.map { JSON($0).compact.text }
        }
        #expect(try lack(nil) == nil && lack(.inotify) == nil)
        rmdir(files.appending("favorites"))
        try save([], to: files.appending("favorites"))
        #expect(try lack(nil)?.contains("\"folder-taken\"") == true && lack(.inotify) == nil)
        #expect(try lack(.lost(Problem("open", "/a", code: 13)))?.contains("\"number\":13") == true)
    }

    @Test("What is wrong is an outage where it may keep new days away, and none came for two days")
    func outage() {
        let now = time(nil)
        let trouble = Condition.trouble(parts: [.refresh], failure: "no answer", retry: Moment(0))
        let unfinished = Condition.unfinished(LastFailure("no answer", at: 0))
        let harmless: [Condition] = [.folderLost(failure: "gone"), .held(Self.hold), .settings(reason: "keeep")]
        let rows: [([Condition], Int?, Bool)] = [
            ([unfinished], nil, true), ([unfinished], now - 40 * 3600, false),
            ([unfinished], now - 3 * 86_400, true), ([.waiting(failure: "away")], now - 3 * 86_400, true),
            ([.damaged(VerifyFindings(1, at: 0)), trouble], now - 3 * 86_400, true),
            (harmless, nil, false), ([], now - 3 * 86_400, false),
        ]
        for (conditions, lastRefresh, isOutage) in rows {
            #expect((Condition.outage(conditions, lastRefresh: lastRefresh) != nil) == isOutage, "\(conditions)")
        }
    }

    @Test("What is wrong leaves with the service that had it, and the rest of a report stays")
    func stopped() {
        var state = Activity.Snapshot()
        (state.waiting, state.watching, state.nextRefresh) = ("away", .lost("gone"), 7)
        let left = StatusReport(of: state, version: "").withoutService
        #expect(left.conditions == [.folderLost(failure: "gone")])
        #expect(left.service == nil && left.watching == nil && left.nextRefresh == nil)
        state.watching = .polling(why: "no answer")
        #expect(StatusReport(of: state, version: "").withoutService.conditions.isEmpty)
    }
}

extension Condition {
    fileprivate var code: String { (try? JSONText(JSON(self).compact))?["code"]?.string ?? "" }
}
