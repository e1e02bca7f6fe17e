import TestSupport
import Testing

@testable import Fetching

struct LargeDocumentTests {
    private static let limit = 1 << 20

    /// The server falls silent soon behind the limit: a client that read on would not end before it has stalled, and
    /// none can have taken in more than that.
    @Test("A document that is too large is not read beyond the limit", arguments: framings)
    func stopped(framing: Response.Framing) async throws {
        let body = Body([.repeated(Array("0123456789abcdef".utf8), count: 200 << 20)])
        let server = try HTTPServer { _ in
            Response(body, framing: framing, ending: .stall(after: 3 * Self.limit))
        }
        let fixture = try FetchFixture(server) { $0.stallSeconds = 60 }
        let reason = await reason { try await fixture.document(limit: Self.limit) }
        #expect(reason == .tooLarge(limit: Self.limit))
        #expect(reason?.isPermanent == true)
        #expect(server.requests.count == 1)
        #expect(await everybodyLeft(server))
    }

    @Test(
        "A document that is too large by one byte is refused, and of the limit is not; an error is shorter",
        arguments: [200, 404], [0, 1])
    func edge(status: Int, excess: Int) async throws {
        let count = (status == 200 ? Self.limit : 64 << 10) + excess
        let server = try HTTPServer { _ in
            Response(status: status, Body([.repeated(spaces, count: count)]), framing: .chunked)
        }
        let fixture = try FetchFixture(server)
        let reason = await reason {
            try await fixture.document(limit: Self.limit, statuses: [200, 404])
        }
        let refusal: FetchError = status == 200 ? .tooLarge(limit: Self.limit) : .status(404, retryAfter: nil)
        #expect(reason == (excess == 0 ? nil : refusal))
    }

    /// What follows an error's head is of no interest, however long it is.
    @Test(
        "A document that is too large is as little read behind a status that says no",
        arguments: [(404, false), (404, true), (302, false)])
    func unwanted(status: Int, isFile: Bool) async throws {
        let body = Body([.repeated(spaces, count: 200 << 20)])
        let server = try HTTPServer { request in
            guard request.path == "/" else { return .text("found") }
            return Response(
                status: status, headers: status == 302 ? [("Location", "/found")] : [], body,
                ending: .stall(after: Self.limit))
        }
        let fixture = try FetchFixture(server) { $0.stallSeconds = 60 }
        let began = ContinuousClock.now
        let reason = await reason {
            if isFile { _ = try await fixture.file() }
            if !isFile { _ = try await fixture.document() }
        }
        #expect(reason == (status == 302 ? nil : .status(404, retryAfter: nil)))
        // Whoever read on would wait for what does not come.
        #expect(.now - began < .seconds(45))
        #expect(await everybodyLeft(server))
    }
}
