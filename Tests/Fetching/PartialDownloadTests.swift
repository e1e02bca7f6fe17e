import Apod
import Files
import TestSupport
import Testing

@testable import Fetching

/// What a server can answer to the request for the rest of a file.
struct PartialDownloadTests {
    private static let picture = Pictures.jpeg(bytes: 3_000_000)
    private static let broken = 1_600_000

    /// Breaks off, then gives this answer, then the whole.
    private static func server(
        broken: Int = broken, then answer: @escaping @Sendable ([UInt8]) -> Response
    ) throws -> HTTPServer {
        try HTTPServer { request in
            if request.attempt == 2 { return answer(picture.bytes) }
            return .jpeg(picture, tag: "a", ending: request.attempt == 1 ? .close(after: broken) : .whole)
        }
    }

    private static func part(_ range: String?, _ bytes: some Collection<UInt8>, status: Int = 206) -> Response {
        var headers = [(name: "Content-Type", value: "image/jpeg"), ("ETag", "\"a\"")]
        if let range { headers.append(("Content-Range", range)) }
        return Response(status: status, headers: headers, Body(Array(bytes)), ranges: false)
    }

    @Test(
        "Asked for the rest, a server that sends another part is not believed",
        arguments: [
            "bytes 1599999-2999999/3000000", "bytes 1600001-2999999/3000000", "bytes */3000000", "bytes", nil,
        ])
    func wrongStart(range: String?) async throws {
        let server = try Self.server { Self.part(range, $0[Self.broken...]) }
        let fixture = try FetchFixture(server)
        try await fixture.fetch(Self.picture)
        #expect(server.ranges == [nil, "bytes=\(Self.broken)-", nil])
    }

    @Test("Asked for the rest, a server may leave the whole length open")
    func openLength() async throws {
        let server = try Self.server { Self.part("bytes 1600000-2999999/*", $0[Self.broken...]) }
        #expect(try await FetchFixture(server).contents() == Self.picture.bytes)
        #expect(server.requests.count == 2)
    }

    @Test("Asked for the rest, a server may send a part of the rest")
    func lessThanTheRest() async throws {
        let server = try Self.server { Self.part("bytes 1600000-1999999/3000000", $0[Self.broken..<2_000_000]) }
        #expect(try await FetchFixture(server).contents() == Self.picture.bytes)
        #expect(server.ranges == [nil, "bytes=1600000-", "bytes=2000000-"])
    }

    @Test("Asked for the rest, a server may not make it larger than allowed")
    func tooLarge() async throws {
        let server = try Self.server { Self.part("bytes 1600000-5999999/6000000", $0[Self.broken...]) }
        let fixture = try FetchFixture(server)
        #expect(await fixture.failure(limit: 5_999_999) == .tooLarge(limit: 5_999_999))
        #expect(try fixture.names == [])
    }

    @Test(
        "Asked for the rest, a server that has no such part is asked for the whole",
        arguments: ["bytes */3000000", "bytes */100", "bytes */1600000", nil])
    func notComplete(range: String?) async throws {
        let server = try Self.server { _ in Self.part(range, Array("no such part".utf8), status: 416) }
        let fixture = try FetchFixture(server)
        try await fixture.fetch(Self.picture)
        #expect(server.ranges == [nil, "bytes=\(Self.broken)-", nil])
    }

    @Test("Asked for the rest, a server that sends a part of its own accord is not believed to have sent all")
    func unasked() async throws {
        let bytes = Self.picture.bytes
        let server = try HTTPServer { _ in Self.part("bytes 0-99999/3000000", bytes[..<100_000]) }
        let fixture = try FetchFixture(server)
        #expect(await fixture.failure() == .cutShort("100000 of 3000000 bytes"))
    }

    @Test(
        "Asked for the rest, a server names the range",
        arguments: [
            ("bytes 100-199/200", 100, 200), ("bytes 0-0/1", 0, 1), ("bytes 100-199/*", 100, nil),
            ("bytes */200", nil, 200), ("bytes x-9/10", nil, 10), ("bytes 99999999999999999999-1/5", nil, 5),
        ] as [(String, Int?, Int?)])
    func contentRange(field: String, first: Int?, total: Int?) throws {
        let range = try #require(ContentRange(AnswerHead(status: 206, fields: ["content-range": field])))
        #expect(range.first == first && range.total == total)
    }

    @Test(
        "Asked for the rest, a server or does not",
        arguments: ["", "bytes", "bytes 0-1", "bytes 0-1/2/3", "items 0-1/2", "bytes=0-1/2", "/"])
    func noContentRange(field: String) {
        #expect(ContentRange(AnswerHead(status: 206, fields: ["content-range": field])) == nil)
        #expect(ContentRange(AnswerHead(status: 206)) == nil)
    }
}
