import Files
import Testing

@Suite("An MD5")
struct MD5Tests {
    /// RFC 1321's examples.
    @Test(
        "is the known one",
        arguments: [
            ("", "d41d8cd98f00b204e9800998ecf8427e"), ("abc", "900150983cd24fb0d6963f7d28e17f72"),
            ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
        ])
    func known(text: String, digest: String) { #expect(MD5.text(of: Array(text.utf8)) == digest) }
}
