import Apod
import Archive
import Catalog
import Configuration
import Fetching
import Files
import Glibc
import Testing

@testable import Syncing
@testable import Thumbnails

/// What is known of a day, what came of its files, and what is therefore to be done.
struct OutcomeCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let facts: DayFacts
    let answers: [Answer]
    /// nil: what came is not compared yet.
    let comparison: DayUpdate.Comparison?
    let outcome: String

    private typealias Facts = DayFacts

    private init(
        _ words: String, _ answers: [Answer], others: [String]? = [],
        decoding findings: [String: PictureCheck.Finding] = [:], _ outcome: String,
        _ change: (inout DayFacts) -> Void = { _ in }
    ) {
        func digest(_ name: String) -> Digest { Digest(of: Array(name.utf8)) }
        testDescription = words
        self.answers = answers
        comparison = others.map { names in
            DayUpdate.Comparison(
                others: Dictionary(uniqueKeysWithValues: names.map { (digest($0), Facts.other) }),
                findings: Dictionary(uniqueKeysWithValues: findings.map { (digest($0), $1) }))
        }
        self.outcome = outcome
        var facts = DayFacts()
        change(&facts)
        if facts.record == nil, let former = facts.former { facts.record = Facts.record(former.media, title: "Better") }
        self.facts = facts
    }

    private static func image(_ names: String...) -> Picture {
        Facts.record(.image(Source(names.map(Facts.address))!), title: "Better")
    }

    private static func isLarge(_ facts: inout DayFacts) {
        facts.files = [Facts.file("a.jpg", width: 2000)]
        facts.record = image("b.jpg")
    }

    /// The same, and the new picture comes from where that one came from.
    private static func isLargeThere(_ facts: inout DayFacts) {
        isLarge(&facts)
        facts.record = image("a.jpg")
    }

    /// What is not on the day's page, at an address that promises as much as is here.
    private static func isPromised(_ facts: inout DayFacts) {
        isLarge(&facts)
        facts.record = Facts.record(.image(Source([Facts.address("b.jpg")], width: 2000, height: 1500)!))
        facts.record!.isOnPage = false
    }

    /// A video of so many bytes, and a large poster.
    private static func hasLargeVideo(_ facts: inout DayFacts) {
        facts.hasVideo()
        facts.files = [Facts.file("a.mp4", size: 1001), Facts.file("p.jpg", width: 2000)]
    }

    private static func damaged(_ facts: inout DayFacts) {
        facts.hasVideo()
        (facts.good, facts.record) = ([facts.files[1]], image("p.jpg"))
    }

    private static func changedTitle(_ picture: Picture) -> Picture {
        var picture = picture
        picture.title = "Best"
        return picture
    }

    /// What is here cannot be decoded.
    private static func isCutOff(_ facts: inout DayFacts) {
        (facts.former, facts.record) = (image("a.jpg", "b.jpg"), image("a.jpg", "b.jpg"))
        facts.files = [Facts.file("a.jpg", width: 4000)]
        (facts.state, facts.damaged) = (.failed, facts.files)
    }

    /// What is here is much smaller than one that could not be decoded.
    private static func isSmall(_ facts: inout DayFacts) {
        isCutOff(&facts)
        (facts.files, facts.state) = ([Facts.file("a.jpg", bytes: "s", width: 200)], .downgraded)
    }

    private static func hasWorse(_ facts: inout DayFacts) {
        (facts.former, facts.record) = (image("a.jpg", "b.jpg"), image("a.jpg", "b.jpg"))
        (facts.files, facts.state) = ([Facts.file("b.jpg")], .downgraded)
    }

    private static let full = Answer.not(.disk(StorageError("write", "/x", code: ENOSPC)))
    private static let at = "https://h.example/content/dam/"
    private static let gone = "not there (404)"
    private static let cutOff = "the picture is cut off or damaged: cut off"
    private static let damagedCame = "keep, only a damaged copy can be had now, at \(at)a.jpg: cut off"
    private static let busy = "the server answered 503"
    private static let room = "cannot write /x: no space left on this disk; make room"

    static let all =
        ends + new + corrections + smaller + decoded + worse + damagedPictures + lost + videos + posters + duplicates

    /// What is none of the upstream's.
    private static let ends = [
        Self("the disk is full", [full], "stop, \(room)"),
        Self("the disk is full, a new day", [full], "stop, \(room)") { $0.isNew() },
        Self("the disk is full for a poster", [.came(), full], "stop, \(room)") { $0.hasVideo() },
        Self("the disk is full for a poster, the video is gone", [.gone, full], "stop, \(room)") {
            $0.hasVideo()
            $0.isNew()
        },
        Self("stopped", [.not(.cancelled)], "stop, stopped; the same command goes on from here"),
        Self(
            "stopped, a poster came", [.not(.cancelled), .came()], "stop, stopped; the same command goes on from here"
        ) {
            $0.hasVideo()
            $0.isNew()
        },
        Self(
            "no room for this one", [.not(.noRoom(bytes: 1000))],
            "fail for now, no room on the disk for its 1.0 KB; make room: \(at)a.jpg; failed ×1, "
                + "no room on the disk for its 1.0 KB; make room: \(at)a.jpg"
        ) { $0.isNew() },
    ]

    private static let new = [
        Self("new", [.came()], "store picture a.jpg (new), brings 1; mirrored") { $0.isNew() },
        Self("new, failed before", [.came()], "store picture a.jpg (new), brings 1; mirrored") {
            $0.isNew()
            $0.state = .failed
        },
        Self(
            "new, not known what others bring", [.came()], others: nil, "store picture a.jpg (new), brings 1; mirrored"
        ) {
            $0.isNew()
        },
        Self(
            "new, another day brings the same", [.came()], others: ["a.jpg"],
            "store picture a.jpg (new), brings 1; mirrored"
        ) {
            $0.isNew()
        },
        Self("new, gone: its text", [.gone], "store ; failed ×1, \(gone): \(at)a.jpg") { $0.isNew() },
        Self("new, gone again", [.gone], "store ; failed ×3, later, \(gone): \(at)a.jpg") {
            $0.isNew()
            $0.state = .failed
        },
        Self("new, cut: its text", [.not(.cutShort("x"))], "store ; failed ×1, came incomplete: x: \(at)a.jpg") {
            $0.isNew()
        },
        Self("new, busy", [.busy], "fail for now, \(busy): \(at)a.jpg; failed ×1, \(busy): \(at)a.jpg") { $0.isNew() },
        Self("new, busy again", [.busy], "fail for now, \(busy): \(at)a.jpg; failed ×3, \(busy): \(at)a.jpg") {
            $0.isNew()
            $0.state = .failed
        },
        Self("new, the second best", [.came(1)], "store picture b.jpg (new), worse, brings 1; downgraded ×1, later") {
            $0.record = image("a.jpg", "b.jpg")
            $0.isNew()
        },
        Self("new, only text", [], "store ; placeholder ×1, later") {
            $0.hasText()
            $0.isNew()
        },
        Self("new video", [.came(), .came()], "store video a.mp4 (new), poster p.jpg (new), brings 2; mirrored") {
            $0.hasVideo()
            $0.isNew()
        },
        Self("new video, its poster gone", [.came(), .gone], "store video a.mp4 (new), brings 1; mirrored") {
            $0.hasVideo()
            $0.isNew()
        },
        Self(
            "new video, its poster cut", [.came(), .not(.cutShort("x"))], "store video a.mp4 (new), brings 1; mirrored"
        ) {
            $0.hasVideo()
            $0.isNew()
        },
        Self(
            "new video, its poster busy", [.came(), .busy],
            "store video a.mp4 (new), brings 1; failed ×1, \(busy): \(at)p.jpg"
        ) {
            $0.hasVideo()
            $0.isNew()
        },
        Self(
            "new video, gone, its poster came", [.gone, .came()],
            "store poster p.jpg (new), brings 1; failed ×1, \(gone): \(at)a.mp4"
        ) {
            $0.hasVideo()
            $0.isNew()
        },
        Self(
            "new video, busy, its poster came", [.busy, .came()],
            "fail for now, \(busy): \(at)a.mp4; failed ×1, \(busy): \(at)a.mp4"
        ) {
            $0.hasVideo()
            $0.isNew()
        },
        Self(
            "new page: only its poster can be another day's", [.came(), .came()],
            "store page a.html (new), poster p.jpg (new), brings 1; mirrored"
        ) {
            $0.hasPage()
            $0.isNew()
        },
    ]

    /// Of a day that is here.
    private static let corrections = [
        Self("the same picture", [.came()], "store picture a.jpg (new); mirrored"),
        Self(
            "the same picture, not known what others bring", [.came()], others: nil,
            "store picture a.jpg (new); mirrored"),
        Self("the same picture without asking", [.here], "store picture a.jpg; mirrored") {
            ($0.record, $0.isAgain) = ($0.former, true)
        },
        Self("another picture", [.came(bytes: "x")], "store picture a.jpg (new); mirrored"),
        Self(
            "another picture that cannot be decoded", [.came(bytes: "x")], decoding: ["x": .damaged(why: "read error")],
            "keep, what can be had now, at \(at)a.jpg, cannot be decoded: read error"),
        Self(
            "another picture that cannot be decoded, failed before", [.came(bytes: "x")],
            decoding: ["x": .damaged(why: "read error")],
            "keep, what can be had now, at \(at)a.jpg, cannot be decoded: read error; failed ×3, later, before"
        ) { $0.state = .failed },
        Self(
            "another picture, and others cannot be decoded", [.came(bytes: "x")],
            decoding: ["y": .damaged(why: "read error")],
            "store picture a.jpg (new); mirrored"),
        Self(
            "a video and a poster that cannot be decoded", [.came(bytes: "x"), .came(bytes: "y")],
            decoding: ["y": .damaged(why: "read error")],
            "store video a.mp4 (new), poster p.jpg; mirrored"
        ) { $0.hasVideo() },
        Self(
            "a picture with sides of a fifth", [.came(bytes: "x", width: 400)], "store picture b.jpg (new); mirrored",
            isLarge),
        Self(
            "a picture with smaller sides", [.came(bytes: "x", width: 396)],
            "keep, only a worse copy can be had now, at \(at)b.jpg", isLarge),
        Self(
            "a picture with smaller sides, beside a worse one", [.came(bytes: "x", width: 396)],
            "keep, only a worse copy can be had now, at \(at)b.jpg; downgraded ×3, later"
        ) {
            isLarge(&$0)
            $0.state = .downgraded
        },
        Self(
            "a picture with smaller sides, where small ones are wanted", [.came(bytes: "x", width: 396)],
            "store picture b.jpg (new); mirrored"
        ) {
            isLarge(&$0)
            $0.settings.pictures = .screen
        },
        Self(
            "a picture of four fifths of what was promised", [.came(bytes: "x", width: 1792)],
            "store picture b.jpg (new); mirrored", isPromised),
        Self(
            "a smaller picture than was promised", [.came(bytes: "x", width: 1788)],
            "keep, only a worse copy can be had now, at \(at)b.jpg", isPromised),
        Self(
            "a smaller picture than was promised, and decoding shows that it is", [.came(bytes: "x", width: 2000)],
            decoding: ["x": .whole(pixels: 2_399_999)], "keep, only a worse copy can be had now, at \(at)b.jpg",
            isPromised),
        Self(
            "a smaller picture than was promised, in place of a damaged one", [.came(bytes: "x", width: 1788)],
            "store picture b.jpg (new); mirrored ×3, later"
        ) {
            isPromised(&$0)
            ($0.state, $0.damaged) = (.failed, $0.files)
        },
        Self(
            "a smaller picture than was promised, where small ones are wanted", [.came(bytes: "x", width: 1036)],
            "store picture b.jpg (new); mirrored"
        ) {
            isPromised(&$0)
            $0.settings.pictures = .screen
        },
        Self(
            "a picture that was promised, smaller than a screen", [.came(bytes: "x", width: 1032)],
            "keep, only a worse copy can be had now, at \(at)b.jpg"
        ) {
            isPromised(&$0)
            $0.settings.pictures = .screen
        },
        Self(
            "a smaller picture in place of a video, not on the page", [.came(width: 400)],
            "store picture b.jpg (new); mirrored"
        ) {
            hasLargeVideo(&$0)
            isPromised(&$0)
            hasLargeVideo(&$0)
        },
        Self(
            "a picture of four fifths, from the same address", [.came(bytes: "x", width: 1792)],
            "store picture a.jpg (new); mirrored", isLargeThere),
        Self(
            "a smaller picture from the same address", [.came(bytes: "x", width: 1788)],
            "keep, only a worse copy can be had now, at \(at)a.jpg", isLargeThere),
        Self(
            "a smaller picture from the same address, where small ones are wanted",
            [.came(bytes: "x", width: 1788)], "keep, only a worse copy can be had now, at \(at)a.jpg"
        ) {
            isLargeThere(&$0)
            $0.settings.pictures = .screen
        },
        Self(
            "a smaller picture in place of a damaged one", [.came(bytes: "x", width: 1788)],
            "store picture a.jpg (new); mirrored ×3, later"
        ) {
            isLargeThere(&$0)
            ($0.state, $0.damaged) = (.failed, $0.files)
        },
        Self(
            "a second best that is smaller than before", [.came(1, bytes: "x", width: 1788)],
            "keep, only a worse copy can be had now, at \(at)b.jpg; downgraded ×3, later"
        ) {
            hasWorse(&$0)
            $0.files = [Facts.file("b.jpg", width: 2000)]
            $0.record = changedTitle(image("a.jpg", "b.jpg"))
        },
        Self(
            "a video of half the bytes from the same address", [.came(bytes: "x", size: 500), .came()],
            "store video a.mp4 (new), poster p.jpg (new); mirrored", hasLargeVideo),
        Self(
            "a video of less", [.came(bytes: "x", size: 499), .came()],
            "keep, only a worse copy can be had now, at \(at)a.mp4", hasLargeVideo),
        Self(
            "a page of less", [.came(bytes: "x", size: 499), .came()],
            "store page a.html (new), poster p.jpg (new); mirrored"
        ) {
            $0.hasPage()
            $0.files = [Facts.file("a.html", size: 1001), Facts.file("p.jpg")]
        },
        Self(
            "a video of less from another address", [.came(bytes: "x", size: 499), .came()],
            "store video b.mp4 (new), poster p.jpg (new); mirrored"
        ) {
            hasLargeVideo(&$0)
            $0.record = Facts.video("b.mp4", "p.jpg")
        },
        Self(
            "a smaller poster from the same address", [.came(bytes: "x", size: 999), .came(bytes: "y", width: 1788)],
            "store video a.mp4 (new), poster p.jpg; mirrored", hasLargeVideo),
        Self("gone: the text is corrected", [.gone], "store picture a.jpg; mirrored"),
        Self("gone, failed before", [.gone], "store picture a.jpg; mirrored") { $0.state = .failed },
        Self("another one is gone", [.gone], "keep, \(gone): \(at)b.jpg") { $0.record = image("b.jpg") },
        Self(
            "another one is gone, failed before", [.gone], "keep, \(gone): \(at)b.jpg; failed ×3, later, before"
        ) { ($0.record, $0.state) = (image("b.jpg"), .failed) },
        Self("busy", [.busy], "fail for now, \(busy): \(at)a.jpg"),
        Self("busy, failed before", [.busy], "fail for now, \(busy): \(at)a.jpg; failed ×3, \(busy): \(at)a.jpg") {
            $0.state = .failed
        },
        Self("cut", [.not(.cutShort("x"))], "fail for now, came incomplete: x: \(at)a.jpg"),
        Self("text becomes text", [], "store ; placeholder ×3, later") { $0.hasText() },
        Self("text becomes a picture", [.came()], others: nil, "store picture a.jpg (new); mirrored") {
            $0.hasText()
            $0.record = image("a.jpg")
        },
        Self("text becomes a picture that is gone", [.gone], "store ; failed ×3, later, \(gone): \(at)a.jpg") {
            $0.hasText()
            $0.record = image("a.jpg")
        },
        Self(
            "a picture becomes a video without a poster: the picture is its poster", [.came(), .here],
            "store video a.mp4 (new), poster a.jpg; mirrored"
        ) { $0.record = Facts.video("a.mp4", nil) },
        Self(
            "a picture becomes a page without a poster: the picture is its poster", [.came(), .here],
            "store page a.html (new), poster a.jpg; mirrored"
        ) { $0.record = Facts.page("a.html", nil) },
        Self(
            "a picture becomes a video, its poster gone: the picture", [.came(), .gone],
            "store video a.mp4 (new), poster a.jpg; mirrored"
        ) { $0.record = Facts.video("a.mp4", "p.jpg") },
        Self("a picture becomes a video that is gone", [.gone, .came()], "keep, \(gone): \(at)a.mp4") {
            $0.record = Facts.video("a.mp4", "p.jpg")
        },
        Self(
            "a picture becomes a page, nothing compared", [.came(), .came()], others: nil, "compare 1 with a.jpg"
        ) { $0.record = Facts.page("a.html", "p.jpg") },
        Self(
            "a picture becomes a page", [.came(), .came()], "store page a.html (new), poster p.jpg (new); mirrored"
        ) { $0.record = Facts.page("a.html", "p.jpg") },
        Self(
            "a picture becomes a page, with a poster of a twenty-fifth", [.came(), .came(width: 400)],
            "store page a.html (new), poster p.jpg (new); mirrored"
        ) {
            isLarge(&$0)
            $0.record = Facts.page("a.html", "p.jpg")
        },
        Self(
            "a picture becomes a page, with a tiny poster: the picture", [.came(), .came(width: 396)],
            "store page a.html (new), poster a.jpg; mirrored"
        ) {
            isLarge(&$0)
            $0.record = Facts.page("a.html", "p.jpg")
        },
        Self(
            "a picture becomes a video, with a tiny poster: the picture", [.came(size: 1), .came(width: 4)],
            "store video a.mp4 (new), poster a.jpg; mirrored"
        ) {
            isLarge(&$0)
            $0.record = Facts.video("a.mp4", "p.jpg")
        },
        Self(
            "a picture becomes a video, with a poster that cannot be decoded: the picture",
            [.came(), .came(bytes: "y")], decoding: ["y": .damaged(why: "read error")],
            "store video a.mp4 (new), poster a.jpg; mirrored"
        ) { $0.record = Facts.video("a.mp4", "p.jpg") },
        Self(
            "a picture becomes a video, others have its poster: the picture", [.came(), .came(bytes: "y")],
            others: ["y"], "store video a.mp4 (new), poster a.jpg; mirrored"
        ) { $0.record = Facts.video("a.mp4", "p.jpg") },
        Self(
            "a video becomes a picture", [.came(width: 400)], "store picture b.jpg (new); mirrored"
        ) {
            hasLargeVideo(&$0)
            $0.record = image("b.jpg")
        },
        Self(
            "a video becomes a tiny picture", [.came(width: 396)],
            "keep, only a worse copy can be had now, at \(at)b.jpg"
        ) {
            hasLargeVideo(&$0)
            $0.record = image("b.jpg")
        },
        Self(
            "a video without a poster becomes a picture", [.came(width: 112)], "store picture b.jpg (new); mirrored"
        ) {
            $0.hasVideo()
            ($0.files, $0.record) = ([$0.files[0]], image("b.jpg"))
        },
        Self(
            "a video without a poster becomes a tiny picture", [.came(width: 108)],
            "keep, only a worse copy can be had now, at \(at)b.jpg"
        ) {
            $0.hasVideo()
            ($0.files, $0.record) = ([$0.files[0]], image("b.jpg"))
        },
        Self(
            "a page without a poster becomes a picture", [.came(width: 4)], "store picture b.jpg (new); mirrored"
        ) {
            $0.hasPage()
            ($0.files, $0.record) = ([$0.files[0]], image("b.jpg"))
        },
        Self(
            "a video of a twenty-fifth from another address", [.came(bytes: "x", size: 40), .came()],
            "store video b.mp4 (new), poster p.jpg (new); mirrored"
        ) {
            hasLargeVideo(&$0)
            $0.record = Facts.video("b.mp4", "p.jpg")
        },
        Self(
            "a tiny video from another address", [.came(bytes: "x", size: 39), .came()],
            "keep, only a worse copy can be had now, at \(at)b.mp4"
        ) {
            hasLargeVideo(&$0)
            $0.record = Facts.video("b.mp4", "p.jpg")
        },
        Self(
            "a tiny poster from another address", [.came(bytes: "x", size: 999), .came(bytes: "y", width: 396)],
            "store video a.mp4 (new), poster p.jpg; mirrored"
        ) {
            hasLargeVideo(&$0)
            $0.record = Facts.video("a.mp4", "q.jpg")
        },
        Self(
            "a poster of a twenty-fifth from another address",
            [.came(bytes: "x", size: 999), .came(bytes: "y", width: 400)],
            "store video a.mp4 (new), poster q.jpg (new); mirrored"
        ) {
            hasLargeVideo(&$0)
            $0.record = Facts.video("a.mp4", "q.jpg")
        },
    ]

    private static let smaller = [
        Self(
            "a tiny picture, where small ones are wanted", [.came(bytes: "x", width: 228)],
            "keep, only a worse copy can be had now, at \(at)b.jpg"
        ) {
            isLarge(&$0)
            $0.settings.pictures = .screen
        },
        Self(
            "a small picture, where small ones are wanted", [.came(bytes: "x", width: 232)],
            "store picture b.jpg (new); mirrored"
        ) {
            isLarge(&$0)
            $0.settings.pictures = .screen
        },
        Self(
            "what came was decoded by nobody, as little as what is here", [.came(bytes: "x")],
            decoding: ["a.jpg": .unanswered(why: "killed"), "x": .unanswered(why: "killed")],
            "fail for now, what can be had now, at \(at)a.jpg, could not be looked at: killed"),
        Self(
            "what came was decoded by nobody, failed before", [.came(bytes: "x")],
            decoding: ["x": .unanswered(why: "killed")],
            "fail for now, what can be had now, at \(at)a.jpg, could not be looked at: killed; failed ×3, "
                + "what can be had now, at \(at)a.jpg, could not be looked at: killed"
        ) { $0.state = .failed },
        Self(
            "a new poster was decoded by nobody", [.came(), .came(bytes: "y")],
            decoding: ["y": .unanswered(why: "stopped")],
            "fail for now, what can be had now, at \(at)p.jpg, could not be looked at: stopped"
        ) { $0.hasVideo() },
        Self(
            "what came was decoded by nobody, and is tiny", [.came(bytes: "x", width: 200)],
            decoding: ["x": .unanswered(why: "killed")], "keep, only a worse copy can be had now, at \(at)b.jpg",
            isLarge),
    ]

    private static func claims(_ width: Int, size: Int? = nil) -> (inout DayFacts) -> Void {
        {
            $0.files = [Facts.file("a.jpg", size: size, width: width)]
            $0.record = image("b.jpg")
        }
    }

    /// What decoding has shown counts, not what a picture says of itself.
    private static let decoded = [
        Self(
            "what is here is known to be damaged, and much smaller comes", [.came(bytes: "x", width: 200)],
            decoding: ["a.jpg": .damaged(why: "cut off"), "x": .whole(pixels: 200 * 150)],
            "store picture a.jpg (new), worse; downgraded ×3, later", isCutOff),
        Self(
            "neither the new picture nor the video's poster can be decoded", [.came(bytes: "x", width: 2000)],
            decoding: ["p.jpg": .unknown(why: "too large"), "x": .unknown(why: "too large")],
            "keep, what can be had now, at \(at)b.jpg, cannot be decoded: too large"
        ) {
            hasLargeVideo(&$0)
            $0.record = image("b.jpg")
        },
        Self(
            "a damaged picture becomes a video with a tiny poster", [.came(), .came(bytes: "y", width: 4)],
            decoding: ["a.jpg": .damaged(why: "cut off"), "y": .whole(pixels: 12)],
            "store video a.mp4 (new), poster p.jpg (new); mirrored"
        ) {
            isLarge(&$0)
            $0.record = Facts.video("a.mp4", "p.jpg")
        },
        Self(
            "pictures of no known size, the new one is tiny", [.came(bytes: "x")],
            decoding: ["a.jpg": .whole(pixels: 1000), "x": .whole(pixels: 39)],
            "keep, only a worse copy can be had now, at \(at)b.jpg"
        ) { $0.record = image("b.jpg") },
        Self(
            "pictures of no known size, the new one is not tiny", [.came(bytes: "x")],
            decoding: ["a.jpg": .whole(pixels: 1000), "x": .whole(pixels: 40)], "store picture b.jpg (new); mirrored"
        ) { $0.record = image("b.jpg") },
        Self(
            "pictures of no known size from one address, the new one is smaller", [.came(bytes: "x")],
            decoding: ["a.jpg": .whole(pixels: 1000), "x": .whole(pixels: 799)],
            "keep, only a worse copy can be had now, at \(at)a.jpg"),
        Self(
            "the new one says that it is large, and is not", [.came(bytes: "x", width: 2000)],
            decoding: ["a.jpg": .whole(pixels: 3_000_000), "x": .whole(pixels: 1)],
            "keep, only a worse copy can be had now, at \(at)b.jpg", isLarge),
        Self(
            "what is here says that it is large, and is not", [.came(bytes: "x", width: 2000)],
            decoding: ["a.jpg": .whole(pixels: 1), "x": .whole(pixels: 3_000_000)],
            "store picture b.jpg (new); mirrored", claims(20000)),
        Self(
            "what is here says that it is large, and is damaged", [.came(bytes: "x", width: 2000)],
            decoding: ["a.jpg": .damaged(why: "cut off"), "x": .whole(pixels: 3_000_000)],
            "store picture b.jpg (new); mirrored", claims(20000)),
        Self(
            "what is here has more pixels than so many bytes can have", [.came(bytes: "x", width: 2000)],
            decoding: ["a.jpg": .unknown(why: "too large"), "x": .whole(pixels: 3_000_000)],
            "store picture b.jpg (new); mirrored", claims(20000, size: 69)),
        Self(
            "what is here is too large for the decoder", [.came(bytes: "x", width: 2000)],
            decoding: ["a.jpg": .unknown(why: "too large"), "x": .whole(pixels: 3_000_000)],
            "keep, only a worse copy can be had now, at \(at)b.jpg", claims(20000, size: 80_000)),
        Self(
            "both are too large for the decoder", [.came(bytes: "x", width: 20000)],
            decoding: ["a.jpg": .unknown(why: "too large"), "x": .unknown(why: "too large")],
            "store picture b.jpg (new); mirrored", claims(20000, size: 80_000)),
        Self(
            "the new one is too large for the decoder", [.came(bytes: "x", width: 2000)],
            decoding: ["a.jpg": .whole(pixels: 3_000_000), "x": .unknown(why: "too large")],
            "keep, what can be had now, at \(at)b.jpg, cannot be decoded: too large", isLarge),
        Self(
            "the new one is too large for the decoder, what is here damaged", [.came(bytes: "x", width: 2000)],
            decoding: ["a.jpg": .damaged(why: "cut off"), "x": .unknown(why: "too large")],
            "store picture b.jpg (new); mirrored", isLarge),
        Self(
            "the poster that is here is damaged, and others have what comes",
            [.came(bytes: "x", size: 999), .came(bytes: "y", width: 4)], others: ["y"],
            decoding: ["p.jpg": .damaged(why: "cut off"), "y": .whole(pixels: 12)],
            "store video a.mp4 (new), poster p.jpg (new); mirrored", hasLargeVideo),
        Self(
            "both are damaged", [.came(bytes: "x", width: 2000)],
            decoding: ["a.jpg": .damaged(why: "cut off"), "x": .damaged(why: "cut off")],
            "keep, what can be had now, at \(at)b.jpg, cannot be decoded: cut off", isLarge),
        Self(
            "both posters are damaged", [.came(bytes: "x", size: 999), .came(bytes: "y", width: 4)],
            decoding: ["p.jpg": .damaged(why: "cut off"), "y": .damaged(why: "cut off")],
            "store video a.mp4 (new), poster p.jpg; failed ×1, later, \(cutOff)", hasLargeVideo),
        Self(
            "the poster that is here is damaged", [.came(bytes: "x", size: 999), .came(bytes: "y", width: 4)],
            decoding: ["p.jpg": .damaged(why: "cut off"), "y": .whole(pixels: 12)],
            "store video a.mp4 (new), poster p.jpg (new); mirrored", hasLargeVideo),
    ]

    private static let worse = [
        Self("only the second best came", [.came(1)], "keep, only a worse copy can be had now, at \(at)b.jpg") {
            $0.record = image("c.jpg", "b.jpg")
        },
        Self(
            "only the second best came, the best is damaged", [.came(1)],
            "store picture b.jpg (new), worse; downgraded ×1, later"
        ) {
            ($0.record, $0.good) = (image("a.jpg", "b.jpg"), [])
        },
        Self("gone, the second best is here", [.gone], "store picture b.jpg, worse; downgraded ×3, later", hasWorse),
        Self(
            "gone, the second best is here, the record is the same", [.here],
            "store picture b.jpg, worse; downgraded ×3, later", hasWorse),
        Self(
            "gone, the second best is here, failed before", [.gone],
            "store picture b.jpg, worse; downgraded ×3, later"
        ) {
            hasWorse(&$0)
            $0.state = .failed
        },
        Self("the second best again", [.came(1)], "store picture b.jpg (new), worse; downgraded ×3, later", hasWorse),
        Self("the best came behind the second best", [.came()], "store picture a.jpg (new); mirrored", hasWorse),
        Self("a worse copy stays one", [.here], "store picture b.jpg, worse; downgraded ×3, later") {
            hasWorse(&$0)
            $0.record = image("c.jpg")
            $0.record!.isOnPage = false
        },
    ]

    /// Against what is here, whole or not: what is damaged, worse or as good as can be.
    private static let damagedPictures = [
        Self("damaged, the same comes", [.came()], "store picture a.jpg (new); failed ×3, later, \(cutOff)", isCutOff),
        Self("damaged, gone", [.gone], "store picture a.jpg; failed ×3, later, \(cutOff)", isCutOff),
        Self("damaged, busy", [.busy], "fail for now, \(busy): \(at)a.jpg; failed ×3, \(busy): \(at)a.jpg", isCutOff),
        Self(
            "damaged, another comes, which may be damaged, too", [.came(bytes: "x", width: 4000)],
            "store picture a.jpg (new); mirrored ×3, later", isCutOff),
        Self(
            "damaged, another comes of no known size", [.came(bytes: "x")],
            "store picture a.jpg (new); mirrored ×3, later", isCutOff),
        Self(
            "damaged, a little smaller comes", [.came(bytes: "x", width: 3800)],
            "store picture a.jpg (new); mirrored ×3, later", isCutOff),
        Self(
            "damaged, much smaller comes", [.came(bytes: "x", width: 200)],
            "store picture a.jpg (new), worse; downgraded ×3, later", isCutOff),
        Self(
            "damaged, another comes for another record", [.came(bytes: "x", width: 200)], others: nil,
            "compare 1 with a.jpg"
        ) {
            isCutOff(&$0)
            $0.record = Facts.record($0.former!.media, title: "Best")
        },
        Self(
            "damaged, much smaller comes for another record, as no other day's", [.came(bytes: "x", width: 200)],
            "store picture a.jpg (new); mirrored ×3, later"
        ) {
            isCutOff(&$0)
            $0.record = Facts.record($0.former!.media, title: "Best")
        },
        Self(
            "damaged, the second best comes", [.came(1)], "store picture b.jpg (new), worse; downgraded ×3, later",
            isCutOff),
        Self(
            "damaged, others bring what comes", [.came(bytes: "x")], others: ["x"],
            "keep, the upstream sends one picture for several days, also for 2026-10-20; failed ×3, later, before",
            isCutOff),
        Self(
            "damaged, the record shows another, which is gone", [.gone],
            "fail, \(gone): \(at)c.jpg; failed ×3, later, \(gone): \(at)c.jpg"
        ) {
            isCutOff(&$0)
            $0.record = image("c.jpg")
        },
        Self("damaged, the same comes, the record shows something of no size", [.came()], "again: fetch picture b.jpg*")
        {
            isCutOff(&$0)
            $0.record = image("b.jpg")
            $0.record!.isOnPage = false
        },
        Self(
            "a damaged poster comes again, its video is gone, the record shows another picture",
            [.gone, .came(bytes: "y")], "again: fetch picture p.jpg*"
        ) {
            damaged(&$0)
            $0.damaged = [Facts.file("p.jpg")]
        },
        Self("damaged, gone, the record shows something of no size", [.gone], "again: fetch picture b.jpg*") {
            isCutOff(&$0)
            $0.record = image("b.jpg")
            $0.record!.isOnPage = false
        },
        Self(
            "damaged, whole again, the record shows something of no size", [.came(bytes: "x")],
            "store picture a.jpg (new); mirrored ×3, later"
        ) {
            isCutOff(&$0)
            $0.record = image("b.jpg")
            $0.record!.isOnPage = false
        },
        Self("whole, a damaged one comes", [.came(bytes: "x")], damagedCame) {
            $0.damaged = [Facts.file("a.jpg", bytes: "x")]
        },
        Self("worse, a damaged one comes", [.came()], "\(damagedCame); downgraded ×3, later") {
            hasWorse(&$0)
            $0.damaged = [Facts.file("a.jpg")]
        },
        Self(
            "worse, another comes behind a damaged one", [.came(bytes: "x")],
            "store picture a.jpg (new); mirrored ×3, later"
        ) {
            hasWorse(&$0)
            $0.damaged = [Facts.file("a.jpg")]
        },
        Self("small, the same comes", [.came(bytes: "s", width: 200)], "\(small); downgraded ×3, later", isSmall),
        Self("small, a larger one comes", [.came(bytes: "x", width: 400)], "\(small); downgraded ×3, later", isSmall),
        Self("small, gone", [.gone], "store picture a.jpg, worse; downgraded ×3, later", isSmall),
        Self(
            "small, a smaller one comes", [.came(bytes: "x", width: 100)],
            "keep, only a worse copy can be had now, at \(at)a.jpg; downgraded ×3, later", isSmall),
        Self("small, a damaged one comes", [.came(width: 4000)], "\(damagedCame); downgraded ×3, later", isSmall),
        Self(
            "small, the one that is meant comes", [.came(bytes: "x", width: 4000)],
            "store picture a.jpg (new); mirrored ×3, later", isSmall),
        Self("a whole picture comes where none was damaged", [.came(bytes: "x")], "store picture a.jpg (new); mirrored")
        {
            $0.state = .failed
        },
        Self(
            "a poster is damaged, the same comes", [.here, .came()],
            "store video a.mp4, poster p.jpg (new); failed ×3, later, \(cutOff)"
        ) {
            $0.hasVideo()
            ($0.state, $0.damaged, $0.record) = (.failed, [$0.files[1]], $0.former)
        },
        Self(
            "a poster is damaged, another comes", [.here, .came(bytes: "x")],
            "store video a.mp4, poster p.jpg (new); mirrored ×3, later"
        ) {
            $0.hasVideo()
            ($0.state, $0.damaged, $0.record) = (.failed, [$0.files[1]], $0.former)
        },
        Self("a poster is whole, a damaged one comes", [.came(), .came(bytes: "x")], "\(videoStays); mirrored") {
            $0.hasVideo()
            $0.damaged = [Facts.file("p.jpg", bytes: "x")]
        },
    ]
    private static let small = "store picture a.jpg (new), worse"
    private static let videoStays = "store video a.mp4 (new), poster p.jpg"

    private static let lost = [
        Self("lost, comes again", [.came(bytes: "x")], others: nil, "store picture a.jpg (new); mirrored") {
            $0.good = []
        },
        Self("lost, gone", [.gone], "fail, \(gone): \(at)a.jpg; failed ×1, \(gone): \(at)a.jpg") { $0.good = [] },
        Self("lost, busy", [.busy], "fail for now, \(busy): \(at)a.jpg; failed ×1, \(busy): \(at)a.jpg") {
            $0.good = []
        },
        Self("pruned, comes again", [.came()], others: nil, "store picture a.jpg (new); mirrored") {
            ($0.state, $0.good) = (.pruned, [])
        },
        Self("pruned, gone", [.gone], "fail, \(gone): \(at)a.jpg; pruned ×3, later, \(gone): \(at)a.jpg") {
            ($0.state, $0.good) = (.pruned, [])
        },
        Self("pruned, busy", [.busy], "fail for now, \(busy): \(at)a.jpg; pruned ×3, \(busy): \(at)a.jpg") {
            ($0.state, $0.good) = (.pruned, [])
        },
    ]

    /// The record shows something else.
    private static let videos = [
        Self("a video stays, its poster shown", [.here, .here], "store video a.mp4, poster p.jpg; mirrored") {
            $0.hasVideo()
            $0.record = image("p.jpg")
        },
        Self(
            "a page stays, an empty block", [.came(), .here], others: nil,
            "store page a.html (new), poster p.jpg; mirrored"
        ) {
            $0.hasPage()
            $0.record = Facts.record(.none)
        },
        Self(
            "a damaged video comes again", [.came(), .here], "store video a.mp4 (new), poster p.jpg; mirrored", damaged),
        Self("a damaged video is gone", [.gone, .here], "again: fetch picture p.jpg*", damaged),
        Self(
            "a damaged video is gone, an empty block", [.gone, .here],
            "again: keep, NASA has no picture for it any more"
        ) {
            damaged(&$0)
            $0.record = Facts.record(.none)
        },
        Self(
            "a damaged video is busy", [.busy, .here],
            "fail for now, \(busy): \(at)a.mp4; failed ×1, \(busy): \(at)a.mp4", damaged),
        Self(
            "a damaged video breaks off", [.not(.cutShort("x")), .here],
            "fail for now, came incomplete: x: \(at)a.mp4; failed ×1, came incomplete: x: \(at)a.mp4", damaged),
        Self(
            "a damaged video is gone, and still shown", [.gone, .came()],
            "fail, \(gone): \(at)a.mp4; failed ×1, \(gone): \(at)a.mp4"
        ) {
            damaged(&$0)
            $0.record = nil
        },
        Self(
            "a damaged video is gone, and still shown without its poster", [.gone, .here],
            "fail, \(gone): \(at)a.mp4; failed ×1, \(gone): \(at)a.mp4"
        ) {
            damaged(&$0)
            $0.record = Facts.video("a.mp4", nil)
        },
        Self(
            "a damaged video was gone before, and so is what is shown", [.gone],
            "fail, \(gone): \(at)p.jpg; failed ×1, \(gone): \(at)p.jpg"
        ) {
            damaged(&$0)
            $0.lost = $0.files
        },
    ]

    private static let posters = [
        Self("a poster is gone", [.came(), .gone], "store video a.mp4 (new), poster p.jpg; mirrored") { $0.hasVideo() },
        Self("another poster is gone", [.came(), .gone], "store video a.mp4 (new), poster p.jpg; mirrored") {
            $0.hasVideo()
            $0.record = Facts.video("a.mp4", "q.jpg")
        },
        Self(
            "a poster is busy", [.came(), .busy],
            "store video a.mp4 (new), poster p.jpg; failed ×1, \(busy): \(at)p.jpg"
        ) { $0.hasVideo() },
        Self("a lost poster is gone", [.came(), .gone], "store video a.mp4 (new); mirrored") {
            $0.hasVideo()
            $0.good = [$0.files[0]]
        },
        Self("a video is gone, its poster came", [.gone, .came()], "store video a.mp4, poster p.jpg (new); mirrored") {
            $0.hasVideo()
        },
    ]

    private static let oneFor = "for several days, also for 2026-10-20"

    /// What another day of the answer brings, too.
    private static let duplicates = [
        Self("another picture, not known what others bring", [.came(bytes: "x")], others: nil, "compare 1 with a.jpg"),
        Self(
            "another picture, others bring another", [.came(bytes: "x")], others: ["y"],
            "store picture a.jpg (new); mirrored"),
        Self(
            "another picture, others bring it", [.came(bytes: "x")], others: ["x"],
            "keep, the upstream sends one picture \(oneFor)"),
        Self(
            "another picture, others bring it, failed before", [.came(bytes: "x")], others: ["x"],
            "keep, the upstream sends one picture \(oneFor); failed ×3, later, before"
        ) { $0.state = .failed },
        Self("the same picture, others bring it", [.came()], others: ["a.jpg"], "store picture a.jpg (new); mirrored"),
        Self(
            "a lost picture, others bring it", [.came(bytes: "x")], others: ["x"], "store picture a.jpg (new); mirrored"
        ) {
            $0.good = []
        },
        Self(
            "the first picture, others bring it", [.came(bytes: "x")], others: ["x"],
            "store picture a.jpg (new); mirrored"
        ) {
            $0.hasText()
            $0.record = image("a.jpg")
        },
        Self(
            "a better picture, others bring it", [.came(bytes: "x")], others: ["x"],
            "keep, the upstream sends one picture \(oneFor); downgraded ×3, later", hasWorse),
        Self(
            "a picture becomes a video that others bring", [.came(), .came()], others: ["a.mp4"],
            "keep, the upstream sends one video \(oneFor)"
        ) { $0.record = Facts.video("a.mp4", "p.jpg") },
        Self(
            "a video and its poster, not known what others bring", [.came(bytes: "x"), .came(bytes: "y")], others: nil,
            "compare 2 with p.jpg"
        ) { $0.hasVideo() },
        Self(
            "a video and its poster, others bring neither", [.came(bytes: "x"), .came(bytes: "y")],
            "store video a.mp4 (new), poster p.jpg (new); mirrored"
        ) { $0.hasVideo() },
        Self(
            "a video and its poster, others bring the video", [.came(bytes: "x"), .came(bytes: "y")], others: ["x"],
            "keep, the upstream sends one video \(oneFor)"
        ) { $0.hasVideo() },
        Self(
            "a video and its poster, others bring the poster", [.came(bytes: "x"), .came(bytes: "y")], others: ["y"],
            "store video a.mp4 (new), poster p.jpg; mirrored"
        ) { $0.hasVideo() },
        Self(
            "a video and its poster, others bring both", [.came(bytes: "x"), .came(bytes: "y")], others: ["y", "x"],
            "keep, the upstream sends one video \(oneFor)"
        ) { $0.hasVideo() },
        Self(
            "a new poster, others bring it", [.came(), .came(bytes: "y")], others: ["y"],
            "store video a.mp4 (new), poster p.jpg; mirrored"
        ) { $0.hasVideo() },
        Self(
            "the first poster, others bring it", [.came(), .came(bytes: "y")], others: ["y"],
            "store video a.mp4 (new), poster p.jpg (new); mirrored"
        ) {
            $0.hasVideo()
            $0.good = [$0.files[0]]
        },
        Self(
            "a video comes again, its poster whole", [.came(bytes: "x"), .here], others: nil,
            "store video a.mp4 (new), poster p.jpg; mirrored"
        ) {
            $0.hasVideo()
            ($0.record, $0.good) = ($0.former, [$0.files[1]])
        },
    ]
}

