import Apod
import Configuration
import Favorites
import Glibc
import Store
import TestSupport
import Testing
import Thumbnails

@testable import Service
@testable import Syncing

struct ControlWordsTests {
    private static let day = Day("2019-04-30")!
    private static let later = Day("2026-11-20")!
    private static let item = Key("lists/cats/Mittens")!
    private static let strange = "“Ö\"\\\n\u{1b}[2J\u{202e}\u{0}🚀"

    /// Of each type of what is told, something.
    private static let messages: [Event] =
        [
            .planned(3, of: ListName("cats")), .failed(item, why: Problem(.other, strange), isPassing: true),
            .mirrored(.day(day), title: strange, state: .absent, bytes: 1 << 40),
            .unanswered(day...later, days: 25, why: ""), .unanswered(day...day, days: 0, why: ""),
            .changed(.made, .day(day), link: "album/\(strange)"), .refreshBegan(named: []),
            .refreshBegan(named: [day, later]), .received(1 << 40), .delayed(nil),
            .refreshEnded(Problem(.other, strange)),
            .thumbnail(Thumbnail(key: .day(day), outcome: .made([strange, "b"], bytes: 0))),
            .thumbnail(Thumbnail(key: .day(later), outcome: .failed(why: ""))),
        ]

    private static var state: Activity.Snapshot {
        var state = Activity.Snapshot()
        state.waiting = Problem(.away, strange, path: strange, number: 2)
        state.refusedSettings = strange
        state.settings = settings
        state.settingsFile = "/etc/\(strange)"
        state.isRefreshing = true
        state.isMakingThumbnails = true
        state.syncs = 2
        state.nextRefresh = later.noon
        state.watching = .polling(why: Problem(.limit, path: "fs.inotify.max_user_watches"))
        state.backfill = .init(missing: 2014, at: day, secondsLeft: 10_800)
        for name in ServicePart.allCases { state.troubles[name] = .init(Problem(.other, strange), retry: day.noon) }
        return state
    }

    private static var settings: Settings {
        var settings = Settings(root: "/srv/\(strange)")
        (settings.since, settings.keep, settings.maxTotal) = (day, Span("5y"), 7_100_000_001)
        (settings.rate, settings.gallery, settings.contact) = (0.25, .no, "me@example.org")
        settings.state = "/\(strange)"
        return settings
    }

    @Test("What systemd is told in one line is what waits, or else what is wrong and what is done")
    func line() {
        var state = Activity.Snapshot()
        state.refusedSettings = "a"
        state.troubles = [.refresh: .init("c", retry: 0), .backfill: .init("b", retry: 0)]
        state.isRefreshing = true
        state.newest = Self.day
        #expect(state.line.hasPrefix("settings refused: a; refresh: c; backfill: b; asking for new days; newest day "))
        for (syncs, isTold) in [(0, false), (1, true), (2, true)] {
            state.syncs = syncs
            #expect(state.line.contains("; fetching what `sync` asked for; newest day ") == isTold)
        }
        state.waiting = "the disk"
        #expect(state.line == "waiting: the disk")
        #expect(Activity.Snapshot().line == "starting")
    }

    private static let answers: [ControlAnswer] =
        [.taken, .end(nil), .end(Problem(.other, strange)), .mistake(strange)] + messages.map(ControlAnswer.event)

    @Test("An answer is understood as it was meant", arguments: answers)
    func answer(answer: ControlAnswer) {
        #expect(answer.line.last == "\n" && answer.line.count { $0 == "\n" } == 1)
        #expect(ControlAnswer(answer.line) == answer)
    }

    @Test("A status is understood as it was meant", arguments: [Activity.Snapshot(), state])
    func status(state: Activity.Snapshot) throws {
        let report = StatusReport(of: state, version: "1.0")
        #expect(StatusReport(try JSONText(report.json.compact)) == report)
    }

    @Test("A status names the root by the way that leads there for whoever asks")
    func asked() {
        let status = StatusReport(of: Self.state, version: "1.0")
        var settings = Self.settings
        settings.root = "/mnt/nas/apod"
        #expect(status.settings(in: "/mnt/nas/apod") == settings)
    }

