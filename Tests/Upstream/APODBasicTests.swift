import Apod
import Fetching
import TestSupport
import Testing

@testable import Upstream

struct APODBasicTests {
    private let newest = november(20)

    private func nasa(_ days: Int) throws -> FakeNASA { try FakeNASA(Entry.days(days, newest: newest, bytes: 1_000)) }

    private func back(_ days: Int) -> Day { newest.advanced(by: -days) }

    @Test("APOD Basic gives the days of a window with one request, and tells that these are all")
    func window() async throws {
        let nasa = try nasa(40)
        let answer = try await client(of: nasa).pictures(in: back(9)...newest)
        #expect(Set(answer.pictures.keys) == Set(back(9)...newest))
        #expect(answer.covered == back(9)...newest)
        #expect(answer.bad.isEmpty && answer.fallback == nil)
        #expect(
            nasa.requests.map(\.target) == [
                "\(FakeNASA.base)?page=1&per_page=25&date_from=261111&date_to=261120"
            ])
        #expect(nasa.requests[0].headers["user-agent"] == "apod-mirror-test (+https://example.org/)")
    }

    @Test("APOD Basic asks for no other list where nobody can be reached")
    func unreachable() async throws {
        let nasa = try nasa(1)
        nasa.stop()
        let upstream = WebAddress(nasa.origin)!
        var settings = FetchSettings(userAgent: "apod-mirror-test")
        (settings.distance, settings.attempts) = (.zero, 1)
        let fetcher = Fetcher(settings, upstream: upstream)
        let error = await #expect(throws: Problem.self) {
            try await APODBasic(upstream, fetcher: fetcher).pictures(in: back(1)...newest, isSilent: true)
        }
        #expect(error?.isUnreachable == true)
        // The end of one attempt.
        #expect(fetcher.signs == 1)
    }

    @Test("APOD Basic gives the newest days of a window that is too large, and tells how far they go")
    func large() async throws {
        let nasa = try nasa(40)
        let answer = try await client(of: nasa).pictures(in: back(39)...newest)
        #expect(answer.pictures.count == APODBasic.pageSize)
        #expect(answer.covered == back(24)...newest)
    }

    @Test("APOD Basic counts records when the service does not count pages", arguments: [24, 25])
    func noPaging(days: Int) async throws {
        let nasa = try nasa(days)
        nasa.intercept = { [unowned nasa] request in
            var response = nasa.usual(request)
            response[header: "X-WP-TotalPages"] = nil
            return response
        }
        let answer = try await client(of: nasa).pictures(in: back(39)...newest)
        #expect(answer.covered == back(days < 25 ? 39 : 24)...newest)
    }

    @Test("APOD Basic gives nothing for a window in which nothing was published, and knows that")
    func empty() async throws {
        let window = Day("1995-06-17")!...Day("1995-06-19")!
        let nasa = try nasa(3)
        let answer = try await client(of: nasa).pictures(in: window)
        #expect(answer.pictures.isEmpty)
        #expect(answer.covered == window)
    }

    @Test(
        "APOD Basic gives one day by its own address, or none",
        arguments: [("2026-11-19", true), ("2020-06-10", false)])
    func single(date: String, isThere: Bool) async throws {
        let nasa = try nasa(3)
        let day = Day(date)!
        #expect(try await client(of: nasa).picture(of: day)?.day == (isThere ? day : nil))
        #expect(nasa.requests.map(\.target) == ["\(FakeNASA.base)/\(day.compact)"])
    }

    @Test("APOD Basic does not believe a single day that has another date")
    func otherDay() async throws {
        let nasa = try nasa(3)
        let other = nasa.record(back(1))!
        nasa.intercept = { _ in .json(String(decoding: other, as: UTF8.self)) }
        await #expect { try await client(of: nasa).picture(of: newest) } throws: { error in
            error.problem.code == .record && error.problem.detail?.contains("\(back(1))") == true
                && !error.problem.isPassing
        }
    }

    @Test(
        "APOD Basic says what is wrong with a single day",
        arguments: [
            ("null", true), ("{}", true), (#"{"date":"soon"}"#, false), ("", true), ("<html>", true),
            (#"{"code":"apod_basic_not_found"}"#, true),
        ])
    func badDay(answer: String, isPassing: Bool) async throws {
        let nasa = try nasa(1)
        nasa.intercept = { _ in .json(answer) }
        await #expect { try await client(of: nasa).picture(of: newest) } throws: { error in
            let error = error as! Problem
            return error.isPassing == isPassing && error.description.contains("/261120")
        }
    }

    @Test("APOD Basic takes no list for an answer that is much longer than was asked for", arguments: [100, 101])
    func longList(count: Int) async throws {
        let nasa = try nasa(1)
        let list = "[" + Array(repeating: "{}", count: count).joined(separator: ",") + "]"
        nasa.intercept = { $0.path == FakeNASA.base ? .json(list) : .html(404) }
        do {
            let answer = try await client(of: nasa).pictures(in: back(9)...newest)
            #expect(count == 100 && answer.bad.count == 100)
        } catch {
            #expect(count == 101 && "\(error)".contains("not a list of records"))
        }
    }

    @Test("APOD Basic is found below a path", arguments: ["/", "/mirror", "/mirror/"])
    func path(path: String) async throws {
        let nasa = try nasa(1)
        let upstream = WebAddress(nasa.origin + path)!
        let fetcher = Fetcher(.init(userAgent: "test"), upstream: upstream)
        _ = try? await APODBasic(upstream, fetcher: fetcher).picture(of: newest)
        let prefix = path.hasSuffix("/") ? String(path.dropLast()) : path
        #expect(nasa.requests.map(\.target) == ["\(prefix)\(FakeNASA.base)/261120"])
    }
}
