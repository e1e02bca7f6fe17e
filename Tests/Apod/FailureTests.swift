import Apod
import Testing

@Suite("A failure") struct FailureTests {
    private static let address = WebAddress("https://img.example/a.jpg")!
    @Test("shows no more of an address than fits into a message")
    func longAddress() {
        let address = WebAddress("https://img.example/" + String(repeating: "a", count: 810_000))
        let words = "\(Failure(.refused, "not there (404)", at: address))"
        #expect(
            words.hasPrefix("not there (404): https://img.example/aaa") && words.hasSuffix("…") && words.count < 220)
    }

    private static let refused = Failure(.refused, "503", at: address)

    private static let all: [Failure] =
        Failure.Code.allCases.map { Failure($0) } + [
            Failure(.refused, "the server “said” 503\n", at: address),
            Failure(.folder, "no", path: "/srv/it's a\u{202e} mirror", number: 13),
            Failure(.limit, "", at: address, path: "", number: -1),
        ]

    @Test("is the same when it is read again", arguments: all)
    func json(failure: Failure) throws {
        #expect(Failure(try JSONText(failure.json.compact)) == failure)
    }

    @Test("without a code is another's, and without words is none")
    func strange() throws {
        #expect(Failure(try JSONText(Array(#"{"reason":"a","code":"new"}"#.utf8))) == Failure(.other, "a"))
        #expect(Failure(try JSONText(Array(#"{"code":"full"}"#.utf8))) == nil)
        #expect(Failure(nil) == nil)
    }

    @Test(
        "has the cause of another where the same server gives it, the same words say it, or the disk is full",
        arguments: [
            (refused, Failure(.refused, "504", at: WebAddress("https://img.example/b")), true),
            (refused, Failure(.refused, "503", at: WebAddress("https://b.example/b")), false),
            (refused, Failure(.unreachable, "503", at: address), false),
            (Failure(.folder, "a"), Failure(.folder, "b"), false), (Failure(.folder, "a"), Failure(.folder, "a"), true),
            (Failure(.full, "a"), Failure(.full, "b"), true),
        ])
    func cause(a: Failure, b: Failure, isSame: Bool) {
        #expect(a.hasCause(of: b) == isSame && b.hasCause(of: a) == isSame)
    }

    @Test("is an interruption where the program itself left the day unfinished")
    func interruption() {
        let codes = Failure.Code.allCases.filter { Failure($0).isInterruption }
        #expect(codes == [.replacing, .missing])
    }
}
