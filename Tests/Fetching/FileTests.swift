import Apod
import Files
import TestSupport
import Testing

@testable import Fetching

struct FileTests {
    private static let picture = Pictures.jpeg(width: 640, height: 480, bytes: 3_000_000)

    private func serve(_ response: Response) throws -> HTTPServer { try HTTPServer { _ in response } }

    private func servePicture(framing index: Int) throws -> HTTPServer {
        try serve(.jpeg(Self.picture, tag: "a", framing: framings[index]))
    }

    @Test("A file from the web comes whole, whatever its framing, and nothing else is left", arguments: [0, 1, 2])
    func whole(index: Int) async throws {
        let server = try servePicture(framing: index)
        let fixture = try FetchFixture(server)
        let fetched = try await fixture.file("/a.jpg")
        let bytes = Self.picture.bytes
        #expect(try fetched.contents() == bytes)
        #expect(fetched.facts.type == .jpeg)
        #expect(fetched.facts.bytes == 3_000_000)
        #expect(fetched.facts.width == 640 && fetched.facts.height == 480)
        #expect(fetched.facts.sha256 == Digest(of: bytes))
        #expect(fetched.address == address("\(server.origin)/a.jpg"))
        #expect(try fixture.names == fetched.names)
        #expect(try fixture.folder.file(fetched.staged.name)?.contents(atMost: 4_000_000) == bytes)
        #expect(fixture.fetcher.received == 3_000_000)
        #expect(server.requests.count == 1)
        #expect(server.requests[0].headers["range"] == nil && server.requests[0].headers["accept-encoding"] == nil)
    }

    @Test(
        "A file from the web may be called what it is, or nothing in particular",
        arguments: [
            "image/jpg", "IMAGE/JPEG; charset=binary", "image/png", "application/octet-stream", "",
        ])
    func acceptedTypes(type: String) async throws {
        let picture = Pictures.jpeg()
        let server = try serve(.media(picture, type: type))
        #expect(try await FetchFixture(server).file().facts.type == .jpeg)
    }

    @Test(
        "A file from the web is not accepted as anything else",
        arguments: ["text/html; charset=UTF-8", "application/json"])
    func refusedTypes(type: String) async throws {
        let server = try serve(.media(Pictures.jpeg(), type: type))
        let fixture = try FetchFixture(server)
        let found = type.prefix { $0 != ";" }
        #expect(await fixture.failure() == .wrongType("\(found)"))
        #expect(server.requests.count == 1)
        #expect(try fixture.names == [])
    }

    @Test(
        "A file from the web must begin as one, whatever it is called",
        arguments: [
            ("<!DOCTYPE html><html><title>Sign in</title>", "an HTML page"), ("\n <html><body>Moved", "an HTML page"),
            (#"{"error":"quota exceeded"}"#, "a file of an unknown type"), ("GIF88a", "a file of an unknown type"),
        ])
    func disguised(text: String, words: String) async throws {
        for text in [text, text + String(repeating: " ", count: 2_000_000)] {
            let server = try serve(.jpeg(Body(text)))
            let fixture = try FetchFixture(server)
            let reason = await fixture.failure()
            #expect(reason == .wrongType(words))
            #expect(reason?.isAbsence == true)
            #expect(server.requests.count == 1)
            #expect(try fixture.names == [])
        }
    }

    @Test("A file from the web is never empty", arguments: framings)
    func empty(framing: Response.Framing) async throws {
        let server = try HTTPServer { _ in
            Response(headers: [("Content-Type", "image/jpeg")], framing: framing)
        }
        let fixture = try FetchFixture(server)
        #expect(await fixture.failure() == .cutShort("it was empty"))
    }

    @Test("A file from the web is of the kind that was asked for")
    func kinds() async throws {
        let server = try HTTPServer { request in
            request.path == "/picture"
                ? .media(Pictures.jpeg(), type: "application/octet-stream")
                : .media(Pictures.mp4(), type: "application/octet-stream")
        }
        let fixture = try FetchFixture(server)
        let picture = await fixture.failure("/picture", kind: .video)
        #expect(picture == .wrongType("image/jpeg"))
        let video = await fixture.failure("/video", kind: .image)
        #expect(video.map { "\($0)" } == "of another type than asked for: video/mp4")
        #expect(try fixture.names == [])
        #expect(try await fixture.file("/picture", kind: .image).facts.type == .jpeg)
        #expect(try await fixture.file("/video", kind: .video).facts.type == .mp4)
    }

    @Test(
        "A file from the web that is a video may be called an application's, but not a picture, and is none",
        arguments: [
            ("video/mp4", nil), ("application/mp4", nil), ("binary/octet-stream", nil), ("image/jpeg", "image/jpeg"),
        ])
    func videoTypes(type: String, refusal: String?) async throws {
        let server = try serve(.media(Pictures.mp4(), type: type))
        let fixture = try FetchFixture(server)
        #expect(await fixture.failure(kind: .video) == refusal.map { .wrongType($0) })
        #expect(await fixture.failure() != nil)
    }

    @Test("A file from the web is not larger than allowed, announced or not", arguments: [0, 1, 2])
    func tooLarge(index: Int) async throws {
        let server = try servePicture(framing: index)
        let fixture = try FetchFixture(server)
        let reason = await fixture.failure(limit: 2_999_999)
        #expect(reason == .tooLarge(limit: 2_999_999))
        #expect("\(reason!)" == "larger than `max-file` allows (3.0 MB)")
        #expect(server.requests.count == 1)
        #expect(try fixture.names == [])
        #expect(index > 0 || fixture.fetcher.received == 0)
        #expect(try await fixture.file(limit: 3_000_000).facts.bytes == 3_000_000)
    }

    @Test("A file from the web has an unfinished name of its own for each day and address")
    func names() {
        func name(_ day: String, _ text: String) -> String {
            Download(day: Day(day)!, address: address(text), kind: .image, limit: 1).partialName
        }
        let names = [
            name("2026-11-20", "https://a.example/a"), name("2026-11-21", "https://a.example/a"),
            name("2026-11-20", "https://a.example/b"),
        ]
        #expect(Set(names).count == 3)
        #expect(names[0].hasPrefix("2026-11-20 "))
        #expect(names.allSatisfy { name in name.allSatisfy { $0.isHexDigit || $0 == " " || $0 == "-" } })
    }

    @Test(
        "A file from the web that is incomplete at its server is not asked for again at once, and nothing of it stays")
    func incomplete() async throws {
        let picture = Body(Array(Pictures.jpeg(bytes: 3_000_000).bytes.prefix(2_000_000)))
        let server = try HTTPServer { _ in .jpeg(picture, tag: "a") }
        let fixture = try FetchFixture(server)
        let reason = await fixture.failure()
        #expect(reason == .cutShort("the jpg has no end"))
        #expect(reason?.isAbsence == true)
        #expect(server.requests.count == 1)
        #expect(try fixture.names == [])
    }
}
