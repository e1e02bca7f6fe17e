import Apod
import Configuration
import Fetching
import Files
import Glibc
import Testing
import Thumbnails

@testable import Store
@testable import Syncing

struct OutcomeTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let facts: ItemFacts
        let answers: [Answer]
        let outcome: String

        init(_ words: String, _ answers: [Answer], _ outcome: String, _ change: (inout ItemFacts) -> Void = { _ in }) {
            (testDescription, self.answers, self.outcome, facts) = (words, answers, outcome, ItemFacts(change))
        }
    }

    private typealias Facts = ItemFacts

    private static let nothing = [
        Row("same", [], "nothing"),
        Row("304", [.same], "nothing") { $0.isKnown() },
        Row("304, and new texts", [.same], "picture a.jpg; New.; mirrored") {
            $0.isKnown()
            $0.saysNewText()
        },
        Row("304, after a failure that is marked", [.same], "picture a.jpg; Text.; as old; mirrored") {
            $0.isKnown()
            ($0.state, $0.awaited) = (.failed, Facts.image("b.jpg").content)
        },
        Row("the bytes that another mirror gave", [.came()], "picture a.jpg; Text.; as old; mirrored") {
            $0.files[0].isOfNeighbour = true
        },
        Row("the file that another mirror gave, not now", [.busy], "nothing") { $0.files[0].isOfNeighbour = true },
        Row("the bytes that are here", [.came(bytes: "a.jpg")], "picture b.jpg; New.; mirrored") { $0.saysNew() },
        Row("no media any more", [], "picture a.jpg; New.; mirrored") { $0.says(Facts.record(.none, "New.")) },
        Row("no media yet", [], "text; Text.; placeholder, later") { $0.isNew(Facts.record(.none)) },
        Row("no media yet, again", [], "placeholder, later") {
            $0.hasText()
            $0.why = .new
        },
        Row("deleted, its JSON damaged", [], "text; Text.; as old; pruned") {
            $0.isDeleted(.repair)
            $0.isJSONWhole = false
        },
        Row("a stand-in", [.came()], "picture a.jpg*; Text.; mirrored, later") {
            $0.isNew(Facts.image("a.jpg"))
            $0.record!.isStandIn = true
        },
        Row("a stand-in, again", [], "mirrored, later") {
            $0.former!.isStandIn = true
            $0.why = .new
        },
        Row("APOD Basic's, instead of a stand-in", [], "picture a.jpg; Text.; mirrored") {
            ($0.record, $0.former!.isStandIn) = ($0.former, true)
        },
    ]

    private static let came = [
        Row("new", [.came(), .came()], "picture a.jpg*, also 2 s.jpg*; Text.; mirrored") {
            $0.isNew(Facts.beside("a.jpg", "s.jpg"))
        },
        Row("new, a worse copy", [.came(1)], "picture ra.jpg*; Text.; downgraded, later") {
            $0.isNew(Facts.image("a.jpg", "ra.jpg"))
        },
        Row("new, for screens", [.came()], "picture ra.jpg?w=3840&h=3840&fit=clip*; Text.; mirrored") {
            $0.isNew(Facts.image("a.jpg"))
            $0.settings.pictures = .screen
        },
        Row("another from the same address", [.came(bytes: "x")], "picture a.jpg*; Text.; replaced: a.jpg; mirrored") {
            $0.isKnown()
        },
        Row("another that decodes", [.came(judgement: .whole)], "picture b.jpg*; New.; replaced: a.jpg; mirrored") {
            $0.saysNew()
        },
        Row("the original of a worse copy", [.came()], "picture a.jpg*; Text.; replaced: ra.jpg; mirrored") {
            $0.hasWorseCopy()
        },
        Row("a lost one", [.came()], "picture a.jpg*; Text.; as old; mirrored") {
            ($0.whole, $0.state) = ([], .failed)
        },
        Row("a picture becomes a video", [.came()], "video a.mp4*, picture a.jpg; New.; mirrored") {
            $0.says(Facts.video("a.mp4", "p.jpg", text: "New."))
        },
        Row(
            "a worse copy becomes a video", [.came(), .came()],
            "video a.mp4*, poster p.jpg*; New.; replaced: ra.jpg; mirrored"
        ) {
            ($0.former, $0.files) = (Facts.image("ra.jpg"), [Facts.file("ra.jpg", as: .picture)])
            $0.says(Facts.video("a.mp4", "p.jpg", text: "New."))
        },
        Row(
            "a video becomes a picture", [.came()],
            "picture b.jpg*, video a.mp4 (former); New.; replaced: p.jpg; mirrored"
        ) {
            $0.hasVideo()
            $0.saysNew()
        },
        Row("a video becomes its poster", [], "picture p.jpg, video a.mp4 (former); New.; mirrored") {
            $0.hasVideo()
            $0.says(Facts.image("p.jpg", text: "New."))
        },
        Row(
            "a video becomes a page", [.came()], "page a.html*, poster p.jpg, video a.mp4 (former); New.; mirrored"
        ) {
            $0.hasVideo()
            $0.says(Facts.page("a.html", "p.jpg", text: "New."))
        },
        Row("a page becomes a picture", [.came()], "picture b.jpg*; New.; replaced: a.html, p.jpg; mirrored") {
            ($0.former, $0.files) = (Facts.page("a.html", "p.jpg"), [Facts.file("a.html"), Facts.file("p.jpg")])
            $0.saysNew()
        },
        Row("a former video is shown again", [], "video a.mp4, picture a.jpg; New.; mirrored") {
            $0.files.append(Facts.file("a.mp4"))
            $0.files[1].isFormer = true
            $0.says(Facts.video("a.mp4", "p.jpg", text: "New."))
        },
    ]

    private static let further = [
        Row("a second that was lacking, of any age", [.came()], "picture a.jpg, also 2 s.jpg*; Text.; mirrored") {
            $0.lacksSecond()
            $0.isOld()
        },
        Row("a second goes", [], "picture a.jpg, also 2 s.jpg (former); New.; mirrored") {
            $0.hasSecond()
            $0.saysNewText()
        },
        Row("a former second comes back", [], "picture a.jpg, also 2 s.jpg; New.; mirrored") {
            $0.hasSecond()
            $0.files[1].isFormer = true
            ($0.former, $0.record) = (Facts.image("a.jpg"), Facts.beside("a.jpg", "s.jpg", text: "New."))
        },
        Row("another second", [.came()], "picture a.jpg, also 2 t.jpg*; Text.; replaced: s.jpg; mirrored") {
            $0.hasSecond()
            $0.says(Facts.beside("a.jpg", "t.jpg"))
        },
        Row("both change places", [.came(), .came()], "picture s.jpg*, also 2 a.jpg*; Text.; mirrored") {
            $0.hasSecond()
            $0.says(Facts.beside("s.jpg", "a.jpg"))
        },
        Row(
            "another second, gone", [.gone],
            "picture a.jpg, also 2 s.jpg “S”; New.; marked; failed"
        ) {
            $0.hasSecond()
            $0.files[1].alt = "S"
            $0.says(Facts.beside("a.jpg", "t.jpg", text: "New."))
            $0.record!.further = [FurtherPicture(Facts.source("t.jpg"), alt: "T")]
        },
        Row(
            "both change places, and the new first is gone", [.gone, .came()],
            "picture a.jpg, also 2 a.jpg*; Text.; marked; replaced: s.jpg; failed"
        ) {
            $0.hasSecond()
            $0.says(Facts.beside("s.jpg", "a.jpg"))
        },
    ]

    private static let losses = [
        Row("new, not now", [.busy], "failed") { $0.isNew(Facts.image("a.jpg")) },
        Row("new, gone", [.gone], "text; Text.; marked; failed") { $0.isNew(Facts.image("a.jpg")) },
        Row("new, cut", [.cut], "text; Text.; marked; failed") { $0.isNew(Facts.image("a.jpg")) },
        Row("new, the second not now", [.came(), .busy], "picture a.jpg*; Text.; marked; failed") {
            $0.isNew(Facts.beside("a.jpg", "s.jpg"))
        },
        Row("new, the poster gone", [.came(), .gone], "video a.mp4*; Text.; marked; failed") {
            $0.isNew(Facts.video("a.mp4", "p.jpg"))
        },
        Row("another, not now", [.busy], "picture a.jpg; Text.; marked; as old; failed") { $0.saysNew() },
        Row("another, not now, again", [.busy], "failed, later") {
            $0.saysNew()
            ($0.state, $0.awaited) = (.failed, $0.record!.content)
        },
        Row("another, gone", [.gone], "picture a.jpg; New.; marked; failed") { $0.saysNew() },
        Row(
            "another, no picture", [.came(judgement: .refused(why: "x"))],
            "picture a.jpg; Text.; marked; as old; failed"
        ) { $0.saysNew() },
        Row(
            "another, and the decoder was stopped", [.came(judgement: .unanswered(why: "x"))],
            "picture a.jpg; Text.; marked; as old; failed"
        ) { $0.saysNew() },
        Row("another, not now, and a second", [.busy, .came()], "picture a.jpg; Text.; marked; as old; failed") {
            $0.says(Facts.beside("b.jpg", "s.jpg"))
        },
        Row("a question, not now", [.busy], "nothing") { $0.isKnown() },
        Row("a question, not now, and new texts", [.busy], "picture a.jpg; New.; mirrored") {
            $0.isKnown()
            $0.saysNewText()
        },
        Row("a question, not now, after a failure that is marked", [.busy], "failed, later") {
            $0.isKnown()
            ($0.state, $0.awaited) = (.failed, Facts.image("b.jpg").content)
        },
        Row("a question, gone", [.gone], "nothing") { $0.isKnown() },
        Row("the original of a worse copy, gone", [.gone], "downgraded, later") { $0.hasWorseCopy() },
        Row("deleted, asked, not now", [.busy], "pruned, later") { $0.isDeleted(.asked) },
        Row("deleted, asked, no media any more", [], "pruned, later") {
            $0.isDeleted(.asked)
            $0.says(Facts.record(.none))
        },
        Row(
            "another video, its poster not now", [.came(), .busy],
            "video b.mp4*, poster p.jpg; New.; marked; replaced: a.mp4; failed"
        ) {
            $0.hasVideo()
            $0.says(Facts.video("b.mp4", "q.jpg", text: "New."))
        },
    ]

    private static let aside = [
        Row("set aside", [], "nothing") { $0.isReverted() },
        Row("set aside, new texts", [.came()], "picture z.jpg; New.; aside; mirrored") {
            $0.isReverted()
            $0.saysNewText()
        },
        Row("set aside, another", [.came()], "picture b.jpg*; New.; aside; replaced: z.jpg; mirrored") {
            $0.isReverted()
            $0.saysNew()
        },
        Row(
            "set aside, its file lost, and only the other is there", [.came(bytes: "a.jpg")],
            "picture z.jpg; Text.; marked; as old; aside; failed"
        ) {
            $0.isReverted()
            ($0.whole, $0.why) = ([], .repair)
        },
        Row("set aside, asked, not now", [.busy], "picture z.jpg; Text.; marked; as old; failed") {
            $0.isReverted()
            $0.why = .asked
        },
        Row("set aside at the same address, awaited, not now", [.busy], "failed, later") {
            $0.isKnown()
            ($0.state, $0.awaited) = (.failed, $0.former!.content)
        },
        Row("set aside, deleted, asked, not now", [.busy], "text; Text.; as old; pruned, later") {
            $0.isReverted()
            $0.isDeleted(.asked)
        },
        Row("set aside, asked", [.came()], "picture a.jpg*; Text.; replaced: z.jpg; mirrored") {
            $0.isReverted()
            $0.why = .asked
        },
    ]

    @Test(
        "What becomes of an item follows from its plan and what came",
        arguments: nothing + came + further + losses + aside)
    func table(row: Row) throws {
        let plan = row.facts.plan
        let files = plan.step.files
        try #require(files.count == row.answers.count, "\(plan.words)")
        let outcome = try plan.outcome(zip(files, row.answers).map { $1.came($0) })
        #expect(outcome.words == row.outcome)
        let name = FileName(day: row.facts.day, title: row.facts.item == nil ? "A Title" : "First Title")
        guard let document = outcome.document else { return }
        #expect(document.name == name && (document.files.main == nil || document.text("media_type") != "other"))
    }

    @Test("A file that was set aside lends its validators to the one here, so that a third one is noticed")
    func validators() throws {
        var facts = ItemFacts { $0.isReverted(from: "a.jpg") }
        (facts.record, facts.why) = (ItemFacts.image("a.jpg", text: "New."), .recheck)
        facts.files[0].validators = Validators(etag: "\"0\"", modified: nil)
        let plan = facts.plan
        let outcome = try plan.outcome(plan.step.files.map { Answer.came().came($0) })
        #expect(outcome.document?.files.map(\.sha256) == facts.files.map(\.sha256))
        #expect(outcome.document?.files.first?.validators?.etag == "\"1\"")
    }

    private static let full = Problem("write", "/x", code: ENOSPC)

    @Test("Nothing becomes of an item where the refresh ends", arguments: [full, Problem(.stopped)])
    func ends(reason: Problem) {
        let plan = ItemFacts { $0.isNew(Facts.image("a.jpg")) }.plan
        #expect(throws: Problem.self) { try plan.outcome(plan.step.files.map { Answer.not(reason).came($0) }) }
    }

    @Test(
        "An item that the archive refuses fails, unless all others would be refused, too",
        arguments: [
            (full, nil), (Problem("write in", "/x", code: EROFS), nil),
            (Problem(.barred, path: "/x", number: Int(EXDEV)), "failed"),
            (Problem("open", "/x", code: EBUSY), "failed"),
        ])
    func refused(error: Problem, words: String?) {
        #expect((try? ItemFacts().plan.outcome(refused: error))?.words == words)
    }
}
