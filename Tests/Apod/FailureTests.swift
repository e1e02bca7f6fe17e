import Apod
import Glibc
import Testing

struct FailureTests {
    private static let address: WebAddress = WebAddress("https://img.example/a.jpg")!
    private static let other = WebAddress("https://img.example/b.jpg")!
    private static let elsewhere = WebAddress("https://b.example/a.jpg")!

    @Test("A failure shows no more of an address than fits into a message")
    func longAddress() {
        let address = WebAddress("https://img.example/" + String(repeating: "a", count: 810_000))
        let words = "\(Problem(.refused, at: address, number: 404))"
        #expect(
            words.hasPrefix("not there (404): https://img.example/aaa") && words.hasSuffix("…") && words.count < 220)
    }

    private static let text = "the server “said” 503\n\u{1b}[2J\u{202e}"

    private static let all: [Problem] = Problem.Code.allCases.flatMap { code in
        [
            Problem(code), Problem(code, text, at: address, path: "/srv/it's a\u{202e} mirror", number: 13),
            Problem(code, path: "", number: -1),
        ]
    }

    @Test("A failure is the same when it is read again, and is never without words", arguments: all)
    func json(failure: Problem) throws {
        for json in [failure.json, failure.export] { #expect(Problem(try JSONText(json.compact)) == failure) }
        #expect(try JSONText(failure.export.compact)["reason"]?.string == failure.reason)
        #expect(try JSONText(failure.json.compact)["reason"] == nil)
        if failure.code != .other { #expect(!failure.reason.isEmpty && !failure.words.contains("\(failure.code)(")) }
    }

    @Test("A failure has the words of another version where its code is not known, and without a code is none")
    func strange() throws {
        #expect(Problem(try JSONText(Array(#"{"reason":"a","code":"new"}"#.utf8))) == Problem(.other, "a"))
        // Of a version that had words alone.
        #expect(Problem(try JSONText(Array(#"{"reason":"a 503","code":"refused"}"#.utf8))) == Problem(.refused))
        #expect(Problem(try JSONText(Array(#"{"reason":"a"}"#.utf8))) == nil && Problem(nil) == nil)
    }

    private static let causes: [(Problem, Problem, isSame: Bool)] = [
        (Problem(.refused, at: address, number: 503), Problem(.refused, "9", at: other, number: 503), true),
        (Problem(.refused, at: address, number: 503), Problem(.refused, at: other, number: 404), false),
        (Problem(.refused, at: address, number: 503), Problem(.refused, at: elsewhere, number: 503), false),
        (Problem(.refused, at: address), Problem(.unreachable, at: address), false),
        (Problem(.broken, "1 of 9 bytes", at: address), Problem(.broken, "2 of 9 bytes", at: other), true),
        (Problem(.folder, "read", path: "/a", number: 5), Problem(.folder, "write in", path: "/a", number: 5), true),
        (Problem(.folder, "read", path: "/a", number: 5), Problem(.folder, "read", path: "/b", number: 5), false),
        (Problem(.full, path: "/a", number: 1), Problem(.full, path: "/b", number: 2), true),
        (Problem(.other, "a"), Problem(.other, "b"), false), (Problem(.other, "a"), Problem(.other, "a"), true),
    ]

    @Test("A failure has the cause of another of the same kind at the same server or place", arguments: causes)
    func cause(a: Problem, b: Problem, isSame: Bool) { #expect((a.cause == b.cause) == isSame) }

    private static let sentences: [(Problem, String)] = [
        (Problem(.unreachable, "no route", at: address), "img.example: cannot be reached (no route)"),
        (Problem(.refused, "30", at: address, number: 429), "the server answered 429 and asks for a pause of 30 s"),
        (Problem(.large, at: address, number: 3_000_000), "larger than `max-file` allows (3.0 MB)"),
        (Problem(.files, "refused", at: address, number: 503), "at the moment: the server answered 503"),
        (Problem(.files, "stalled", number: 30), "came for 30 s"),
        (Problem(.folder, "write in", path: "/m", number: Int(EROFS)), "cannot write in /m: Read-only file system"),
        (Problem(.folder, path: "/m/2026", number: Int(EXDEV)), "cannot use /m/2026: it is on another disk"),
        (Problem(.full, path: "/m", number: 10_000), "no space left on the disk of /m, of which the mirror keeps 10"),
        (Problem(.foreign, "ann", path: "/m\u{202e}"), "/m\u{fffd} belongs to ann"),
        (Problem(.unusable, "is of version 1, not 2", path: "/m/c"), "the catalog /m/c: is of version 1, not 2; the"),
        (Problem(.forbiddenJob, "ann"), "only the mirror's owner, ann, and root may ask"),
        (Problem(.forbiddenJob), "only root may ask"),
    ]

    @Test("A failure says what its data are", arguments: sentences)
    func words(failure: Problem, words: String) { #expect(failure.words.contains(words), "\(failure.words)") }
}
