import Apod
import TestSupport
import Testing

@Suite struct PicturesTests {
    @Test(
        "media have the length that was asked for, and differ by their seed",
        arguments: [MediaType.jpeg, .png, .gif, .mp4])
    func lengths(_ type: MediaType) {
        func make(_ bytes: Int, _ seed: UInt64) -> Body {
            switch type {
            case .jpeg: Pictures.jpeg(bytes: bytes, seed: seed)
            case .png: Pictures.png(bytes: bytes, seed: seed)
            case .gif: Pictures.gif(bytes: bytes, seed: seed)
            default: Pictures.mp4(bytes: bytes, seed: seed)
            }
        }
        for bytes in [600, 601, 33_300, 100_001] {
            let body = make(bytes, 1)
            #expect(body.count == bytes && body.bytes.count == bytes)
            #expect(MediaType(firstBytes: body.bytes) == type)
            #expect(body.bytes != make(bytes, 2).bytes && body.bytes == make(bytes, 1).bytes)
        }
    }

    @Test("a body cut anywhere is the same as its bytes cut there")
    func pieces() throws {
        let body = Pictures.png(bytes: 100_001, seed: 9)
        for range in [0..<1, 5..<50_000, 32_767..<32_769, 99_990..<100_001] {
            var bytes: [UInt8] = []
            try body.forEachPiece(in: range) { bytes.append(contentsOf: $0) }
            #expect(bytes == Array(body.bytes[range]))
        }
    }
}
