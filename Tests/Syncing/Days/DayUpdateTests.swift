import Apod
import Archive
import Fetching
import Files
import Glibc
import Testing
import Thumbnails

@testable import Catalog
@testable import Syncing

/// What is known of a day, what came of its files, and what becomes of it.
struct UpdateCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let facts: DayFacts
    let answers: [Answer]
    let update: String

    private typealias Facts = DayFacts

    private init(
        _ words: String, _ answers: [Answer], _ update: String, _ change: (inout DayFacts) -> Void = { _ in }
    ) {
        testDescription = words
        var facts = DayFacts()
        change(&facts)
        (self.facts, self.answers, self.update) = (facts, answers, update)
    }

    private static func other(_ facts: inout DayFacts) { facts.record = Facts.image("b.jpg", text: "New.") }

    private static func known(_ facts: inout DayFacts) { facts.files = [Facts.file("a.jpg", isKnown: true)] }

    static let all = nothing + pictures + videos + failures + aside + further

    private static let nothing = [
        Self("same", [], "nothing"),
        Self("304", [.same], "nothing", known),
        Self("304, and new texts", [.same], "picture a.jpg; New.; mirrored") {
            known(&$0)
            $0.record = Facts.image("a.jpg", text: "New.")
        },
        Self("304, after a failure", [.same], "mirrored") {
            known(&$0)
            $0.state = .failed
        },
        Self("304, after a failure that is marked", [.same], "picture a.jpg; Text.; as old; mirrored") {
            known(&$0)
            $0.state = .failed
            $0.awaited = Facts.image("b.jpg").content
        },
        Self("the bytes that are here", [.came(bytes: "a.jpg")], "picture b.jpg; New.; mirrored", other),
        Self("the bytes that are here, asked", [.came()], "nothing") { $0.why = .asked },
        Self("new texts", [], "picture a.jpg; New.; mirrored") { $0.record = Facts.image("a.jpg", text: "New.") },
        Self("no media any more", [], "picture a.jpg; New.; mirrored") {
            $0.record = Facts.record(.none, text: "New.")
        },
        Self("no media yet", [], "text; Text.; placeholder, later") {
            $0.former = Facts.record(.none)
            $0.isNew()
        },
        Self("no media yet, again", [], "placeholder, later") {
            ($0.former, $0.files, $0.state) = (Facts.record(.none), [], .placeholder)
        },
        Self("pruned, new texts", [], "nothing") {
            ($0.state, $0.record) = (.pruned, Facts.image("b.jpg", text: "New."))
        },
        Self("pruned, damaged JSON", [], "text; Text.; as old; pruned") {
            ($0.state, $0.why, $0.isJSONWhole) = (.pruned, .repair, false)
        },
    ]

    private static let further = [
        Self("a second", [.came()], "picture a.jpg, also 2 s.jpg*; Text.; mirrored") { $0.awaitsSecond() },
        Self("a second that is gone", [.gone], "picture a.jpg; Text.; marked; as old; failed") { $0.awaitsSecond() },
        Self("a second, later", [.busy], "picture a.jpg; Text.; marked; as old; failed") { $0.awaitsSecond() },
        Self(
            "another second", [.came()], "picture a.jpg, also 2 t.jpg*; Text.; replaced: s.jpg; mirrored"
        ) {
            $0.hasSecond()
            $0.record = Facts.beside("a.jpg", "t.jpg")
        },
        Self("another second that is gone", [.gone], "picture a.jpg, also 2 s.jpg; Text.; marked; failed") {
            $0.hasSecond()
            $0.record = Facts.beside("a.jpg", "t.jpg")
        },
        Self("a second, and it goes", [], "picture a.jpg, also 2 s.jpg (former); New.; mirrored") {
            $0.hasSecond()
            $0.record = Facts.image("a.jpg", text: "New.")
        },
        Self("a former second, and it comes back", [], "picture a.jpg, also 2 s.jpg; New.; mirrored") {
            $0.hasSecond()
            $0.files[1].isFormer = true
            ($0.former, $0.record) = (Facts.image("a.jpg"), Facts.beside("a.jpg", "s.jpg", text: "New."))
        },
        Self("a second, and no media any more", [], "picture a.jpg, also 2 s.jpg; New.; mirrored") {
            $0.hasSecond()
            $0.record = Facts.record(.none, text: "New.")
        },
        Self("both change places", [.came(), .came()], "picture s.jpg*, also 2 a.jpg*; Text.; mirrored") {
            $0.hasSecond()
            $0.record = Facts.beside("s.jpg", "a.jpg")
        },
        Self(
            "both change places, and the one that is now the first is gone", [.gone, .came()],
            "picture a.jpg, also 2 a.jpg*; Text.; marked; replaced: s.jpg; failed"
        ) {
            $0.hasSecond()
            $0.record = Facts.beside("s.jpg", "a.jpg")
        },
        Self(
            "another first, the second stays", [.came()],
            "picture b.jpg*, also 2 s.jpg; Text.; replaced: a.jpg; mirrored"
        ) {
            $0.hasSecond()
            $0.record = Facts.beside("b.jpg", "s.jpg")
        },
        Self("another first, later, and a second", [.busy, .came()], "picture a.jpg; Text.; marked; as old; failed") {
            $0.record = Facts.beside("b.jpg", "s.jpg")
        },
        Self(
            "the second's bytes are those of the first", [.came(bytes: "a.jpg")],
            "picture a.jpg, also 2 s.jpg*; Text.; mirrored"
        ) {
            $0.awaitsSecond()
        },
    ]

    private static let pictures = [
        Self("new", [.came()], "picture a.jpg*; Text.; mirrored") { $0.isNew() },
        Self("new, a worse copy", [.came(1)], "picture ra.jpg*; Text.; downgraded, later") {
            $0.former = Facts.image("a.jpg", "ra.jpg")
            $0.isNew()
        },
        Self(
            "another from the same address", [.came(bytes: "x")], "picture a.jpg*; Text.; replaced: a.jpg; mirrored",
            known),
        Self(
            "another that decodes", [.came(finding: .whole)],
            "picture b.jpg*; New.; replaced: a.jpg; mirrored", other),
        Self(
            "another that does not decode", [.came(finding: .refused(why: "cut off"))],
            "picture a.jpg; Text.; marked; as old; failed", other),
        Self(
            "another, and the decoder was stopped", [.came(finding: .unanswered(why: "stopped"))],
            "picture a.jpg; Text.; marked; as old; failed", other),
        Self(
            "another day's, older", [.came(other: Facts.other)], "picture a.jpg; Text.; as old; aside: b.jpg; mirrored"
        ) {
            other(&$0)
            $0.isOld()
        },
        Self("the original of a worse copy", [.came()], "picture a.jpg*; Text.; replaced: ra.jpg; mirrored") {
            $0.hasWorseCopy()
        },
        Self("a lost one", [.came()], "picture a.jpg*; Text.; mirrored") { $0.whole = [] },
    ]

    private static let videos = [
        Self("new", [.came(), .came()], "video a.mp4*, poster p.jpg*; Text.; mirrored") {
            $0.hasVideo()
            $0.isNew()
        },
        Self("a picture becomes one", [.came()], "video a.mp4*, picture a.jpg; New.; mirrored") {
            $0.record = Facts.video("a.mp4", "p.jpg", text: "New.")
        },
        Self("a picture becomes a page", [.came()], "page a.html*, picture a.jpg; New.; mirrored") {
            $0.record = Facts.page("a.html", "p.jpg", text: "New.")
        },
        Self(
            "a worse copy becomes one", [.came(), .came()],
            "video a.mp4*, poster p.jpg*; New.; replaced: ra.jpg; mirrored"
        ) {
            $0.files = [Facts.file("ra.jpg", as: .picture)]
            ($0.former, $0.record) = (Facts.image("ra.jpg"), Facts.video("a.mp4", "p.jpg", text: "New."))
        },
        Self(
            "becomes a picture", [.came()], "picture b.jpg*, video a.mp4 (former); New.; replaced: p.jpg; mirrored"
        ) {
            $0.hasVideo()
            other(&$0)
        },
        Self("becomes its poster", [], "picture p.jpg, video a.mp4 (former); New.; mirrored") {
            $0.hasVideo()
            $0.record = Facts.image("p.jpg", text: "New.")
        },
        Self("becomes a page", [.came()], "page a.html*, poster p.jpg, video a.mp4 (former); New.; mirrored") {
            $0.hasVideo()
            $0.record = Facts.page("a.html", "p.jpg", text: "New.")
        },
        Self("is shown again", [], "video a.mp4, picture a.jpg; New.; mirrored") {
            $0.files.append(Facts.file("a.mp4", isFormer: true))
            $0.record = Facts.video("a.mp4", "p.jpg", text: "New.")
        },
        Self("a lost one comes back", [.came()], "picture a.jpg, video a.mp4* (former); Text.; mirrored") {
            $0.files.append(Facts.file("a.mp4", isFormer: true))
            $0.whole = [$0.files[0]]
        },
        Self("a page becomes a picture", [.came()], "picture b.jpg*; New.; replaced: a.html, p.jpg; mirrored") {
            ($0.former, $0.files) = (Facts.page("a.html", "p.jpg"), [Facts.file("a.html"), Facts.file("p.jpg")])
            other(&$0)
        },
    ]

    private static let failures = [
        Self("new, not now", [.busy], "failed") { $0.isNew() },
        Self("new, gone", [.gone], "text; Text.; marked; failed") { $0.isNew() },
        Self("new, cut", [.cut], "text; Text.; marked; failed") { $0.isNew() },
        Self("another, not now", [.busy], "picture a.jpg; Text.; marked; as old; failed", other),
        Self("another, not now, again", [.busy], "failed, later") {
            other(&$0)
            ($0.state, $0.awaited) = (.failed, $0.record!.content)
        },
        Self("another, gone", [.gone], "picture a.jpg; New.; marked; failed", other),
        Self("pruned, asked, not now", [.busy], "pruned, later") { ($0.state, $0.why) = (.pruned, .asked) },
        Self("pruned, asked, no media any more", [], "pruned, later") {
            ($0.state, $0.why, $0.record) = (.pruned, .asked, Facts.record(.none))
        },
        Self("a question, not now, and new texts", [.busy], "picture a.jpg; New.; marked; failed") {
            known(&$0)
            $0.record = Facts.image("a.jpg", text: "New.")
        },
        Self("a question, gone", [.gone], "nothing", known),
        Self("the original of a worse copy, gone", [.gone], "downgraded, later") { $0.hasWorseCopy() },
        Self("a video came, its poster not now", [.came(), .busy], "video a.mp4*; Text.; marked; failed") {
            $0.hasVideo()
            $0.isNew()
        },
        Self("a video came, its poster is gone", [.came(), .gone], "video a.mp4*; Text.; marked; failed") {
            $0.hasVideo()
            $0.isNew()
        },
        Self(
            "another video came, its poster not now", [.came(), .busy],
            "video b.mp4*, poster p.jpg; New.; marked; replaced: a.mp4; failed"
        ) {
            $0.hasVideo()
            $0.record = Facts.video("b.mp4", "q.jpg", text: "New.")
        },
        Self(
            "another video gone, its poster came", [.gone, .came()], "video a.mp4, poster p.jpg; New.; marked; failed"
        ) {
            $0.hasVideo()
            $0.record = Facts.video("b.mp4", "q.jpg", text: "New.")
        },
    ]

    private static let aside = [
        Self("nothing new", [], "nothing") { $0.isReverted() },
        Self("new texts", [.came()], "picture z.jpg; New.; aside: a.jpg; mirrored") {
            $0.isReverted()
            $0.record = Facts.image("a.jpg", text: "New.")
        },
        Self("the same bytes from elsewhere", [.came(bytes: "a.jpg")], "picture z.jpg; New.; aside: a.jpg; mirrored") {
            $0.isReverted()
            other(&$0)
        },
        Self("another", [.came()], "picture b.jpg*; New.; aside: a.jpg; replaced: z.jpg; mirrored") {
            $0.isReverted()
            other(&$0)
        },
        Self("where nothing else is left", [.came()], "picture a.jpg*; New.; aside: a.jpg; mirrored") {
            $0.isReverted()
            ($0.record, $0.whole) = (Facts.image("a.jpg", text: "New."), [])
        },
        Self("asked", [.came()], "picture a.jpg*; Text.; replaced: z.jpg; mirrored") {
            $0.isReverted()
            $0.why = .asked
        },
    ]
}

