import Apod
import Archive
import Service
import TestSupport
import Testing

@Suite("A day that the upstream is said not to have")
struct AbsenceTests {
    private let today = Observatory.today

    private static let words: [(String, Int)] = [
        (#"{"code":"rest_no_route","data":{"status":404}}"#, 404), ("<html>404</html>", 404), ("", 404),
        (#"{"code":"apod_basic_not_found"}"#, 410), ("[]", 200), ("<html>Welcome!</html>", 200), ("{}", 200),
    ]

    @Test("by anybody but the service itself is asked for again at once, however often it was", arguments: words)
    func fault(word: String, status: Int) async throws {
        let observatory = try Observatory(days: 60)
        let day = today.advanced(by: -50)
        observatory.nasa.intercept = { request in
            if request.path.hasPrefix("/feed") { return .html(404) }
            return request.path.hasPrefix(FakeNASA.base) ? .json(word, status: status) : nil
        }
        for _ in 1...5 {
            #expect(try await observatory.sync(.days([day]))[day] == "failed for now")
            #expect(try observatory.archive().catalog.failed(at: observatory.clock.now) == [day])
        }
        observatory.nasa.intercept = nil
        let events = try await observatory.sync(.missing(day...day))
        #expect(events[day] == "mirrored")
    }

    @Test("by the service itself is left alone for a month")
    func absence() async throws {
        let observatory = try Observatory(days: 60)
        let day = today.advanced(by: -50)
        observatory.nasa[day] = nil
        #expect(try await observatory.sync(.days([day]))[day] == "absent")
        let standing = try #require(try observatory.archive().catalog.standing(of: day))
        #expect(standing.retryAfter == observatory.clock.now + 30 * 86_400)
    }
}
