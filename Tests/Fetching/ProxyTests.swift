import Apod
import TestSupport
import Testing

@testable import Fetching

@Suite("A proxy")
struct ProxyTests {
    @Test("is asked for everything, by whole addresses", arguments: ["http_proxy", "all_proxy", "ALL_PROXY"])
    func asked(variable: String) async throws {
        let picture = Pictures.jpeg()
        let proxy = try HTTPServer {
            $0.path.hasSuffix(".jpg") ? .media(picture, type: "image/jpeg") : .text("by proxy")
        }
        let bench = try Bench(upstream: "http://upstream.example", environment: [variable: proxy.origin])
        let document = try await bench.document("http://upstream.example/a?b=c")
        #expect(document.bytes == Array("by proxy".utf8))
        #expect(try await bench.file("http://pictures.example:8080/a.jpg").contents() == picture.bytes)
        let targets = ["http://upstream.example/a?b=c", "http://pictures.example:8080/a.jpg"]
        #expect(proxy.requests.map(\.target) == targets)
        #expect(proxy.requests[0].headers["host"] == "upstream.example")
    }

    @Test("in capitals is none, for a request's header can look so")
    func capitals() async throws {
        let proxy = try HTTPServer { _ in .text("by proxy") }
        let server = try HTTPServer { _ in .text("directly") }
        let bench = try Bench(upstream: server.origin, environment: ["HTTP_PROXY": proxy.origin])
        #expect(try await bench.document(server.origin).bytes == Array("directly".utf8))
        #expect(proxy.requests.isEmpty)
    }

    @Test(
        "is not asked for what it is not for", arguments: ["*", "a.example, 127.0.0.1", "127.0.0.1:PORT"])
    func exceptions(text: String) async throws {
        let proxy = try HTTPServer { _ in .text("by proxy") }
        let server = try HTTPServer { _ in .text("directly") }
        let text = text.hasSuffix("PORT") ? "127.0.0.1:\(server.port)" : text
        for variable in ["no_proxy", "NO_PROXY"] {
            let bench = try Bench(upstream: server.origin, environment: ["http_proxy": proxy.origin, variable: text])
            #expect(try await bench.document(server.origin).bytes == Array("directly".utf8))
        }
        #expect(proxy.requests.isEmpty)
    }

    @Test(
        "is chosen by scheme and host",
        arguments: [
            ("http://plain", "http://a.example"),
            ("http://secure", "https://a.example https://xb.example https://d.example https://b.example.org"),
            (
                nil,
                """
                https://b.example https://x.b.example https://c.example https://x.c.example https://d.example:8080
                https://B.Example https://b.example.
                """
            ),
        ] as [(String?, String)])
    func choice(expected: String?, texts: String) {
        let proxy = Proxy(environment: [
            "http_proxy": "http://plain", "HTTPS_PROXY": "http://secure",
            "no_proxy": "b.EXAMPLE,.c.example d.example:8080",
        ])
        for text in texts.split(whereSeparator: \.isWhitespace).map(String.init) {
            #expect(proxy.address(for: address(text)) == expected, "\(text)")
        }
    }

    @Test("in small letters goes before one in capitals, and the empty one counts for nothing")
    func precedence() {
        let both = Proxy(environment: ["https_proxy": "http://small", "HTTPS_PROXY": "http://LARGE", "all_proxy": "x"])
        #expect(both.address(for: address("https://a.example/")) == "http://small")
        let empty = Proxy(environment: ["https_proxy": "", "all_proxy": "http://all", "http_proxy": ""])
        #expect(empty.address(for: address("https://a.example/")) == "http://all")
        #expect(Proxy(environment: [:]).address(for: address("https://a.example/")) == nil)
    }

    @Test(
        "is not asked for what is in a private network",
        arguments: [
            "http://10.0.0.1/", "http://localhost/", "http://[::1]/", "http://2852039166/", "http://127.0.0.1./",
        ])
    func privateAddresses(text: String) async throws {
        let proxy = try HTTPServer { $0.target == "http://public.example/" ? .redirect(to: text) : .text("by proxy") }
        let bench = try Bench(upstream: "http://upstream.example", environment: ["http_proxy": proxy.origin])
        for start in [text, "http://public.example/"] {
            let reason = await reason { try await bench.document(start) }
            #expect(reason == .forbiddenHost(String(address(text).host)))
        }
        #expect(proxy.requests.map(\.target) == ["http://public.example/"])
    }

    @Test("is asked for a private upstream, since that is what the person named")
    func privateUpstream() async throws {
        let proxy = try HTTPServer { _ in .text("by proxy") }
        let bench = try Bench(upstream: "http://10.0.0.1", environment: ["http_proxy": proxy.origin])
        #expect(try await bench.document("http://10.0.0.1/").bytes == Array("by proxy".utf8))
        #expect(await reason { try await bench.document("http://127.0.0.1/") }?.isForbidden == true)
    }

    @Test("that is not there is a failure of the connection")
    func gone() async throws {
        let proxy = try HTTPServer { _ in .text("") }
        proxy.stop()
        let bench = try Bench(upstream: "http://upstream.example", environment: ["http_proxy": proxy.origin])
        let reason = await reason { try await bench.document("http://upstream.example/") }
        #expect(reason?.isUnreachable == true)
        // It is the one that is named.
        #expect("\(reason!)".contains("127.0.0.1 port \(proxy.port)") && !"\(reason!)".contains(" ms"), "\(reason!)")
    }
}
