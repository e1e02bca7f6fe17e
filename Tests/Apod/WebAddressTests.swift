import Apod
import Testing

struct WebAddressTests {
    @Test(
        "A web address is absolute or relative to another, in ASCII, and without what servers are not told",
        arguments: [
            ("http://h/\"<>\\^`{|}", "http://h/%22%3C%3E%5C%5E%60%7B%7C%7D"),
            ("HTTPS://Example.ORG:8080/A?b=C", "https://example.org:8080/A?b=C"),
            (" http://h/é b%20c+d.JPG\n", "http://h/%C3%A9%20b%20c+d.JPG"),
            ("http://h#b", "http://h/"), ("http://h?a", "http://h/?a"),
            ("http://h/a\u{0}b\u{202e}c", "http://h/abc"), ("http://[::1]:81/a", "http://[::1]:81/a"),
            ("http://h/a#\u{301}b", "http://h/a"), ("http://h?\u{301}x", "http://h/?%CC%81x"),
            ("http://h\\@x/", "http://h/%5C@x/"),
            ("http://h/%zz%?b?c~'()*!;,$", "http://h/%zz%?b?c~'()*!;,$"),
            ("c d.jpg?e=f:g", "https://h:8/a/c%20d.jpg?e=f:g"),
            ("/c.jpg", "https://h:8/c.jpg"), ("//x/c.jpg", "https://x/c.jpg"), ("?y=2", "https://h:8/a/b?y=2"),
            ("#x", "https://h:8/a/"),
        ])
    func good(text: String, expected: String) throws {
        let address = try #require(WebAddress(text, relativeTo: WebAddress("https://h:8/a/b?x=1")))
        #expect(address.description == expected && WebAddress(expected) == address)
        #expect(WebAddress(text) == (text.contains("://") ? address : nil))
    }

    @Test(
        "Any other text is no web address, relative to another one or not",
        arguments: [
            "", "http:/h", "http://", "http://u:p@h/", "http://h h/", "http://h\u{e9}/",
            "javascript:1", "://h/", "http://%68/", "http://h\r\n.x/", "http://?a", "1http://h/", "//u@x/",
            "http://\(String(repeating: "h", count: 301))/",
        ])
    func bad(text: String) {
        #expect(WebAddress(text) == nil && WebAddress(text, relativeTo: WebAddress("https://h/a")) == nil)
    }

    @Test("A web address has its parts, and can be extended")
    func parts() throws {
        let address = try #require(WebAddress("https://[2001:db8::1]:8080/a/b.TAR.Gz?x=1&y=a/b.c?d"))
        #expect(address.scheme == "https" && address.origin == "https://[2001:db8::1]:8080")
        #expect(address.authority == "[2001:db8::1]:8080" && address.host == "[2001:db8::1]")
        #expect(address.path == "/a/b.TAR.Gz" && address.pathExtension == "gz" && address.query == "x=1&y=a/b.c?d")
        #expect(address.withoutQuery.description == "https://[2001:db8::1]:8080/a/b.TAR.Gz")
        #expect(WebAddress("http://h:8/a.b/c")?.pathExtension == "")
        #expect(WebAddress("http://h/a/?x")!.appending(path: "/b?c").description == "http://h/a/b?c")
    }
}
