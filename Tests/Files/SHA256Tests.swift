import Apod
import Files
import Glibc
import TestSupport
import Testing

struct SHA256Tests {
    /// Of nothing, and FIPS 180-4's longer example.
    @Test(
        "A SHA-256 is the known one",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ])
    func known(text: String, digest: String) throws {
        #expect(Digest(of: text.bytes).description == digest)
        let home = try TemporaryFolder()
        let file = try home.open().makeFile("file")
        try file.append(text.bytes)
        #expect(try Digest(of: file).description == digest)
    }

    @Test("A SHA-256 tells whether a folder has a file, and nothing where it was stopped")
    func has() throws {
        let home = try TemporaryFolder()
        let folder = try home.open()
        try folder.makeFile("file").append([1, 2, 3])
        let digest = Digest(of: [1, 2, 3])
        #expect(try folder.has("file", bytes: 3, sha256: digest))
        #expect(try !folder.has("file", bytes: 4, sha256: digest) && !folder.has("other", bytes: 3, sha256: digest))
        #expect(try !folder.has("file", bytes: 3, sha256: Digest(of: [1, 2, 4])))
        #expect(failure(try folder.has("file", bytes: 3, sha256: digest, unless: { true }))?.errorNumber == ECANCELED)
    }
}
