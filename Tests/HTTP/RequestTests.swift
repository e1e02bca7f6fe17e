import HTTP
import Testing

struct RequestTests {
    @Test(
        "A request has a decoded path",
        arguments: [
            ("/", []), ("/2026/11/", ["2026", "11"]), ("//a///b", ["a", "b"]), ("/a%20b%C3%A9", ["a bé"]),
            ("/a%2e%2Eb", ["a..b"]), ("/...", ["..."]), ("/+", ["+"]),
        ])
    func path(_ path: String, _ parts: [String]) throws {
        let request = try Request("GET", path)
        #expect(request.path == parts)
        #expect(request.isFolder == path.hasSuffix("/"))
    }

    @Test(
        "A request is refused for a path that leads elsewhere or is none",
        arguments: [
            "", "x", "*", "http://other/", "/..", "/../a", "/a/../b", "/a/%2e%2e/b", "/%2E%2E", "/.", "/a/.", "/a%2fb",
            "/a%00b", "/%", "/%4", "/%zz", "/%ff", "/%c0%ae%c0%ae/", "/%e0%80%ae",
            "/.%2e/a", "/..%2fa", "/%u002e%u002e/a", "/%f0%80%80%ae/a", "/%ed%a0%80", "file:///a",
        ])
    func wrong(_ path: String) { #expect(throws: Request.Refusal.bad) { try Request("GET", path) } }

    @Test("A request is refused for what nobody asks for")
    func others() {
        #expect(throws: Request.Refusal.tooLong) { try Request("GET", "/" + String(repeating: "a", count: 5000)) }
        #expect(throws: Request.Refusal.notAllowed) { try Request("DELETE", "/") }
        #expect(throws: Request.Refusal.bad) { try Request("GET", "/", query: [("a", "%00")]) }
    }

    @Test(
        "A request may name this machine and nobody else's",
        arguments: [
            ("192.168.1.5", true), ("192.168.1.5:8095", true), ("[::1]", true), ("[fe80::1]:80", true),
            ("localhost:8095", true), ("NAS", true), ("nas.local", true), ("nas.fritz.box:8095", true),
            ("nas.home.arpa", true), ("nas.local.", true), ("apod.example.org", true), ("Apod.Example.Org:443", true),
            ("nas.example.org", false), ("evil.org", false), ("nas.local.evil.org", false), ("", false),
            ("192.168.1.5.evil.org", false), ("[::1", false), ("[::1].evil.org", false), ("[::1]:x", false),
            ("nas:", true), ("nas:x", false), ("other.local", false), ("nas.local/", false), ("a@nas", false),
        ])
    func host(_ host: String, _ isOwn: Bool) {
        #expect(Hosts(machine: "nas", others: ["apod.example.org"]).accept(host) == isOwn)
    }
}
