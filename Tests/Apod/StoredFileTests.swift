import Apod
import Testing

struct StoredFileTests {
    @Test("A picture is much smaller than another with less than half of its pixels")
    func smaller() {
        let files = (1...4).map {
            StoredFile(
                role: .picture, type: .jpeg, address: WebAddress("https://a.example/x")!, bytes: 1,
                sha256: Digest([UInt8](repeating: 0, count: 32))!, width: $0, height: 1)
        }
        #expect(files.map { $0.isMuchSmaller(than: files[3]) } == [true, false, false, false])
    }
}