struct DayUpdateTests {
    @Test("What becomes of a day is known from what came of its files", arguments: UpdateCase.all)
    func table(one: UpdateCase) throws {
        let plan = one.facts.plan
        let files = plan.step.files
        try #require(files.count == one.answers.count, "\(plan.step.words)")
        let update = try plan.update(with: zip(files, one.answers).map { $1.came($0) })
        #expect(update.words == one.update)
        let name = FileName(day: one.facts.day, title: one.facts.known == nil ? "A Title" : "First Title")
        #expect(update.metadata == nil || update.metadata?.name == name)
    }

    private static let full = StorageError("write", "/x", code: ENOSPC)

    @Test("What becomes of a day is nothing where the refresh ends", arguments: [FetchError.disk(full), .cancelled])
    func ends(reason: FetchError) {
        var facts = DayFacts()
        facts.isNew()
        let plan = facts.plan
        #expect(throws: RefreshError.self) {
            try plan.update(with: plan.step.files.map { Answer.not(reason).came($0) })
        }
    }

    @Test(
        "What becomes of a day whom the archive does not take: only what would be so with all others ends the refresh",
        arguments: [
            (ArchiveError.storage(full), nil), (.readOnly(path: "/x"), nil),
            (.refused(folder: "/x", StorageError("write in", "/x", code: EXDEV)), "failed"),
            (.storage(StorageError("open", "/x", code: EBUSY)), "failed"),
        ])
    func refused(error: ArchiveError, words: String?) {
        let update = try? DayFacts().plan.update(after: error)
        #expect(update?.words == words)
    }

    @Test("What becomes of a day is told when something gives way to what is much smaller, by pixels and else by bytes")
    func smaller() {
        func file(_ type: MediaType, _ bytes: Int, _ width: Int? = nil) -> StoredFile {
            StoredFile(
                role: .picture, type: type, address: DayFacts.address("a.jpg"), bytes: bytes,
                sha256: Digest(of: []), width: width, height: width)
        }
        #expect(file(.jpeg, 900_000, 420).isMuchSmaller(than: file(.jpeg, 900_000, 2000)))
        #expect(!file(.jpeg, 9_000, 2000).isMuchSmaller(than: file(.jpeg, 900_000, 2000)))
        #expect(file(.mp4, 400).isMuchSmaller(than: file(.mp4, 900)))
        #expect(!file(.mp4, 500).isMuchSmaller(than: file(.mp4, 900)))
    }
}
