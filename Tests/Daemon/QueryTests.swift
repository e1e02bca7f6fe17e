import Archive
import Concurrency
import Dispatch
import Files
import Syncing
import TestSupport
import Testing

@testable import Control
@testable import Daemon

@Suite("What the service is asked to tell", .serialized, .timeLimit(.minutes(1)))
struct QueryTests {
    private func ask(_ testService: TestService, _ request: ControlRequest) throws -> LocalSocket {
        let own = try Folder.open("\(testService.root)/.apod-mirror")
        let socket = try LocalSocket.connected(to: "control", in: own, timeout: .seconds(20))
        _ = try socket.send(request.line[...])
        return socket
    }

    private func heard(_ socket: LocalSocket) async -> String {
        await blocking {
            var heard: [UInt8] = []
            while let bytes = (try? socket.receive()) ?? nil, !bytes.isEmpty { heard += bytes }
            return String(decoding: heard, as: UTF8.self)
        }
    }

    /// Whose readouts wait at a gate. `begun`: how many have come there; `proof`: shows that one may read there.
    private func waiting() async throws -> (TestService, begun: Awaited<Int>, DispatchSemaphore, proof: String) {
        let testService = try TestService(days: 1)
        let begun = Awaited(0)
        let gate = DispatchSemaphore(value: 0)
        testService.readout = { _, _, _ in
            begun.update { $0 += 1 }
            gate.wait()
            return []
        }
        testService.start()
        try await testService.told(.watching)
        return (testService, begun, gate, try #require(Archive.proof(root: testService.root)))
    }

    @Test("is not looked up for somebody who has gone while they waited")
    func gone() async throws {
        let (testService, begun, gate, proof) = try await waiting()
        let reading = ControlRequest.read(.favorites(as: .json), proof: proof)
        let first = [try ask(testService, reading), try ask(testService, reading)]
        _ = try await begun.first { $0 == 2 }
        let third = try ask(testService, reading)
        // When these are answered, what came before them is known: the question, and that nobody waits for it.
        #expect(await heard(try ask(testService, .status)).hasSuffix("{\"end\":null}\n"))
        third.hangUp()
        #expect(await heard(try ask(testService, .status)).hasSuffix("{\"end\":null}\n"))
        let last = try ask(testService, reading)
        for _ in 0..<4 { gate.signal() }
        for socket in first + [last] { #expect(await heard(socket) == "{\"end\":null}\n") }
        #expect(begun.value == 3)
        await testService.stop()
    }

    @Test("keeps nobody waiting who wants something done, however many ask")
    func apart() async throws {
        let (testService, begun, gate, proof) = try await waiting()
        let readings = try (0..<20).map { _ in try ask(testService, .read(.favorites(as: .json), proof: proof)) }
        _ = try await begun.first { $0 == 2 }
        #expect(await heard(try ask(testService, .status)).hasSuffix("{\"end\":null}\n"))
        let order = try ask(testService, .job(.favorites(FavoritesOrder(.restore, []))))
        #expect(await heard(order).hasSuffix("{\"end\":null}\n"))
        #expect(begun.value == 2)
        for _ in readings { gate.signal() }
        for socket in readings { #expect(await heard(socket) == "{\"end\":null}\n") }
        await testService.stop()
    }
}
