import TestSupport
import Testing

struct FakeServerTests {
    private static var body: Body { Pictures.jpeg(bytes: 200_000, seed: 5) }

    @Test(
        "The server of these tests has faults that look to another client as they should (curl(1), exit codes)",
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
        let server = try HTTPServer { _ in response }
        let options = ["--silent", "--noproxy", "*", "--location", "--max-redirs", "2", "--max-time", "1"]
        let outcome = try await Program.run("/usr/bin/curl", options + [server.origin])
        #expect(outcome.status == code)
        #expect(outcome.outputBytes == Array(response.body.bytes.prefix(count)))
    }
}
