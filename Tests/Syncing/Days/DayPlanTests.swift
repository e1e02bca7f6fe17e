import Apod
import Catalog
import Configuration
import Testing

@testable import Syncing

/// What is known of a day, and what is therefore to be done, where `UpdateCase` does not tell it along.
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

    private static func known(_ facts: inout DayFacts) { facts.files = [Facts.file("a.jpg", isKnown: true)] }

    private static func ofAnotherDay(_ facts: inout DayFacts) {
        facts.record = Facts.image("a.jpg")
        facts.record!.permalink = WebAddress("https://h.example/apod-2026-june-3-flyby/")
    }

    static let all = new + same + changed + asked + never + further

    private static let new = [
        Self("new, a video, for posters", "page a.mp4, poster p.jpg") {
            $0.hasVideo()
            $0.isNew()
            $0.settings.videos = .poster
        },
        Self("new, tells of another day", "not yet") {
            ofAnotherDay(&$0)
            $0.day = Facts.today
            $0.isNew()
        },
        Self("new, from years ago, tells of another day", "picture a.jpg") {
            ofAnotherDay(&$0)
            $0.isOld()
            $0.isNew()
        },
        Self("here, tells of another day", "texts") {
            ofAnotherDay(&$0)
            $0.record!.explanation = "Other."
            $0.day = Facts.today
        },
        Self("pruned, same", "nothing") { $0.state = .pruned },
        Self("pruned, wanted again", "picture a.jpg") { ($0.state, $0.why) = (.pruned, .due) },
    ]

    private static let same = [
        Self("same, on the last day", "picture a.jpg?") {
            known(&$0)
            $0.day = Facts.today.advanced(by: -7)
        },
        Self("same, known to the server, older", "nothing") {
            known(&$0)
            $0.day = Facts.today.advanced(by: -8)
        },
        Self("same, a rendition known to the server", "nothing") {
            ($0.former, $0.files) = (Facts.image("ra.jpg"), [Facts.file("ra.jpg", as: .picture, isKnown: true)])
        },
        Self("same, a poster that was nowhere", "nothing") {
            $0.hasVideo()
            $0.files.removeLast()
        },
        Self("same, its JSON damaged", "texts") { ($0.why, $0.isJSONWhole) = (.repair, false) },
        Self("same, incomplete, in its pause", "nothing") {
            ($0.state, $0.isPaused, $0.record, $0.former) = (.failed, true, nil, Facts.image("b.jpg"))
        },
        Self("same, incomplete, in a pause that is passed over", "picture b.jpg") {
            ($0.state, $0.isPaused, $0.why, $0.former) = (.failed, true, .due, Facts.image("b.jpg"))
        },
        Self("same, incomplete, and all is here", "texts") { $0.state = .failed },
        Self("same, incomplete, older, known to the server", "picture a.jpg?") {
            known(&$0)
            $0.isOld()
            $0.state = .failed
        },
        Self("same, a worse copy", "picture a.jpg") { $0.hasWorseCopy() },
        Self("put aside, its file lost", "picture z.jpg") {
            $0.isReverted()
            $0.whole = []
        },
        Self("put aside, its file lost, in a pause", "nothing") {
            $0.isReverted()
            ($0.whole, $0.state, $0.isPaused) = ([], .failed, true)
        },
    ]

    private static let changed = [
        Self("new text, known to the server", "picture a.jpg?") {
            known(&$0)
            $0.record = Facts.image("a.jpg", text: "Better.")
        },
        Self("new text, another query", "texts") {
            $0.record = Facts.record(.image(Source([WebAddress("\(Facts.address("a.jpg"))?w=9")!])!))
        },
        Self("new text, its file lost", "picture a.jpg") {
            ($0.record, $0.whole) = (Facts.image("a.jpg", text: "Better."), [])
        },
        Self("another address, waited for in a pause", "nothing") {
            $0.record = Facts.image("b.jpg")
            ($0.state, $0.isPaused, $0.awaited) = (.failed, true, $0.record!.content)
        },
        Self("another address, in the pause of another record", "picture b.jpg") {
            $0.record = Facts.image("b.jpg")
            ($0.state, $0.isPaused, $0.awaited) = (.failed, true, Facts.image("c.jpg").content)
        },
        Self("another video, the same poster", "video b.mp4") {
            $0.hasVideo()
            $0.record = Facts.video("b.mp4", "p.jpg")
        },
    ]

    private static let asked = [
        Self("asked, known to the server, older", "picture a.jpg?") {
            known(&$0)
            $0.isOld()
            $0.why = .asked
        },
        Self("asked, in a pause", "picture b.jpg") {
            ($0.why, $0.state, $0.isPaused, $0.former) = (.asked, .failed, true, Facts.image("b.jpg"))
        },
        Self("asked, no media", "nothing") {
            ($0.former, $0.why) = (Facts.record(.none), .asked)
        },
    ]

    private static let further = [
        Self("new, with a second", "picture a.jpg") {
            $0.former = Facts.beside("a.jpg", "s.jpg")
            $0.isNew()
        },
        Self("a second to come", "also 2 s.jpg") { $0.awaitsSecond() },
        Self("a second to come, and looked at again", "nothing") {
            $0.awaitsSecond()
            $0.why = .recheck
        },
        Self("a second to come, of a pruned day", "nothing") {
            $0.awaitsSecond()
            $0.state = .pruned
        },
        Self("a second here, none to come", "nothing") {
            $0.hasSecond()
            $0.why = .further
        },
        Self("a second that could not be had", "also 2 s.jpg") {
            $0.awaitsSecond()
            ($0.why, $0.state) = (.recheck, .failed)
        },
        Self("a second that is damaged", "also 2 s.jpg") {
            $0.hasSecond()
            ($0.whole, $0.why) = ([$0.files[0]], .repair)
        },
        Self("a second comes", "also 2 s.jpg") { $0.record = Facts.beside("a.jpg", "s.jpg") },
        Self("a second goes", "texts") {
            $0.hasSecond()
            $0.record = Facts.image("a.jpg")
        },
        Self("another second", "also 2 t.jpg") {
            $0.hasSecond()
            $0.record = Facts.beside("a.jpg", "t.jpg")
        },
        Self("first and second change places", "picture s.jpg, also 2 a.jpg") {
            $0.hasSecond()
            $0.record = Facts.beside("s.jpg", "a.jpg")
        },
        Self("one more, before the second", "also 3 t.jpg") {
            $0.hasSecond()
            $0.record = Facts.beside("a.jpg", "t.jpg", "s.jpg")
        },
        Self("asked, with a second", "picture a.jpg, also 2 s.jpg") {
            $0.hasSecond()
            $0.why = .asked
        },
    ]

    private static let never = [
        Self("a worse copy, with an original", "picture b.jpg") { $0.record = Facts.image("b.jpg", "rb.jpg", "c.jpg") },
        Self("a worse copy alone, with an original", "texts") { $0.record = Facts.image("rb.jpg") },
        Self("a worse copy, with a worse copy", "picture b.jpg or rb.jpg") {
            $0.hasWorseCopy()
            $0.record = Facts.image("b.jpg", "rb.jpg")
        },
        Self("for screens, with an original", "picture b.jpg") {
            $0.settings.pictures = .screen
            $0.record = Facts.image("b.jpg")
        },
        Self("a page, with the video, for posters", "nothing") {
            $0.hasVideo()
            $0.settings.videos = .poster
        },
    ]
}

struct DayPlanTests {
    @Test("What is to be done for a day is known from what is known of it", arguments: PlanCase.all)
    func table(one: PlanCase) { #expect(one.facts.plan.step.words == one.plan) }
}
