import TestSupport
import Testing

@Suite struct HTTPServerTests {
    private static let body = Pictures.jpeg(bytes: 200_000, seed: 5)

    private func serve(_ response: Response) throws -> HTTPServer { try HTTPServer { _ in response } }

    @Test("a body arrives as it is, whatever its framing", arguments: [Response.Framing.length, .chunked, .untilClose])
    func framing(_ framing: Response.Framing) async throws {
        let server = try serve(Response(Self.body, framing: framing))
        let outcome = try await Curl.run(server.origin)
        #expect(outcome.status == 0 && outcome.outputBytes == Self.body.bytes)
    }

    @Test(
        "faults look to a client as they should (curl(1), exit codes)",
        arguments: [
            (Response(body, framing: .declaring(300_000)), 18 as Int32, 200_000),
            (Response(body, ending: .close(after: 70_000)), 18, 70_000),
            (Response(body, ending: .reset(after: 70_000)), 56, 70_000),
            (Response(body, framing: .chunked, ending: .close(after: 70_000)), 18, 70_000),
            (Response(body, ending: .stall(after: 70_000)), 28, 70_000),
            (Response(Body([1, 2, 3, 4]), trickle: .seconds(10)), 28, 1),
            (Response(body, delay: .seconds(3)), 28, 0),
            (.hanging, 28, 0),
            (.redirect(to: "/"), 47, 0),
        ])
    func faults(_ response: Response, _ code: Int32, _ count: Int) async throws {
        let server = try serve(response)
        let outcome = try await Curl.run("--location", "--max-redirs", "2", "--max-time", "1", server.origin)
        #expect(outcome.status == code)
        #expect(outcome.outputBytes == Array(response.body.bytes.prefix(count)))
    }

    @Test(
        "ranges are answered in part",
        arguments: [
            ("0-9", 206, 0..<10), ("199990-", 206, 199_990..<200_000), ("-5", 206, 199_995..<200_000),
            ("10-999999", 206, 10..<200_000), ("200000-", 416, 0..<0), ("5-1", 200, 0..<200_000),
        ])
    func ranges(_ range: String, _ status: Int, _ expected: Range<Int>) async throws {
        let server = try serve(Response(Self.body))
        let outcome = try await Curl.run("--header", "Range: bytes=\(range)", "--include", server.origin)
        #expect(outcome.output.hasPrefix("HTTP/1.1 \(status) "))
        #expect(outcome.outputBytes.suffix(expected.count) == Self.body.bytes[expected])
        if status == 416 { #expect(outcome.output.contains("Content-Range: bytes */200000\r\n")) }
    }

    @Test("a part is sent only of the version that was asked for", arguments: [("\"a\"", 206), ("\"b\"", 200)])
    func condition(_ tag: String, _ status: Int) async throws {
        let server = try serve(.media(Self.body, type: "image/jpeg", tag: "a"))
        let outcome = try await Curl.run("--range", "5-", "--header", "If-Range: \(tag)", "--head", server.origin)
        #expect(outcome.output.hasPrefix("HTTP/1.1 \(status) "))
    }

    @Test("requests are read and counted")
    func requests() async throws {
        let server = try HTTPServer { .text("\($0.attempt)") }
        let target = "\(server.origin)/a%20b?x=1+2&y=%C3%A9&x"
        #expect(try await Curl.run(target, target, "--header", "X-One:  Two").output == "12")
        let request = try #require(server.requests.last)
        #expect(request.path == "/a b")
        #expect(request.query.map(\.name) == ["x", "y", "x"])
        #expect(request.query.map(\.value) == ["1 2", "é", ""])
        #expect(request.headers["x-one"] == "Two")
        #expect(request.target == "/a%20b?x=1+2&y=%C3%A9&x")
    }

    @Test("what is answered at the same time is counted")
    func atOnce() async throws {
        let server = try serve(Response(Body("x"), delay: .milliseconds(200)))
        let target = server.origin
        #expect(try await Curl.run("--parallel", "--parallel-immediate", target, target, target).output == "xxx")
        #expect(server.mostAtOnce == 3)
    }

    @Test("a body needs no memory of its size, and a stopped server frees its port")
    func large() async throws {
        let picture = Pictures.jpeg(bytes: 300_000_000)
        let server = try serve(Response(picture))
        let outcome = try await Curl.run("--output", "/dev/null", "--write-out", "%{size_download}", server.origin)
        #expect(outcome.output == "300000000")
        server.stop()
        let again = try HTTPServer(port: server.port) { _ in .text("back") }
        #expect(try await Curl.run(again.origin).output == "back")
    }

    @Test("stopping ends even a request that hangs")
    func stop() async throws {
        let server = try serve(.hanging)
        let client = try Program("/usr/bin/env", ["curl", "--silent", server.origin])
        try await server.request { $0.path == "/" }
        server.stop()
        #expect(try await client.finished().status == 52)
    }
}
