import Apod
import Glibc
import Testing

struct FailureTests {
    private static let address = WebAddress("https://img.example/a.jpg")!
    private static let other = WebAddress("https://img.example/b.jpg")!
    private static let elsewhere = WebAddress("https://b.example/a.jpg")!

    private static func read(_ json: String) throws -> Failure? { Failure(try JSONText(Array(json.utf8))) }

    @Test("A failure is the same when it is read again, and is never without words", arguments: Failure.Code.allCases)
    func json(code: Failure.Code) throws {
        let text = "the server “said” 503\n\u{1b}[2J\u{202e}"
        for failure in [
            Failure(code), Failure(code, text, at: Self.address, path: "/srv/it's a\u{202e} mirror", number: 13),
            Failure(code, path: "", number: -1),
        ] {
            for json in [failure.json, failure.export] { #expect(Failure(try JSONText(json.compact)) == failure) }
            #expect(try JSONText(failure.export.compact)["reason"]?.string == failure.reason)
            #expect(try JSONText(failure.json.compact)["reason"] == nil)
            if code != .other { #expect(!failure.reason.isEmpty && !failure.words.contains("\(code)(")) }
        }
    }

    @Test("A failure of another version has its words, without a code is none, and is never long")
    func strange() throws {
        #expect(try Self.read(#"{"reason":"a","code":"new"}"#) == Failure(.other, "a"))
        // Of a version that had words alone.
        #expect(try Self.read(#"{"reason":"a 503","code":"refused"}"#) == Failure(.refused))
        #expect(try Self.read(#"{"reason":"a"}"#) == nil && Failure(nil) == nil)
        let long = WebAddress("https://img.example/" + String(repeating: "a", count: 810_000))
        #expect("\(Failure(.refused, at: long, number: 404))".count < 220)
    }

    private static let causes: [(Failure, Failure, isSame: Bool)] = [
        (Failure(.refused, at: address, number: 503), Failure(.refused, "9", at: other, number: 503), true),
        (Failure(.refused, at: address, number: 503), Failure(.refused, at: other, number: 404), false),
        (Failure(.refused, at: address, number: 503), Failure(.refused, at: elsewhere, number: 503), false),
        (Failure(.refused, at: address), Failure(.unreachable, at: address), false),
        (Failure(.broken, "1 of 9 bytes", at: address), Failure(.broken, "2 of 9 bytes", at: other), true),
        (Failure(.folder, "read", path: "/a", number: 5), Failure(.folder, "write in", path: "/a", number: 5), true),
        (Failure(.folder, "read", path: "/a", number: 5), Failure(.folder, "read", path: "/b", number: 5), false),
        (Failure(.full, path: "/a", number: 1), Failure(.full, path: "/b", number: 2), true),
        (Failure(.other, "a"), Failure(.other, "b"), false),
    ]

    @Test("A failure has the cause of another of the same kind at the same server or place", arguments: causes)
    func cause(a: Failure, b: Failure, isSame: Bool) { #expect((a.cause == b.cause) == isSame) }

    private static let sentences: [(Failure, String)] = [
        (Failure(.unreachable, "no route", at: address), "img.example: "),
        (Failure(.refused, "30", number: 429), "30 s"),
        (Failure(.large, number: 3_000_000), "3.0 MB"), (Failure(.files, "refused", number: 503), "503"),
        (Failure(.folder, "write in", path: "/m", number: Int(EROFS)), "/m: Read-only"),
        (Failure(.folder, path: "/m/2026", number: Int(EXDEV)), "/m/2026"), (Failure(.full, number: 10_000), "10.0 KB"),
        (Failure(.foreign, "ann", path: "/m\u{202e}"), "/m\u{fffd} belongs to ann"),
        (Failure(.forbiddenJob, "ann"), "ann"), (Failure(.forbiddenJob), "root"),
    ]

    @Test("A failure names its data", arguments: sentences)
    func words(failure: Failure, words: String) { #expect(failure.words.contains(words), "\(failure.words)") }
}
