import Apod
import Files
import Testing

@testable import Syncing

@Suite("The days of one answer", .timeLimit(.minutes(1)))
struct DuplicateCheckTests {
    private let days = (1...3).map { Day(year: 2026, month: 11, day: $0)! }
    private let one = Digest(of: [1])
    private let two = Digest(of: [2])

    @Test("are compared when it is known of all what they bring, and each with the others only")
    func all() async throws {
        let comparison = DuplicateCheck(days)
        comparison.bring([one, two], days[0])
        async let first = comparison.other(bringing: one, than: days[0])
        async let second = comparison.other(bringing: two, than: days[1])
        comparison.bring([one], days[1])
        // Whoever has not waited by now waits for nothing.
        for _ in 1...1000 { await Task.yield() }
        comparison.bring([one], days[2])
        #expect(try await first == days[2])
        #expect(try await second == days[0])
        #expect(try await comparison.other(bringing: two, than: days[0]) == nil)
    }

    @Test("wait for none that brings nothing, and one alone for nobody", arguments: [1, 3])
    func left(count: Int) async throws {
        let comparison = DuplicateCheck(days.prefix(count))
        for day in days.dropFirst() { comparison.leave(day) }
        comparison.bring([one], days[0])
        #expect(try await comparison.other(bringing: one, than: days[0]) == nil)
        // One that was not waited for brings something all the same.
        comparison.bring([one], days[1])
        #expect(try await comparison.other(bringing: one, than: days[0]) == days[1])
    }

    @Test("are compared with those that have it already, unless these are to have something else")
    func having() async throws {
        let comparison = DuplicateCheck(days.prefix(2))
        comparison.bring([two], days[0])
        comparison.bring([one], days[1])
        func other(_ having: [Day]) async throws -> Day? {
            try await comparison.others(bringing: [one], having: [one: having], than: days[1])[one]
        }
        #expect(try await other([days[2]]) == days[2])
        #expect(try await other([days[0]]) == nil)
        #expect(try await other([days[0], days[2], days[1]]) == days[2])
        #expect(try await other([days[1]]) == nil)
    }

    @Test("tell of one thing if their titles and texts are the same, unless they have no text")
    func told() {
        func pictures(_ words: (title: String, text: String)...) -> [Picture] {
            zip(days, words).map { day, words in
                Picture(
                    day: day, title: words.title, explanation: words.text, media: .none, record: JSONText("a record"))
            }
        }
        func others(_ pictures: [Picture]) -> [Day?] {
            let comparison = DuplicateCheck(days, telling: pictures)
            return pictures.map { comparison.other(telling: $0) }
        }
        #expect(others(pictures(("A", "B"), ("A", "B"), ("A", "C"))) == [days[1], days[0], nil])
        #expect(others(pictures(("A", "B"), ("C", "B"), ("A", "B"))) == [days[2], nil, days[0]])
        #expect(others(pictures(("A", "B"), ("A", "B"), ("A", "B"))) == [days[2], days[2], days[1]])
        #expect(others(pictures(("A", ""), ("A", ""), ("", ""))) == [nil, nil, nil])
        #expect(others(pictures(("A", "B"))) == [nil])
    }

    @Test("do not wait when the work is cancelled", arguments: [true, false])
    func cancelled(atOnce: Bool) async throws {
        let comparison = DuplicateCheck(days)
        comparison.bring([one], days[0])
        let waiting = Task { try await comparison.other(bringing: one, than: days[0]) }
        if !atOnce { for _ in 1...1000 { await Task.yield() } }
        waiting.cancel()
        await #expect { try await waiting.value } throws: { ($0 as? RefreshError)?.kind == .cancelled }
    }
}

extension DuplicateCheck {
    fileprivate func other(bringing content: Digest, than day: Day) async throws -> Day? {
        try await others(bringing: [content], than: day)[content]
    }
}
