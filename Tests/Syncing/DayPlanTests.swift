import Apod
import Configuration
import Testing

@testable import Catalog
@testable import Syncing

/// What is known of a day, and what is therefore to be done.
struct PlanCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let facts: DayFacts
    let plan: String

    private typealias Facts = DayFacts

    private init(_ words: String, _ plan: String, _ change: (inout DayFacts) -> Void = { _ in }) {
        testDescription = words
        var facts = DayFacts()
        change(&facts)
        self.facts = facts
        self.plan = plan
    }

    private static func image(_ names: String...) -> Picture { Facts.record(.image(Source(names.map(Facts.address))!)) }

    private static let day = 86_400
    private static let oneOfAnotherDay = "keep, the upstream's record is one of another day"
    private static let noPicture = "keep, NASA has no picture for it any more"
    private static let oneText = "keep, the upstream has one title and text for several days, also for 2026-10-20"

    private static func ofAnotherDay(_ picture: Picture?) -> Picture {
        var picture = picture ?? image("a.jpg")
        picture.permalink = WebAddress("https://h.example/apod-2026-june-3-flyby/")
        return picture
    }

    private static func changed(_ picture: Picture?, _ change: (inout Picture) -> Void) -> Picture {
        var picture = picture!
        change(&picture)
        return picture
    }

    /// The same title and text as another day of the answer.
    private static func hasTwin(_ facts: inout DayFacts, title: String = "One", text: String = "One text.") {
        facts.hasTwin = true
        facts.record = changed(facts.former) { ($0.title, $0.explanation) = (title, text) }
    }

    static let all = settled + new + less + words + files + staying + damaged + downgraded

    private static let settled = [
        Self("the same record, all files", "unchanged"),
        Self("the same record, named days", "unchanged") { $0.keepsToPauses = false },
        Self("a record that has brought worse", "unchanged") { ($0.isRefused, $0.record) = (true, image("x.jpg")) },
        Self("a record that has brought worse, named days", "fetch picture x.jpg*") {
            ($0.isRefused, $0.keepsToPauses, $0.record) = (true, false, image("x.jpg"))
        },
        Self("a record that has brought worse, doubts", "fetch picture x.jpg*") {
            ($0.isRefused, $0.isAgain, $0.record) = (true, true, image("x.jpg"))
        },
        Self("a record that has brought worse, the file lost", "fetch picture x.jpg*") {
            ($0.isRefused, $0.good, $0.record) = (true, [], image("x.jpg"))
        },
        Self("the same record, doubts", "fetch picture [a.jpg]*") { $0.isAgain = true },
        Self("the same record, doubts, damaged", "fetch picture a.jpg*") { ($0.isAgain, $0.good) = (true, []) },
        Self("the same record, its only file lost", "fetch picture a.jpg*") { $0.good = [] },
        Self("the same record, one of two files lost", "fetch video [a.mp4]*, poster p.jpg*") {
            $0.hasVideo()
            $0.good = [$0.files[0]]
        },
        Self("the same record, the other of two files lost", "fetch video a.mp4*, poster [p.jpg]*") {
            $0.hasVideo()
            $0.good = [$0.files[1]]
        },
        Self("the same text without a picture, before its time", "unchanged") {
            $0.hasText()
            $0.retryAfter = Facts.now + 1
        },
        Self("the same text without a picture, at its time", "fetch ") {
            $0.hasText()
            $0.retryAfter = Facts.now
        },
        Self("the same text without a picture, before its time, named", "fetch ") {
            $0.hasText()
            ($0.retryAfter, $0.keepsToPauses) = (Facts.now + 1, false)
        },
        Self("the same text without a picture, noted by a clock that was ahead", "fetch ") {
            $0.hasText()
            $0.retryAfter = Facts.now + 400 * day
        },
        Self("the same record, failed, before its time", "unchanged") {
            ($0.state, $0.retryAfter) = (.failed, Facts.now + 1)
        },
        Self("the same record, failed, for no time", "fetch picture [a.jpg]*") { $0.state = .failed },
        Self("the same record, a picture that cannot be decoded", "fetch picture a.jpg*") {
            ($0.state, $0.damaged) = (.failed, [$0.files[0]])
        },
        Self("the same record, a picture that cannot be decoded, before its time", "unchanged") {
            ($0.state, $0.damaged, $0.retryAfter) = (.failed, [$0.files[0]], Facts.now + 1)
        },
        Self("the same record, a poster that cannot be decoded", "fetch video [a.mp4]*, poster p.jpg*") {
            $0.hasVideo()
            ($0.state, $0.damaged) = (.failed, [$0.files[1]])
        },
        Self("the same record, pruned", "fetch picture a.jpg*") { $0.state = .pruned },
        Self("another text", "fetch picture a.jpg*") { $0.record = Facts.record($0.former!.media, text: "Better.") },
        Self("only the record's own JSON is another", "unchanged") {
            $0.record = changed($0.former) { $0.record = JSONText("[]") }
        },
    ]

    private static let new = [
        Self("a new day", "fetch picture a.jpg*") { $0.isNew() },
        Self("a new day with substitutes", "fetch picture a.jpg* or b.jpg or c.jpg") {
            $0.record = image("a.jpg", "b.jpg", "c.jpg")
            $0.isNew()
        },
        Self("a new day of text", "fetch ") {
            $0.hasText()
            $0.isNew()
        },
        Self("a new day without a title and text", "fetch picture a.jpg*") {
            $0.record = Facts.record(.image(Facts.source("a.jpg")), title: "", text: "")
            $0.isNew()
        },
        Self("a new day with a video", "fetch video a.mp4*, poster p.jpg*") {
            $0.hasVideo()
            $0.isNew()
        },
        Self("a new day with a video, for posters", "fetch page a.mp4*, poster p.jpg*") {
            $0.hasVideo()
            $0.isNew()
            $0.settings.videos = .poster
        },
        Self("a new day with a player", "fetch page a.html*, poster p.jpg*") {
            $0.hasPage()
            $0.isNew()
        },
        Self("a new day that failed before", "fetch picture a.jpg*") {
            $0.isNew()
            $0.state = .failed
        },
        Self("today's record is another day's", "not yet") {
            $0.record = ofAnotherDay($0.former)
            $0.day = Facts.today
            $0.isNew()
        },
        Self("yesterday's record is another day's", "not yet") {
            $0.record = ofAnotherDay($0.former)
            $0.day = Facts.today.advanced(by: -1)
            $0.isNew()
        },
        Self("yesterday's record is another day's, and nothing but that is known", "not yet") {
            $0.record = ofAnotherDay($0.former)
            $0.day = Facts.today.advanced(by: -1)
            $0.isNew()
            $0.state = .failed
        },
        Self("an older day's record names another day", "fetch picture a.jpg*") {
            $0.record = ofAnotherDay($0.former)
            $0.day = Facts.today.advanced(by: -2)
            $0.isNew()
        },
        Self("a new day with another one's words", "fetch picture a.jpg*") {
            hasTwin(&$0)
            $0.isNew()
        },
    ]

    /// Records that say less than what is here.
    private static let less = [
        Self("another day's record", oneOfAnotherDay) { $0.record = ofAnotherDay($0.former) },
        Self("another day's record, today", oneOfAnotherDay) {
            ($0.day, $0.record) = (Facts.today, ofAnotherDay($0.former))
        },
        Self("another day's record, all files lost", oneOfAnotherDay) {
            ($0.good, $0.record) = ([], ofAnotherDay($0.former))
        },
        Self("another day's record for a day of text", oneOfAnotherDay + "; placeholder ×3, later") {
            $0.hasText()
            $0.record = ofAnotherDay($0.former)
        },
        Self("another day's record for a failed day", oneOfAnotherDay + "; failed ×3, later, before") {
            ($0.state, $0.record) = (.failed, ofAnotherDay($0.former))
        },
        Self("no picture", noPicture) { $0.record = Facts.record(.none) },
        Self("no picture, files lost", noPicture) { ($0.good, $0.record) = ([], Facts.record(.none)) },
        Self("no picture, pruned", noPicture + "; pruned ×3, later") {
            ($0.state, $0.record) = (.pruned, Facts.record(.none))
        },
        Self("no picture, a worse copy here", noPicture + "; downgraded ×3, later") {
            ($0.state, $0.record) = (.downgraded, Facts.record(.none))
        },
        Self("no picture, and none before", "fetch ") {
            $0.hasText()
            $0.record = Facts.record(.none, text: "Better.")
        },
        Self("no title", "keep, the upstream has no title for it any more") {
            $0.record = Facts.record($0.former!.media, title: "")
        },
        Self("no title, and none before", "fetch picture a.jpg*") {
            $0.former = Facts.record(.image(Facts.source("a.jpg")), title: "")
            $0.record = Facts.record($0.former!.media, title: "", text: "Better.")
        },
        Self("no text", "keep, the upstream has no text for it any more") {
            $0.record = Facts.record($0.former!.media, text: "")
        },
        Self("no text, and none before", "fetch picture a.jpg*") {
            $0.former = Facts.record(.image(Facts.source("a.jpg")), text: "")
            $0.record = Facts.record($0.former!.media, title: "Better", text: "")
        },
        Self(
            "a video, its record without a page",
            "keep, the upstream's record comes without the page that tells of the video"
        ) {
            $0.hasVideo()
            $0.record = changed(image("p.jpg")) { $0.hasPage = false }
        },
        Self(
            "a page, its record without a page",
            "keep, the upstream's record comes without the page that tells of the video"
        ) {
            $0.hasPage()
            $0.record = changed($0.former) { ($0.title, $0.hasPage) = ("Better", false) }
        },
        Self("a picture, its record without a page", "fetch picture a.jpg*") {
            $0.record = changed($0.former) { ($0.title, $0.hasPage) = ("Better", false) }
        },
    ]

    /// One title and text for several days of one answer.
    private static let words = [
        Self("another one's words", oneText) { hasTwin(&$0) },
        Self("another one's words, one of two files lost", oneText) {
            $0.hasVideo()
            $0.good = [$0.files[1]]
            hasTwin(&$0)
        },
        Self("another one's words, all files lost", "fetch picture a.jpg*") {
            hasTwin(&$0)
            $0.good = []
        },
        Self("another one's words for a day of text", oneText + "; placeholder ×3, later") {
            $0.hasText()
            hasTwin(&$0)
        },
        Self("another one's words, which were its own, too, with another title", "fetch picture a.jpg*") {
            hasTwin(&$0, text: "Text.")
        },
        Self("another one's words, which were its own, too, and files that were lost", "fetch picture a.jpg*") {
            hasTwin(&$0, title: "A Title", text: "Text.")
            $0.good = []
        },
        Self("another one's words, which were its own, too, though the catalog has lost them", "fetch picture [a.jpg]*")
        {
            hasTwin(&$0, title: "A Title", text: "Text.")
            ($0.isUnexplained, $0.isAgain) = (true, true)
        },
        Self("another one's words, the catalog has lost what were its own", oneText) {
            hasTwin(&$0)
            $0.isUnexplained = true
        },
        Self("another one's words, which were its own, too", "unchanged") {
            hasTwin(&$0, title: "A Title", text: "Text.")
        },
    ]

    /// Which files, where from, and which of them are not asked for.
    private static let files = [
        Self("another text: files are looked at again", "fetch video a.mp4*, poster p.jpg*") {
            $0.hasVideo()
            $0.record = changed($0.former) { $0.title = "Better" }
        },
        Self("a video, for posters: no page", "fetch video a.mp4*, poster p.jpg*") {
            $0.hasVideo()
            $0.record = changed($0.former) { $0.title = "Better" }
            $0.settings.videos = .poster
        },
        Self("a lost video, for posters: a page", "fetch page a.mp4*, poster [p.jpg]*") {
            $0.hasVideo()
            $0.good = [$0.files[1]]
            $0.settings.videos = .poster
        },
        Self("the picture is another one", "fetch picture b.jpg*") { $0.record = image("b.jpg") },
        Self("what is here is the second best", "fetch picture a.jpg* or [b.jpg]") {
            $0.former = image("a.jpg", "b.jpg")
            ($0.files, $0.state) = ([Facts.file("b.jpg")], .downgraded)
        },
        Self("what is here is the second best, and another text: not the third", "fetch picture a.jpg* or b.jpg") {
            $0.former = image("a.jpg", "b.jpg")
            ($0.record, $0.files) = (image("a.jpg", "b.jpg", "c.jpg"), [Facts.file("b.jpg")])
            $0.state = .downgraded
        },
        Self("what is here is the best: nothing else", "fetch picture a.jpg*") { $0.record = image("a.jpg", "b.jpg") },
        Self("the poster that is here is no picture", "fetch picture p.jpg* or b.jpg") {
            $0.hasVideo()
            $0.record = image("p.jpg", "b.jpg")
            $0.lost = $0.files
        },
        Self("a text becomes a picture", "fetch picture a.jpg*") {
            $0.hasText()
            $0.record = image("a.jpg")
        },
        Self("a picture becomes a video", "fetch video a.mp4*, poster p.jpg*") {
            $0.record = Facts.video("a.mp4", "p.jpg")
        },
        Self("a picture becomes a page", "fetch page a.html*, poster p.jpg*") {
            $0.record = Facts.page("a.html", "p.jpg")
        },
        Self("for screens", "fetch picture a.jpg* or a.jpg*") {
            $0.isNew()
            $0.settings.pictures = .screen
        },
        Self("for screens, the original here", "fetch picture [a.jpg]*") {
            $0.isAgain = true
            $0.settings.pictures = .screen
        },
    ]

    /// What is not given up for what the record shows.
    private static let staying = [
        Self("a video, its poster", "fetch video [a.mp4]*, poster [p.jpg]*") {
            $0.hasVideo()
            $0.record = changed(image("p.jpg")) { $0.isOnPage = false }
        },
        Self("a video, an empty block", "fetch video [a.mp4]*, poster [p.jpg]*") {
            $0.hasVideo()
            $0.record = Facts.record(.none)
        },
        Self("a video, another site's player", "fetch video [a.mp4]*, poster [p.jpg]*") {
            $0.hasVideo()
            $0.record = Facts.page("b.html", "q.jpg")
        },
        Self("a video without a poster, another layout", "fetch video [a.mp4]*, poster p.jpg*") {
            $0.hasVideo()
            $0.files.removeLast()
            $0.record = changed(image("p.jpg")) { $0.kind = .video }
        },
        Self("a damaged video, its poster", "fetch video a.mp4*, poster [p.jpg]*") {
            $0.hasVideo()
            $0.good = [$0.files[1]]
            $0.record = image("p.jpg")
        },
        Self("a lost video, its poster", "fetch picture p.jpg*") {
            $0.hasVideo()
            ($0.record, $0.good) = (image("p.jpg"), [])
            $0.lost = $0.files
        },
        Self("a video, no poster any more", "fetch video a.mp4*, poster [p.jpg]*") {
            $0.hasVideo()
            $0.record = changed(Facts.video("a.mp4", nil)) { $0.title = "Better" }
        },
        Self("a video, another one", "fetch video b.mp4*, poster q.jpg*") {
            $0.hasVideo()
            $0.record = Facts.video("b.mp4", "q.jpg")
        },
        Self("a video, a picture of its own", "fetch picture b.jpg*") {
            $0.hasVideo()
            $0.record = image("b.jpg")
        },
        Self("a page, its poster", "fetch page a.html*, poster [p.jpg]*") {
            $0.hasPage()
            $0.record = changed(image("p.jpg")) { $0.isOnPage = false }
        },
        Self("a page, an empty block", "fetch page a.html*, poster [p.jpg]*") {
            $0.hasPage()
            $0.record = Facts.record(.none)
        },
        Self("a page, a video of its own", "fetch video a.mp4*, poster p.jpg*") {
            $0.hasPage()
            $0.record = Facts.video("a.mp4", "p.jpg")
        },
        Self("a picture, some address of no size", "fetch picture [a.jpg]*") {
            $0.record = changed(image("b.jpg")) { $0.isOnPage = false }
        },
    ]

    /// Pictures that cannot be decoded. `x`: a picture that this day had before.
    private static let damaged = [
        Self("a damaged picture keeps no other one out", "fetch picture a.jpg* or b.jpg") {
            $0.former = image("a.jpg", "b.jpg")
            ($0.state, $0.damaged) = (.failed, [$0.files[0]])
        },
        Self("a damaged second best one neither", "fetch picture a.jpg* or b.jpg or c.jpg") {
            $0.former = image("a.jpg", "b.jpg", "c.jpg")
            ($0.files, $0.state) = ([Facts.file("b.jpg")], .downgraded)
            $0.damaged = $0.files
        },
        Self("a damaged picture, and the record shows something of no size: it first", "fetch picture a.jpg*") {
            $0.record = changed(image("b.jpg")) { $0.isOnPage = false }
            ($0.state, $0.damaged) = (.failed, [$0.files[0]])
        },
        Self("a damaged picture, not to be had any more, and the record shows another", "fetch picture b.jpg*") {
            $0.record = changed(image("b.jpg")) { $0.isOnPage = false }
            ($0.state, $0.damaged, $0.lost) = (.failed, [$0.files[0]], $0.files)
        },
        Self("a damaged one was here before: what is here stays", "unchanged") { $0.damaged = [Facts.file("x.jpg")] },
        Self("a damaged one was here before, and another in doubt: the one that is here", "fetch picture [a.jpg]*") {
            ($0.isAgain, $0.damaged) = (true, [Facts.file("x.jpg", width: 4000)])
        },
        Self("much smaller than a damaged one: asked for again", "fetch picture a.jpg*") {
            $0.former = image("a.jpg", "b.jpg")
            ($0.files, $0.damaged) = ([Facts.file("a.jpg", width: 200)], [Facts.file("x.jpg", width: 4000)])
            $0.state = .downgraded
        },
        Self("much smaller, and the second best: not asked for itself", "fetch picture a.jpg* or [b.jpg]") {
            $0.former = image("a.jpg", "b.jpg")
            ($0.files, $0.damaged) = ([Facts.file("b.jpg", width: 200)], [Facts.file("x.jpg", width: 4000)])
            $0.state = .downgraded
        },
        Self("nearly as large as a damaged one", "fetch picture [a.jpg]*") {
            ($0.files, $0.damaged) = ([Facts.file("a.jpg", width: 3800)], [Facts.file("x.jpg", width: 4000)])
            $0.isAgain = true
        },
    ]

    private static let downgraded = [
        Self("a worse copy, the same record", "fetch picture a.jpg* or [b.jpg]") {
            $0.former = image("a.jpg", "b.jpg")
            ($0.files, $0.state) = ([Facts.file("b.jpg")], .downgraded)
        },
        Self("a worse copy, the same record, before its time", "unchanged") {
            $0.former = image("a.jpg", "b.jpg")
            ($0.files, $0.state, $0.retryAfter) = ([Facts.file("b.jpg")], .downgraded, Facts.now + 1)
        },
        Self("a worse copy stays one, where the record shows less", "fetch picture [b.jpg]") {
            $0.former = image("a.jpg", "b.jpg")
            ($0.files, $0.state) = ([Facts.file("b.jpg")], .downgraded)
            $0.record = changed(image("c.jpg")) { $0.isOnPage = false }
        },
    ]
}

@Suite("What is to be done for a day")
struct DayPlanTests {
    @Test("is known from what is known of it", arguments: PlanCase.all)
    func table(one: PlanCase) {
        let plan = one.facts.update.plan(at: DayFacts.now)
        #expect(plan.words == one.plan)
        guard case .keep(_, let status?) = plan else { return }
        #expect(status.stored == one.facts.update.known?.stored)
    }
}
