import Apod
import Testing

struct FailureTests {
    private static let address = WebAddress("https://img.example/a.jpg")!
    private static let other = WebAddress("https://img.example/b.jpg")!
    private static let elsewhere = WebAddress("https://b.example/a.jpg")!

    private static func read(_ json: String) throws -> Problem? { Problem(try JSONText(json.bytes)) }

    @Test("A failure is the same when it is read again, and is never without words", arguments: Problem.Code.allCases)
    func json(code: Problem.Code) throws {
        let text = "the server “said” 503\n\u{1b}[2J\u{202e}"
        for failure in [
            Problem(code), Problem(code, text, at: Self.address, path: "/srv/it's a\u{202e} mirror", number: 13),
            Problem(code, path: "", number: -1),
        ] {
            let json = try JSONText(failure.json.compact)
            #expect(Problem(json) == failure && json["reason"]?.string == failure.reason)
            if code != .other { #expect(!failure.reason.isEmpty && !failure.words.contains("\(code)(")) }
        }
    }

    @Test("A failure of another version has its words, without a code is none, and is never long")
    func strange() throws {
        #expect(try Self.read(#"{"reason":"a","code":"new"}"#) == Problem(.other, "a"))
        // Of a version that had words alone.
        #expect(try Self.read(#"{"reason":"a 503","code":"refused"}"#) == Problem(.refused))
        #expect(try Self.read(#"{"reason":"a"}"#) == nil)
        let long = WebAddress("https://img.example/" + String(repeating: "a", count: 810_000))
        #expect("\(Problem(.refused, at: long, number: 404))".count < 220)
        #expect(Problem(.foreign, "ann", path: "/m\u{202e}").words.contains("/m\u{fffd} belongs to ann"))
    }

    private static let causes: [(Problem, Problem, isSame: Bool)] = [
        (Problem(.refused, at: address, number: 503), Problem(.refused, "9", at: other, number: 503), true),
        (Problem(.refused, at: address, number: 503), Problem(.refused, at: other, number: 404), false),
        (Problem(.refused, at: address, number: 503), Problem(.refused, at: elsewhere, number: 503), false),
        (Problem(.broken, "1 of 9 bytes", at: address), Problem(.broken, "2 of 9 bytes", at: other), true),
        (Problem(.folder, "read", path: "/a", number: 5), Problem(.folder, "write in", path: "/a", number: 5), true),
        (Problem(.other, "a"), Problem(.other, "b"), false),
    ]

    @Test("A failure has the cause of another of the same kind at the same server or place", arguments: causes)
    func cause(a: Problem, b: Problem, isSame: Bool) { #expect((a.cause == b.cause) == isSame) }
}
