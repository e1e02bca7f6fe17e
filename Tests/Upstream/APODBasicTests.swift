import Apod
import Fetching
import TestSupport
import Testing

@testable import Upstream

struct APODBasicTests {
    private let newest = november(20)

    private func nasa(_ days: Int = 3) throws -> FakeNASA {
        try FakeNASA(Entry.days(days, newest: newest, bytes: 1_000))
    }

    private func back(_ days: Int) -> Day { newest.advanced(by: -days) }

    @Test(
        "A window is asked for with one request, and its answer tells how far it goes",
        arguments: [
            (40, 9, true, 9), (40, 39, true, 24), (24, 39, true, 39), (24, 39, false, 39), (25, 39, false, 24),
        ])
    func window(days: Int, oldest: Int, tellsPages: Bool, covered: Int) async throws {
        let nasa = try nasa(days)
        nasa.intercept = { [unowned nasa] request in
            var response = nasa.usual(request)
            if !tellsPages { response[header: "X-WP-TotalPages"] = nil }
            return response
        }
        let answer = try await client(of: nasa).pictures(in: back(oldest)...newest)
        let count = min(days, oldest + 1, APODBasic.pageSize)
        #expect(Set(answer.pictures.keys) == Set((0..<count).map(back)))
        #expect(answer.covered == back(covered)...newest && answer.bad.isEmpty && answer.fallback == nil)
        let query = "?page=1&per_page=25&date_from=\(back(oldest).compact)&date_to=261120"
        #expect(nasa.requests.map(\.target) == [FakeNASA.base + query])
    }

    @Test("No other list is asked where nobody can be reached")
    func unreachable() async throws {
        let nasa = try nasa()
        nasa.stop()
        let upstream = WebAddress(nasa.origin)!
        var settings = FetchSettings(userAgent: "apod-mirror-test")
        (settings.distance, settings.attempts) = (.zero, 1)
        let fetcher = Fetcher(settings, upstream: upstream)
        let error = await #expect(throws: Problem.self) {
            try await APODBasic(upstream, fetcher: fetcher).pictures(in: back(1)...newest, isSilent: true)
        }
        // The end of one attempt.
        #expect(error?.isUnreachable == true && fetcher.signs == 1)
    }

    private static let word = #"{"code":"apod_basic_not_found","message":"APOD not found.","data":{"status":404}}"#
    private static let long = Body([.bytes(word.bytes), .repeated([0x20], count: 200 << 20)])
    private static let other = #"{"date":"2026-11-19","title":"Another","permalink":"https://h.example/x/"}"#

    private enum Outcome { case absent, passing, final }

    /// What is made of the answer to the question for one day.
    private static let answers: [(Outcome, [Response])] = [
        (
            .absent,
            [word, #"{"code":"apod_basic_not_found"}"#, "\n{ \"x\": [], \"code\" : \"apod_basic_not_found\" }\n"].map {
                .json($0, status: 404)
            } + [Response(status: 404, Body(word), framing: .chunked, trickle: .milliseconds(1))]
        ),
        (
            .passing,
            [
                "", "<html>", #"{"code":"rest_no_route","data":{"status":404}}"#,
                #"{"message":"apod_basic_not_found"}"#, #"{"code":"apod_basic_not_found""#,
            ].map { .json($0, status: 404) }
        ), (.passing, [200, 403, 410, 500].map { .json(word, status: $0) }),
        (
            .passing,
            [.length, .chunked, .untilClose].map {
                Response(status: 404, long, framing: $0, ending: .stall(after: 1 << 20))
            } + [Response(status: 404, Body(word), ending: .close(after: word.utf8.count - 1))]
        ), (.passing, ["null", "{}", "<html>"].map { .json($0) }),
        (.final, [#"{"date":"soon"}"#, other].map { .json($0) }),
    ]

    @Test("A day is absent only in the service's own words, and another's record is no day", arguments: answers.indices)
    func single(index: Int) async throws {
        for response in Self.answers[index].1 {
            let nasa = try FakeNASA()
            nasa.intercept = { _ in response }
            var outcome = Outcome.absent
            do {
                #expect(try await client(of: nasa).picture(of: newest) == nil)
                #expect(nasa.requests.count == 1)
            } catch {
                outcome = error.problem.isPassing ? .passing : .final
                #expect(error.problem.address?.path.hasSuffix("/261120") == true)
            }
            #expect(outcome == Self.answers[index].0, "\(response.body.parts.first as Any)")
        }
    }

    @Test("A list is an array that is not much longer than was asked for", arguments: [0, 100, 101, nil])
    func list(count: Int?) async throws {
        let nasa = try nasa()
        let list = count.map { "[" + Array(repeating: "{}", count: $0).joined(separator: ",") + "]" }
        nasa.intercept = {
            $0.path == FakeNASA.base ? .json(list ?? Self.word, status: list == nil ? 404 : 200) : .html(404)
        }
        do {
            let answer = try await client(of: nasa).pictures(in: back(9)...newest)
            #expect([0, 100].contains(count) && answer.bad.count == count && answer.pictures.isEmpty)
        } catch {
            #expect(![0, 100].contains(count) && error.problem.isPassing)
        }
    }

    @Test("The service is found below a path, and has the days that it has", arguments: ["/", "/mirror", "/mirror/"])
    func path(path: String) async throws {
        let nasa = try nasa()
        let upstream = WebAddress(nasa.origin + path)!
        let service = APODBasic(upstream, fetcher: Fetcher(.init(userAgent: "test"), upstream: upstream))
        let picture = try? await service.picture(of: newest)
        #expect(picture?.day == (path == "/" ? newest : nil))
        let prefix = path.hasSuffix("/") ? String(path.dropLast()) : path
        #expect(nasa.requests.map(\.target) == ["\(prefix)\(FakeNASA.base)/261120"])
    }

    @Test("An answer has one record of each day: the one whose article names the day, else the first")
    func several() throws {
        func picture(_ title: String, date: String = "2015-06-03", article: String = "2015-june-3") throws -> Picture {
            let permalink = "https://h.example/image-article/apod-\(article)-x/"
            return try Picture(fields: [
                "title": .string(title), "date": .string(date), "permalink": .string(permalink),
            ])
        }
        let right = try picture("Right")
        let day = try #require(right.day)
        let wrong = [try picture("Wrong", article: "2015-june-30"), try picture("Other", article: "2015-june-4")]
        let outside = try ["2015-05-31", "2015-06-06"].map { try picture("Outside", date: $0) }
        for (pictures, title, bad) in [
            ([right, wrong[0]], "Right", [.repeated(day)]), ([wrong[0], right], "Right", [.repeated(day)]),
            (wrong, "Wrong", [.repeated(day)]), (outside + [right], "Right", outside.map { .outside($0.key.day!) }),
        ] as [([Picture], String, [BadRecord])] {
            var answer = APODBasic.Answer()
            answer.add(pictures.map(Result.success), in: Day("2015-06-01")!...Day("2015-06-05")!)
            #expect(answer.pictures.values.map(\.title) == [title] && answer.bad == bad)
        }
    }
}
