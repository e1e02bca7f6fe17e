import Files
import Glibc
import TestSupport
import Testing

@testable import Fetching

/// For a process of its own.
@Suite("Where no more files can be opened")
struct ShortageTests {
    @Test("what has come of a file stays")
    func partial() async {
        await #expect(processExitsWith: .success) {
            let picture = Pictures.jpeg(bytes: 4_000_000)
            let server = try HTTPServer { _ in .jpeg(picture, tag: "a", ending: .close(after: 3_000_000)) }
            let bench = try Bench(server) { $0.attempts = 1 }
            _ = await bench.failure()
            let before = try bench.names
            #expect(!before.isEmpty)
            server.stop()
            var limit = rlimit(rlim_cur: 256, rlim_max: 256)
            guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
                throw SystemError("setrlimit")
            }
            var taken: [Int32] = []
            while let descriptor = Optional(dup(2)), descriptor >= 0 { taken.append(descriptor) }
            // So that it ends at each in turn: the file, what is noted of it, the connection.
            for _ in 0..<4 {
                let reason = await bench.failure()
                guard case .disk(let error)? = reason else { break }
                #expect(error.code == EMFILE)
                close(taken.removeLast())
            }
            for descriptor in taken { close(descriptor) }
            #expect(try bench.names == before)
        }
    }
}
