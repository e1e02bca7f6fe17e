import Archive
import Dispatch
import Files
import TestSupport
import Testing

@testable import Service

@Suite("What the service is asked to tell", .serialized, .timeLimit(.minutes(1)))
struct ReadingTests {
    private func ask(_ outpost: Outpost, _ request: ControlRequest) throws -> LocalSocket {
        let own = try Folder.open("\(outpost.root)/.apod-mirror")
        let socket = try LocalSocket.connected(to: "control", in: own, patience: .seconds(20))
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

    @Test("is not looked up for somebody who has gone while they waited")
    func gone() async throws {
        let outpost = try Outpost(days: 1)
        let begun = Awaited(0)
        let gate = DispatchSemaphore(value: 0)
        outpost.readout = { _, _, _ in
            begun.update { $0 += 1 }
            gate.wait()
            return []
        }
        outpost.start()
        try await outpost.told(.watching)
        let mark = try #require(Archive.mark(root: outpost.root))
        let reading = ControlRequest.read(.favorites(asJSON: true), mark: mark)
        let first = [try ask(outpost, reading), try ask(outpost, reading)]
        _ = try await begun.first { $0 == 2 }
        try ask(outpost, reading).hangUp()
        // Whoever hears this has noticed that before.
        #expect(await heard(try ask(outpost, .status)).hasSuffix("{\"end\":null}\n"))
        let last = try ask(outpost, reading)
        for _ in 0..<4 { gate.signal() }
        for socket in first + [last] { #expect(await heard(socket) == "{\"end\":null}\n") }
        #expect(begun.value == 3)
        await outpost.stop()
    }
}
