import Glibc
import TestSupport
import Testing

@Suite struct ProgramTests {
    private func shell(_ script: String, limit: Duration = .seconds(20)) throws -> Program {
        try Program("/bin/sh", ["-c", script], environment: ["WORD": "moon"], limit: limit)
    }

    @Test("both outputs are read to the end, however long they are")
    func outputs() async throws {
        let outcome = try await shell(
            "head -c 3000000 /dev/zero >&2; head -c 3000000 /dev/zero; echo $WORD; cat; exit 3"
        ).finished()
        #expect(outcome.outputBytes.count == 3_000_005)
        #expect(outcome.errorBytes.count == 3_000_000)
        #expect(outcome.output.hasSuffix("moon\n"))
        #expect(outcome.end == .exited(3))
    }

    @Test("a program can be waited for, and ended")
    func signal() async throws {
        let program = try shell("echo ready; exec sleep 20")
        try await program.outcome { $0.output.contains("ready") }
        program.send(SIGTERM)
        #expect(try await program.finished().end == .signalled(SIGTERM))
    }

    @Test("a program that takes too long is killed, and one that is not there is an error")
    func limit() async throws {
        #expect(throws: SystemError.self) { try Program("/nowhere/at/all") }
        #expect(try await shell("exec sleep 20", limit: .milliseconds(50)).finished().end == .tooLong)
    }

    @Test("a temporary folder goes away with all it holds")
    func folder() async throws {
        var folder: TemporaryFolder? = try TemporaryFolder()
        let path = try #require(folder?.path)
        let script = "cd '\(path)' && mkdir -p a/b && touch a/b/c \"$(printf '\\377')\" && ln -s / d && chmod 0 a/b"
        #expect(try await shell(script).finished().status == 0)
        folder = nil
        #expect(access(path, F_OK) != 0)
        #expect(access("/bin/sh", F_OK) == 0)
    }
}
