import Apod
import Files
import TestSupport
import Testing

@testable import Fetching

struct FileTests {
    private static let picture = Pictures.jpeg(width: 640, height: 480, bytes: 3_000_000)

    @Test("A file comes whole, whatever its framing, and only if it is not larger than allowed", arguments: framings)
    func whole(framing: Response.Framing) async throws {
        let fixture = try FetchFixture { _ in .jpeg(Self.picture, tag: "a", framing: framing) }
        #expect(await fixture.failure(limit: 2_999_999) == .tooLarge(limit: 2_999_999))
        #expect(try fixture.names == [] && fixture.requests.count == 1)
        if case .length = framing { #expect(fixture.fetcher.received == 0) }
        let before = fixture.fetcher.received
        let facts = try await fixture.file("/a.jpg", limit: 3_000_000).facts
        #expect(facts.type == .jpeg && facts.width == 640 && facts.height == 480)
        #expect(fixture.fetcher.received - before == 3_000_000 && facts.sha256 == Digest(of: Self.picture.bytes))
        #expect(fixture.ranges == [nil, nil] && fixture.requests[1].headers["accept-encoding"] == nil)
        try await FetchFixture { _ in .jpeg(Self.picture, framing: framing) }.fetch(Self.picture)
    }

    private static let spaces = String(repeating: " ", count: 2_000_000)

    @Test(
        "A file is of the kind that was asked for, whatever it is called",
        arguments: [
            (["image/jpg", "IMAGE/JPEG; charset=binary", "image/png", ""], Pictures.jpeg(), .image, nil),
            (["video/mp4", "application/mp4", "binary/octet-stream"], Pictures.mp4(), .video, nil),
            (["text/html; charset=UTF-8", "application/json"], Pictures.jpeg(), .image, .unfit),
            (["application/octet-stream"], Pictures.jpeg(), .video, .unfit),
            (["application/mp4", "application/octet-stream"], Pictures.mp4(), .image, .unfit),
            (["image/jpeg"], Pictures.mp4(), .video, .unfit),
            (["image/jpeg"], Body("\n <html><body>Moved" + spaces), .image, .unfit),
            (["image/jpeg"], Body("GIF88a"), .image, .unfit), (["image/jpeg"], Body(), .image, .broken),
            (["image/jpeg"], Body(Array(picture.bytes.prefix(2_000_000))), .image, .broken),
        ] as [([String], Body, MediaType.Kind, Problem.Code?)])
    func kinds(types: [String], body: Body, kind: MediaType.Kind, code: Problem.Code?) async throws {
        for type in types {
            let fixture = try FetchFixture { _ in .media(body, type: type, tag: "a") }
            let reason = await fixture.failure(kind: kind)
            #expect(reason?.code == code)
            if let reason { #expect(try reason.isAbsence && fixture.names == []) }
            // An empty one came so because the connection broke, perhaps.
            #expect(fixture.requests.count == (body.count == 0 ? 3 : 1))
        }
    }
}
