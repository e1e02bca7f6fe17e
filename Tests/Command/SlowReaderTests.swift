import Apod
import Files
import Glibc
import TestSupport
import Testing

@testable import apod_mirror

struct SlowReaderTests {
    private static let text = String(repeating: "All of it is said.\n", count: 40_000)

    @Test(
        "A slow reader hears all that is said, also where a write does not wait",
        .patience)
    func slow() async throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0 && fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0)
        let (reading, writing) = (ends[0], ends[1])
        defer { close(reading) }
        // F_GETPIPE_SZ
        let room = fcntl(reading, 1032)
        let isOver = Awaited(false)
        let writer = Task {
            await blocking {
                Terminal.write(Self.text, to: writing, orEnd: false)
                close(writing)
            }
            isOver.update { $0 = true }
        }
        var heard: [UInt8] = []
        var buffer = nulls(Int(room))
        while true {
            // Until there is no room for more.
            while !isOver.value, waiting(in: reading) < room { try await sleep(for: .milliseconds(1)) }
            let count = read(reading, &buffer, buffer.count)
            if count <= 0 { break }
            heard += buffer[..<count]
        }
        await writer.value
        #expect(heard.text == Self.text)
    }

    /// In bytes.
    private func waiting(in pipe: Int32) -> Int32 {
        var count: Int32 = 0
        _ = ioctl(pipe, UInt(FIONREAD), &count)
        return count
    }
}
