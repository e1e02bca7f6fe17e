import Apod
import TestSupport
import Testing

@testable import Fetching

struct RedirectTests {
    private static let picture = Pictures.jpeg(bytes: 3_000_000)

    @Test("A redirect is followed, and carries the request for the rest with it", arguments: [301, 302, 303, 307, 308])
    func followed(status: Int) async throws {
        let fixture = try FetchFixture { request in
            guard request.path == "/there" else { return .redirect(to: "/there", status: status) }
            return .jpeg(Self.picture, tag: "a", ending: request.attempt == 1 ? .close(after: 2_000_000) : .whole)
        }
        try await fixture.fetch(Self.picture)
        #expect(fixture.ranges == [nil, nil, "bytes=2000000-", "bytes=2000000-"])
        #expect(try await fixture.document().bytes == Self.picture.bytes)
    }

    @Test("A redirect may be relative to where the one before led")
    func relative() async throws {
        let steps = ["/a": "/x/a", "/x/a": "../y/./b c", "/y/b%20c": "?b=c#d"]
        let fixture = try FetchFixture { request in steps[request.target].map { .redirect(to: $0) } ?? .text("") }
        _ = try await fixture.document("/a")
        #expect(fixture.requests.map(\.target) == ["/a", "/x/a", "/y/b%20c", "/y/b%20c?b=c"])
    }

    @Test("Five redirects in a row are followed, and no more", arguments: [5, 6])
    func chain(length: Int) async throws {
        let fixture = try FetchFixture { request in
            let number = Int(request.path.dropFirst())!
            return number == 0 ? .text("there") : .redirect(to: "/\(number - 1)")
        }
        #expect(await fixture.refusal("/\(length)")?.code == (length == 5 ? nil : .redirect))
        #expect(fixture.requests.count == 6)
    }

    @Test("A redirect never leads from https to http")
    func downgrade() throws {
        let secure = address("https://a.example/a.jpg")
        for location in ["HTTP://a.example/b.jpg", "http://b.example:443/", " http://a.example/"] {
            #expect(throws: FetchError.self) { try Redirects.target(of: location, from: secure) }
            #expect(throws: Never.self) { try Redirects.target(of: location, from: address("http://a.example/")) }
        }
        for kept in ["https://b.example/", "//b.example/", "b"] {
            #expect(try Redirects.target(of: kept, from: secure).scheme == "https")
        }
    }
}