@Suite("What becomes of a day")
struct DayOutcomeTests {
    @Test("is known from what came of its files", arguments: OutcomeCase.all)
    func table(one: OutcomeCase) throws {
        let (update, now) = (one.facts.update, DayFacts.now)
        let files = update.plan(at: now).files
        try #require(files.count == one.answers.count)
        let results = zip(files, one.answers).map { $1.result($0) }
        var outcome = update.conclusion(from: results, at: now)
        if case .compare = outcome, let comparison = one.comparison {
            outcome = update.comparing(comparison).conclusion(from: results, at: now)
        }
        #expect(outcome.words == one.outcome)
        if case .planAgain(let again) = outcome { #expect(again.comparison == nil) }
        if let status = outcome.status { #expect(status.stored == update.known?.stored) }
        guard case .store(let metadata, let status, _, _) = outcome else { return }
        #expect(
            metadata.name == update.known?.stored?.name ?? FileName(day: one.facts.day, title: update.picture.title))
        #expect(metadata.picture.content == update.picture.content && metadata.fetched == now)
        #expect(status.day == one.facts.day && metadata.downgraded == (status.state == .downgraded))
    }

    private static let full = ArchiveError.storage(StorageError("write", "/x", code: ENOSPC))
    private static let busy = ArchiveError.storage(StorageError("open", "/x", code: EBUSY))
    private static let tooMany = ArchiveError.storage(StorageError("open", "/x", code: EMFILE))
    private static let closed = ArchiveError.refused(folder: "/x", StorageError("write in", "/x", code: EXDEV))
    private static let occupied = ArchiveError.occupied(DayFacts().day, path: "/x")

    @Test(
        "whom the archive does not take: only what would be so with all others ends the refresh",
        arguments: [
            (full, "stop, \(full); make room"), (tooMany, "stop, \(tooMany)"),
            (.readOnly(path: "/x"), "stop, \(ArchiveError.readOnly(path: "/x"))"),
            (busy, "fail, \(busy); failed ×1, \(busy)"), (occupied, "fail, \(occupied); failed ×1, \(occupied)"),
            (closed, "stop, \(closed); failed ×1, \(closed)"),
        ])
    func refused(error: ArchiveError, outcome: String) {
        #expect(DayFacts().update.conclusion(from: error, at: DayFacts.now).words == outcome)
        var facts = DayFacts()
        facts.isNew()
        #expect(facts.update.conclusion(from: error, at: DayFacts.now).words == outcome)
        facts = DayFacts()
        facts.state = .pruned
        // What passes is not left alone, however often it was tried.
        let pruned = outcome.replacing("failed ×1", with: outcome.hasPrefix("fail") ? "pruned ×3, later" : "pruned ×3")
        #expect(facts.update.conclusion(from: error, at: DayFacts.now).words == pruned)
    }
}
