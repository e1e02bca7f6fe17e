import Apod
import Testing

@testable import Upstream

struct AnswerTests {
    private let window = Day("2015-06-01")!...Day("2015-06-05")!

    private func picture(_ title: String, date: String = "2015-06-03", article: String? = nil) throws -> Picture {
        var fields: [String: JSON] = ["title": .string(title), "date": .string(date)]
        if let article { fields["permalink"] = .string("https://h.example/image-article/apod-\(article)-x/") }
        return try Picture(fields: fields)
    }

    private func answer(_ pictures: [Picture]) -> APODBasic.Answer {
        var answer = APODBasic.Answer()
        answer.add(pictures.map(Result.success), in: window)
        return answer
    }

    @Test(
        "An answer of several records has nothing of days that were not asked for",
        arguments: ["2015-05-31", "2015-06-06"])
    func outside(date: String) throws {
        let answer = answer([try picture("A", date: date), try picture("B", date: "2015-06-01")])
        #expect(answer.pictures.values.map(\.title) == ["B"])
        #expect(answer.bad == [.outside(Day(date)!)])
    }

    @Test(
        "An answer of several records has of two records with one date the one whose article names the day, else the first",
        arguments: [true, false])
    func repeated(isReversed: Bool) throws {
        let right = try picture("Right", article: "2015-june-3")
        let wrong = try picture("Wrong", article: "2015-june-30")
        let pair = answer(isReversed ? [wrong, right] : [right, wrong])
        #expect(pair.pictures.values.map(\.title) == ["Right"] && pair.bad == [.repeated(right.day)])
        let alike = answer([right, try picture("Later", article: "2015-june-3")])
        #expect(alike.pictures.values.map(\.title) == ["Right"])
        #expect(
            answer([wrong, try picture("Wrong too", article: "2015-june-4")]).pictures.values.map(\.title) == ["Wrong"])
    }
}
