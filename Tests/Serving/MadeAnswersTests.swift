import Apod
import HTTP
import Testing

@testable import Serving

struct MadeAnswersTests {
    private func answer(_ words: String) -> Response { .made(words.bytes, Response.text) }

    private func words(_ response: Response?) -> String? {
        guard case .bytes(let bytes)? = response?.body else { return nil }
        return bytes.prefix(9).text
    }

    @Test("Answers that were made are kept until the mirror changes, and not one that was made while it did")
    func states() {
        let made = MadeAnswers()
        for _ in 1...2 { #expect(words(made.answer(to: "a", in: 1) { answer("one") }) == "one") }
        #expect(words(made.answer(to: "a", in: 1)) == "one")
        _ = made.answer(to: "b", in: 1) {
            #expect(made.answer(to: "a", in: 2) == nil)
            return answer("old")
        }
        #expect(made.answer(to: "b", in: 2) == nil)
    }

    @Test("Answers that were made are some megabytes at most")
    func room() {
        let made = MadeAnswers()
        let large = answer(String(repeating: "x", count: 1_000_000))
        for number in 0..<6 { _ = made.answer(to: "\(number)", in: 1) { large } }
        #expect((0..<6).count { made.answer(to: "\($0)", in: 1) != nil } == 2)
        let long = String(repeating: "k", count: 16_000)
        for number in 0..<1000 { _ = made.answer(to: "\(number)\(long)", in: 1) { answer("x") } }
        #expect((0..<1000).count { made.answer(to: "\($0)\(long)", in: 1) != nil } < 260)
    }
}
