import Apod
import TestSupport
import Testing

@Suite struct PicturesTests {
    private static let makers: [@Sendable (Int, UInt64) -> Body] = [
        { Pictures.jpeg(bytes: $0, seed: $1) }, { Pictures.png(bytes: $0, seed: $1) },
        { Pictures.gif(bytes: $0, seed: $1) }, { Pictures.mp4(bytes: $0, seed: $1) },
    ]
    private static let types: [MediaType] = [.jpeg, .png, .gif, .mp4]

    @Test("media have the length that was asked for, and differ by their seed", arguments: 0..<4)
    func lengths(_ index: Int) {
        let make = Self.makers[index]
        for bytes in [600, 601, 700, 32_768, 33_300, 65_537, 100_001] {
            let body = make(bytes, 1)
            #expect(body.count == bytes)
            #expect(body.bytes.count == bytes)
            #expect(MediaType(firstBytes: body.bytes) == Self.types[index])
            #expect(body.bytes != make(bytes, 2).bytes)
            #expect(body.bytes == make(bytes, 1).bytes)
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
