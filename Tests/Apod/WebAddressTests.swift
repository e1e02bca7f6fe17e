import Apod
import Testing

struct WebAddressTests {
    @Test(
        "A web address is absolute, in ASCII, and without what servers are not told",
        arguments: [
            ("https://example.org", "https://example.org/"),
            ("HTTPS://Example.ORG:8080/A?b=C", "https://example.org:8080/A?b=C"),
            (" http://h/a b.jpg\n", "http://h/a%20b.jpg"), ("http://h/a%20b+c.JPG", "http://h/a%20b+c.JPG"),
            ("http://h/é?ü", "http://h/%C3%A9?%C3%BC"), ("http://h/a#b", "http://h/a"), ("http://h#b", "http://h/"),
            ("http://h?a", "http://h/?a"), ("http://h/a\u{0}b\u{202e}c", "http://h/abc"),
            ("http://h/\"<>\\^`{|}", "http://h/%22%3C%3E%5C%5E%60%7B%7C%7D"),
            ("http://[::1]:81/a", "http://[::1]:81/a"), ("http://h/a#\u{301}b", "http://h/a"),
            ("http://h\\@x/", "http://h/%5C@x/"),
        ])
    func absolute(text: String, expected: String) {
        #expect(WebAddress(text)?.description == expected)
    }

    @Test(
        "Any other text is no web address",
        arguments: [
            "", " ", "/a", "a.jpg", "//h/a", "http:", "http:/h", "http://", "http:///a", "http://user@h/",
            "http://u:p@h/", "http://h h/", "http://h\u{e9}/", "ftp://h/a", "file:///etc/passwd", "javascript:alert(1)",
            "data:image/png,x", "http//h", "://h/", "http://%68/", "http://h\r\n.x/", "http://?a", "http://#a",
            "1http://h/", "http://h:80:80@x/", "java\nscript:x",
        ])
    func bad(text: String) {
        #expect(WebAddress(text) == nil)
    }

    @Test(
        "A web address can be relative to another",
        arguments: [
            ("c.jpg", "https://h:8/a/c.jpg"), ("/c.jpg", "https://h:8/c.jpg"), ("//x/c.jpg", "https://x/c.jpg"),
            ("?y=2", "https://h:8/a/b?y=2"), ("#x", "https://h:8/a/"), ("http://x/c", "http://x/c"),
            ("c d.jpg?e=f:g", "https://h:8/a/c%20d.jpg?e=f:g"), ("image/c.jpg", "https://h:8/a/image/c.jpg"),
        ])
    func relative(text: String, expected: String) {
        #expect(WebAddress(text, relativeTo: WebAddress("https://h:8/a/b?x=1"))?.description == expected)
        let plain = WebAddress(text, relativeTo: WebAddress("http://h:8/a/b?x=1"))?.description
        #expect(plain == expected.replacing("https:", with: "http:"))
    }

    @Test(
        "Any other text is no web address, relative to another one or not",
        arguments: ["", "javascript:1", "about:blank", "//", "//u@x/", "mailto:a@b"])
    func badRelative(text: String) {
        #expect(WebAddress(text, relativeTo: WebAddress("https://h/a")) == nil)
    }

    @Test("A web address has its parts")
    func parts() throws {
        let address = try #require(WebAddress("https://[2001:db8::1]:8080/a/b.TAR.Gz?x=1&y=a/b.c?d"))
        #expect(address.scheme == "https" && address.origin == "https://[2001:db8::1]:8080")
        #expect(address.authority == "[2001:db8::1]:8080" && address.host == "[2001:db8::1]")
        #expect(address.path == "/a/b.TAR.Gz" && address.pathExtension == "gz")
        #expect(address.query == "x=1&y=a/b.c?d")
        #expect(address.withoutQuery.description == "https://[2001:db8::1]:8080/a/b.TAR.Gz")
        #expect(WebAddress("http://h:8/")?.host == "h")
        #expect(WebAddress("http://h/a.b/c")?.pathExtension == "")
        #expect(WebAddress("http://h/a.b/c")?.query == nil)
    }

    @Test("A web address can be extended")
    func appending() {
        #expect(WebAddress("http://h/a/?x")!.appending(path: "/b?c").description == "http://h/a/b?c")
        #expect(WebAddress("http://h")!.appending(path: "/b").description == "http://h/b")
    }

    @Test(
        "A web address reads its own description as itself",
        arguments: ["http://h/%zz%", "http://h/a?b?c", "http://h//a//b", "http://h/~'()*!;,$"])
    func again(text: String) throws {
        let address = try #require(WebAddress(text))
        #expect(WebAddress(address.description) == address)
        #expect(address.description == text)
    }
}