    @Test("What commands and the service say to each other says why a favorite has no picture")
    func pending() {
        let rows: [(Item.State?, Problem?, age: Int, String)] = [
            (nil, nil, 1, "still to be fetched"), (nil, nil, 0, "still to be fetched"),
            (nil, nil, -1, "not published yet"), (.absent, nil, 1, "NASA has no picture for this day"),
            (.placeholder, nil, 1, "NASA has only the text of this day"),
            (.failed, "no answer", 1, "could not be fetched: no answer"), (.failed, nil, 1, "still to be fetched"),
            (
                .failed, Problem(.refused, at: WebAddress("https://a.example/image/1.jpg"), number: 403), 1,
                "could not be fetched: a.example: the server answered 403"
            ),
        ]
        for (state, failure, age, words) in rows {
            let day = Self.day.advanced(by: -age)
            #expect(PendingFavorite(Item(.day(day), state, failure: failure), today: Self.day).words == words)
        }
    }

    @Test("Settings are told as they are, and those that are as usual not at all")
    func usual() throws {
        var withLists = Settings(root: "/srv/apod")
        let owls = WebAddress("https://a.example/owls.json")!
        withLists.lists = [
            PictureList(
                name: ListName("owls")!, address: owls, rules: [.title: FieldRule("{a} b")!], cover: owls, keep: 7),
            PictureList(
                name: ListName("webb")!, address: PictureList.known[3].address, rules: PictureList.known[3].rules),
        ]
        for settings in [Self.settings, Settings(root: "/srv/apod"), withLists] {
            #expect(try JSONText(JSON(settings).compact).decoded() == settings)
        }
    }

    @Test("What everyone may read has no query of an address, in which a list's key can be")
    func queries() {
        let settings = JSON.object([
            ("list.cats", .string("https://a.example/cats.json?key=7")), ("note", .string("why?")),
        ])
        let words = JSON.array([.string("redirect refused: http://a.example/?key=7#b then"), .integer(7)])
        #expect(
            JSON.array([settings, words]).withoutQueries.line
                == #"[{"list.cats":"https://a.example/cats.json","note":"why?"},["redirect refused: http://a.example/ then",7]]"#
        )
    }

    private static let jobs: [Job] =
        [
            .prune(), .prune(ListName("cats")!), .thumbnails([]), .thumbnails([day, later]), .sync(SyncOrder()),
            .sync(SyncOrder(days: [day, later])), .sync(SyncOrder(since: day)),
            .sync(SyncOrder(since: day, until: later)), .repair([day]), .repair([]),
            .remember(VerifyFindings(0, at: 1_500_000_000)), .remember(VerifyFindings(1200, at: 1_800_000_000)),
            .favorites(FavoritesOrder(.restore, [], since: 1_800_000_000)),
            .favorites(FavoritesOrder(.add, [.day(day)], album: AlbumName("Kométen & “Ö” 🚀"))),
        ] + FavoritesOrder.Action.allCases.map { .favorites(FavoritesOrder($0, [.day(day), .day(later)])) }

    @Test("A request asks for what was meant", arguments: jobs)
    func request(job: Job) throws {
        let request = ServiceRequest(heard: ServiceRequest.job(job).bytes)
        #expect(try ControlRequest(try #require(request)) == .job(job))
    }

    @Test(
        "A request is refused where it makes no sense",
        arguments: [
            "{}", #"{"stop":{}}"#, #"{"prune":{},"thumbnails":{"_0":[]}}"#, "",
            #"{"sync":{"_0":{"settings":{},"days":["../.."]}}}"#,
            #"{"favorites":{"_0":{"action":"add","keys":[{"list":"cats"}]}}}"#,
            #"{"favorites":{"_0":{"action":"add","keys":[],"album":"../Comets"}}}"#,
        ])
    func nonsense(job: String) {
        #expect(throws: Problem(.nonsense)) {
            try ControlRequest(ServiceRequest(ServiceRequest.jobLine, body: job.bytes))
        }
    }

    @Test(
        "An answer is not taken for something else",
        arguments: [
            "", "{}", "[]", #"{"event":{"_0":{"boiled":{}}}}"#, #"{"end":{"_0":7}}"#,
            #"{"event":{"_0":{"absent":{"_0":"2019-02-30"}}}}"#, #"{"version":14}"#,
            #"{"event":{"_0":{"unanswered":{"_0":["2019-04-30","2019-04-01"],"days":1}}}}"#,
            #"{"event":{"_0":{"received":{"_0":"1"}}}}"#, #"{"taken":{},"end":{}}"#,
        ])
    func answerNonsense(text: String) { #expect(ControlAnswer(text.bytes) == nil) }
}
