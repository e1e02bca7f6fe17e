import Apod
import Configuration
import Store
import Testing

@testable import Syncing

struct PlanTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let facts: ItemFacts
        let plan: String
        let text: String

        /// `text`: that of the record that will be written.
        init(_ words: String, _ plan: String, text: String = "Text.", _ change: (inout ItemFacts) -> Void = { _ in }) {
            (testDescription, self.plan, self.text, facts) = (words, plan, text, ItemFacts(change))
        }
    }

    private typealias Facts = ItemFacts

    private static func isOfAnotherDay(_ facts: inout ItemFacts) {
        facts.isNew(Facts.image("a.jpg"))
        facts.record!.permalink = WebAddress("https://h.example/apod-2026-june-3-flyby/")
    }

    private static func standsIn(_ text: String) -> Picture {
        var picture = Facts.image("a.jpg", text: text)
        picture.isStandIn = true
        return picture
    }

    private static let new = [
        Row("new, a video, for posters", "page a.mp4, poster p.jpg") {
            $0.isNew(Facts.video("a.mp4", "p.jpg"))
            $0.settings.videos = .poster
        },
        Row("new, tells of another day", "not yet") {
            isOfAnotherDay(&$0)
            $0.day = Facts.today
        },
        Row("new, from years ago, tells of another day", "picture a.jpg*") {
            isOfAnotherDay(&$0)
            $0.isOld()
        },
    ]

    private static let asked = [
        Row("asked", "picture a.jpg, also 2 s.jpg") {
            $0.hasSecond()
            $0.why = .asked
        },
        Row("asked, older, known to the server", "picture a.jpg if other") {
            $0.isKnown()
            $0.isOld()
            $0.why = .asked
        },
        Row("asked, in a pause", "picture b.jpg", text: "New.") {
            $0.waits()
            ($0.why, $0.former) = (.asked, Facts.image("b.jpg", text: "New."))
        },
        Row("asked, without media", "nothing") { ($0.former, $0.why) = (Facts.record(.none), .asked) },
        Row("asked, set aside at the same address, whose validators are here", "picture a.jpg") {
            $0.isReverted(from: "a.jpg")
            $0.isKnown()
            $0.why = .asked
        },
    ]

    private static let standIns = [
        Row("the article list's, from APOD Basic", "nothing") { $0.says(standsIn("New.")) },
        Row("the article list's again", "nothing") { $0.former = standsIn("Text.") },
        Row("the article list's, from APOD Basic, a lost file", "picture a.jpg*") {
            $0.says(standsIn("New."))
            ($0.whole, $0.state) = ([], .failed)
        },
    ]

    private static let deleted = [
        Row("deleted", "nothing", text: "New.") {
            $0.isDeleted(.recheck)
            $0.saysNew()
        },
        Row("deleted, wanted", "picture b.jpg", text: "New.") {
            $0.isDeleted(.wanted)
            $0.saysNew()
        },
        Row("deleted, wanted, set aside", "picture z.jpg") {
            $0.isReverted()
            $0.isDeleted(.wanted)
        },
    ]

    private static let same = [
        Row("same, on the last day, known to the server", "picture a.jpg if other") {
            $0.isKnown()
            $0.day = Facts.today.advanced(by: -7)
        },
        Row("same, older, known to the server", "nothing") {
            $0.isKnown()
            $0.day = Facts.today.advanced(by: -8)
        },
        Row("same, older, failed, known to the server", "picture a.jpg if other") {
            $0.isKnown()
            $0.isOld()
            $0.state = .failed
        },
        Row("same, failed, its file awaited", "picture a.jpg") {
            $0.isKnown()
            ($0.state, $0.awaited) = (.failed, $0.former!.content)
        },
        Row("same, older, from another mirror", "picture a.jpg") {
            $0.isKnown()
            $0.isOld()
            $0.files[0].isOfNeighbour = true
        },
        Row("same but for a query", "nothing") { $0.says(Facts.image("a.jpg?w=9")) },
        Row("same, its JSON damaged", "texts") { ($0.why, $0.isJSONWhole) = (.repair, false) },
        Row("same, failed, in its pause", "nothing") {
            $0.waits()
            $0.former = Facts.image("b.jpg")
        },
        Row("same, failed, and due", "picture b.jpg") { ($0.state, $0.former) = (.failed, Facts.image("b.jpg")) },
        Row("same, failed, and all is here", "texts") { $0.state = .failed },
        Row("same, for posters, with the video", "nothing") {
            $0.hasVideo()
            $0.settings.videos = .poster
        },
        Row("set aside, its text too", "nothing", text: "Old.") {
            $0.isReverted()
            $0.former!.explanation = "Old."
        },
        Row("set aside, its file lost, a repair", "picture z.jpg*", text: "Old.") {
            $0.isReverted()
            $0.former!.explanation = "Old."
            ($0.whole, $0.why) = ([], .repair)
        },
        Row("set aside, its file lost, in a pause", "nothing") {
            $0.isReverted()
            $0.waits()
            $0.whole = []
        },
    ]

    private static let changed = [
        Row("new text", "texts", text: "New.") { $0.saysNewText() },
        Row("new text, another query", "picture xa.jpg?w=9", text: "New.") {
            ($0.former, $0.files) = (Facts.image("xa.jpg?w=1"), [Facts.file("xa.jpg?w=1")])
            $0.says(Facts.image("xa.jpg?w=9", text: "New."))
            $0.isOld()
        },
        Row("new text, its file lost", "picture a.jpg*", text: "New.") {
            $0.saysNewText()
            $0.whole = []
        },
        Row("another address, waited for in a pause", "nothing", text: "New.") {
            $0.saysNew()
            $0.waits()
            $0.awaited = $0.record!.content
        },
        Row("another address, in the pause of another record", "picture b.jpg", text: "New.") {
            $0.saysNew()
            $0.waits()
            $0.awaited = Facts.image("c.jpg").content
        },
        Row("another video, the same poster", "video b.mp4") {
            $0.hasVideo()
            $0.says(Facts.video("b.mp4", "p.jpg"))
        },
        Row("one more, before the second", "also 3 t.jpg") {
            $0.hasSecond()
            $0.says(Facts.beside("a.jpg", "t.jpg", "s.jpg"))
        },
        Row("a worse copy beside another, with an original", "picture b.jpg") {
            $0.says(Facts.image("b.jpg", "rb.jpg", "c.jpg"))
        },
        Row("a worse copy alone, with an original", "texts") { $0.says(Facts.image("rb.jpg")) },
        Row("for screens, with an original", "picture b.jpg") {
            $0.settings.pictures = .screen
            $0.says(Facts.image("b.jpg"))
        },
    ]

    /// What else is to be done can be told from what becomes of it.
    @Test(
        "What is to be done with an item follows from its record and what is known of it",
        arguments: new + asked + standIns + deleted + same + changed)
    func table(row: Row) {
        let plan = row.facts.plan
        #expect(plan.words == row.plan)
        #expect(plan.record.explanation == row.text)
    }
}
