import Apod
import Fetching
import TestSupport
import Testing

@testable import Upstream

struct AbsenceTests {
    private static let day = november(20)
    private static let word = #"{"code":"apod_basic_not_found","message":"APOD not found.","data":{"status":404}}"#

    private static func ask(_ response: Response) async throws -> Result<Picture?, Problem> {
        let nasa = try FakeNASA()
        nasa.intercept = { _ in response }
        do {
            return .success(try await client(of: nasa).picture(of: day))
        } catch {
            return .failure(error.problem)
        }
    }

    @Test(
        "That there is no such day is believed in the service's own words",
        arguments: [
            word, #"{"code":"apod_basic_not_found"}"#, "\n{ \"x\": [], \"code\" : \"apod_basic_not_found\" }\n",
        ])
    func own(word: String) async throws {
        #expect(try await Self.ask(.json(word, status: 404)).get() == nil)
    }

    @Test("That there is no such day is believed at once, and when it comes in pieces")
    func once() async throws {
        let nasa = try FakeNASA()
        nasa.intercept = { _ in Response(status: 404, Body(Self.word), framing: .chunked, trickle: .milliseconds(1)) }
        #expect(try await client(of: nasa).picture(of: Self.day) == nil)
        #expect(nasa.requests.count == 1)
    }

    @Test(
        "That there is no such day is not believed in other words",
        arguments: [
            "", "null", "<html>", #"{"code":"rest_no_route","data":{"status":404}}"#,
            #"{"code":["apod_basic_not_found"]}"#, #"{"message":"apod_basic_not_found"}"#, "apod_basic_not_found",
            #"[{"code":"apod_basic_not_found"}]"#, #"{"code":"apod_basic_not_found""#,
            #"{"data":{"code":"apod_basic_not_found"}}"#, #"{"code":"apod_basic_not_found_here"}"#,
        ])
    func others(word: String) async throws {
        try Self.checkPassing(try await Self.ask(.json(word, status: 404)))
    }

    @Test("That there is no such day is said by 404 alone", arguments: [200, 301, 400, 403, 410, 451, 500])
    func statuses(status: Int) async throws {
        try Self.checkPassing(try await Self.ask(.json(Self.word, status: status)))
    }

    @Test("That there is no such day is not believed when it is as long as a page, without an end, or cut off")
    func long() async throws {
        let body = Body([.bytes(Array(Self.word.utf8)), .repeated([0x20], count: 200 << 20)])
        for framing: Response.Framing in [.length, .chunked, .untilClose] {
            let endless = Response(status: 404, body, framing: framing, ending: .stall(after: 1 << 20))
            try Self.checkPassing(try await Self.ask(endless))
        }
        let cut = Response(status: 404, Body(Self.word), ending: .close(after: Self.word.utf8.count - 1))
        try Self.checkPassing(try await Self.ask(cut))
    }

    @Test(
        "That there is no such day is not said by a range that is refused, nor by one that is empty",
        arguments: [400, 404, 410, 200])
    func range(status: Int) async throws {
        let nasa = try FakeNASA()
        nasa.intercept = { $0.path == FakeNASA.base ? .json(status == 200 ? "[]" : Self.word, status: status) : nil }
        let window = Self.day.advanced(by: -3)...Self.day
        do {
            let answer = try await client(of: nasa).pictures(in: window)
            #expect(status == 200 && answer.pictures.isEmpty && answer.covered == window)
        } catch {
            #expect(status != 200 && error.problem.isPassing && !error.problem.isUnusable)
        }
    }

    private static func checkPassing(_ result: Result<Picture?, Problem>) throws {
        guard case .failure(let error) = result else { return #expect(try result.get() != nil, "taken for an absence") }
        #expect(error.isPassing, "\(error)")
    }
}
