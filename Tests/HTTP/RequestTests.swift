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
            "", "x", "http://other/", "/..", "/a/../b", "/a/%2e%2e/b", "/.", "/a/.", "/a%2fb", "/a%00b", "/%", "/%4",
            "/%zz", "/%ff", "/%c0%ae%c0%ae/", "/.%2e/a", "/%u002e%u002e/a", "/%f0%80%80%ae/a", "/%ed%a0%80",
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
            (
                true,
                """
                192.168.1.5 192.168.1.5:8095 [::1] [fe80::1]:80 localhost:8095 NAS nas.local nas.fritz.box:8095
                nas.home.arpa nas.local. Apod.Example.Org:443 nas:
                """
            ),
            (
                false,
                """
                nas.example.org evil.org nas.local.evil.org 192.168.1.5.evil.org [::1 [::1].evil.org [::1]:x nas:x
                other.local nas.local/ a@nas
                """
            ),
        ])
    func host(_ isOwn: Bool, _ names: String) {
        let hosts = Hosts(machine: "nas", others: ["apod.example.org"])
        for name in names.split(whereSeparator: \.isWhitespace) {
            #expect(hosts.accept(String(name)) == isOwn, "\(name)")
        }
        #expect(!hosts.accept(""))
    }
}
