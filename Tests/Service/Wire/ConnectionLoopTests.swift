import Apod
import Dispatch
import Files
import Glibc
import Store
import Synchronization
import Syncing
import TestSupport
import Testing

@testable import Service

extension LocalSocket {
    /// All that is said until the end of the connection.
    var heard: [UInt8] {
        var heard: [UInt8] = []
        do {
            while let bytes = try receive() {
                if bytes.isEmpty { return heard }
                heard += bytes
            }
            Issue.record("the connection does not end")
        } catch {}
        return heard
    }

    /// All that is answered to a request.
    static func answer(to request: ServiceRequest, at path: String) throws -> String {
        let socket = try connected(at: path, timeout: .seconds(20))
        _ = try socket.send(request.bytes[...])
        return socket.heard.text
    }
}

@Suite(.patience)
struct ConnectionLoopTests {
    private let folder: TemporaryFolder
    private let writers: AsyncStream<ResponseWriter>
    private let reception: ConnectionLoop

    init() throws {
        folder = try TemporaryFolder()
        let (writers, arrival) = AsyncStream<ResponseWriter>.makeStream()
        self.writers = writers
        reception = ConnectionLoop { loop, id, _, _ in arrival.yield(ResponseWriter(id, at: loop)) }
        reception.open(try LocalSocket.listening(as: "control", in: try Folder.open(folder.path)))
    }

    private func place() throws -> Folder { try Folder.open(folder.path) }

    /// Who has asked for something already.
    private func visitor(to name: String = "control") throws -> LocalSocket {
        let socket = try LocalSocket.connected(at: folder.appending(name), timeout: .seconds(20))
        _ = try socket.send("{}\n".bytes[...])
        return socket
    }

    private func visit() async throws -> (LocalSocket, ResponseWriter) {
        let socket = try visitor()
        let writer = try #require(await writers.first { _ in true })
        return (socket, writer)
    }

    @Test("Whoever asked hears all of it in order, however much it is")
    func order() async throws {
        defer { reception.close() }
        let (socket, writer) = try await visit()
        let answers = (0..<10_000).map {
            ControlAnswer.end(Problem(.other, "\($0) " + String(repeating: "x", count: $0 % 300)))
        }
        // More than the kernel keeps for whoever does not read yet.
        for answer in answers { writer.send(answer) }
        writer.end(.end(nil))
        writer.send(.event(.received(7)))
        let heard = socket.heard
        #expect(heard == answers.flatMap(\.line) + ControlAnswer.end(nil).line)
        #expect(heard.count > 1 << 20)
    }

    @Test(
        "Whoever asked has half a minute to take something of what the system cannot keep"
    )
    func deadline() throws {
        defer { reception.close() }
        let door = try LocalSocket.listening(as: "other", in: try place())
        let socket = try visitor(to: "other")
        var connection = Connection(try #require(try door.accept()), timeout: .seconds(5))
        if case .request = connection.hear() {} else { Issue.record("nothing was asked for") }
        #expect(connection.deadline == nil)
        let isThere = connection.say([UInt8](repeating: 0x20, count: 2 << 20))
        let deadline = try #require(connection.deadline)
        #expect(isThere && deadline > .now && deadline <= .now + .seconds(30))
        withExtendedLifetime(socket) {}
    }

    @Test(
        "The thread that hears requests answers the watchdog, unless it is held up"
    )
    func answers() async throws {
        let gate = DispatchSemaphore(value: 0)
        let answered = Mutex(false)
        let (heard, hearing) = AsyncStream<Void>.makeStream()
        let held = ConnectionLoop { _, _, _, _ in
            hearing.yield()
            gate.wait()
        }
        defer { held.close() }
        // Nobody can connect yet: there is no thread.
        await held.answer()
        held.open(try LocalSocket.listening(as: "other", in: try place()))
        await held.answer()
        let socket = try visitor(to: "other")
        _ = await heard.first { _ in true }
        let question = Task(executorPreference: ThreadExecutor.shared) {
            await held.answer()
            answered.withLock { $0 = true }
        }
        try await sleep(for: .milliseconds(50))
        #expect(answered.withLock { !$0 })
        gate.signal()
        await question.value
        withExtendedLifetime(socket) {}
    }

    @Test("Whoever asked and reads nothing is let go, and nobody waits for them")
    func deaf() async throws {
        defer { reception.close() }
        let (socket, writer) = try await visit()
        let note = ControlAnswer.mistake(String(repeating: "x", count: 100_000))
        let count = Mutex(0)
        await writer.runWhileConnected {
            while !Task.isCancelled, count.withLock({ $0 < 1_000 }) {
                writer.send(note)
                count.withLock { $0 += 1 }
            }
        }
        // So much is kept for it, and no more.
        #expect(40...200 ~= count.withLock(\.self))
        withExtendedLifetime(socket) {}
    }

    @Test("Whoever asked and takes nothing for too long is let go without a word")
    func silent() throws {
        let listener = try LocalSocket.listening(as: "other", in: try place())
        let visitor = try visitor(to: "other")
        let socket = try #require(try listener.accept())
        // The kernel keeps no more for it.
        while try socket.send([UInt8](repeating: 0x20, count: 1 << 16)[...]) > 0 {}
        var connection = Connection(socket, timeout: .zero)
        #expect(connection.say([0x20]) && !connection.isListening)
        var connections = Connections(timeout: .seconds(100))
        connections.open[7] = connection
        let nothing = pollfd(fd: -1, events: 0, revents: 0)
        #expect(connections.handle(listener: nothing, [7], [nothing]).isEmpty && connections.open.isEmpty)
        withExtendedLifetime(visitor) {}
    }

    @Test("Whoever asked is worked for no longer than they wait")
    func hangUp() async throws {
        defer { reception.close() }
        let (socket, writer) = try await visit()
        await writer.runWhileConnected {
            socket.hangUp()
            await #expect(throws: CancellationError.self) { try await sleep(for: .seconds(100)) }
        }
        await writer.runWhileConnected {
            await #expect(throws: CancellationError.self) { try await sleep(for: .seconds(100)) }
        }
    }

    @Test("Whoever asked has nothing more done when everybody is sent away")
    func sentAway() async throws {
        let (ids, arrival) = AsyncStream<Int>.makeStream()
        let loop = ConnectionLoop { _, id, _, _ in arrival.yield(id) }
        loop.open(try LocalSocket.listening(as: "other", in: try place()))
        let socket = try visitor(to: "other")
        let id = try #require(await ids.first { _ in true })
        let isTold = Mutex(false)
        loop.onHangUp(of: id) { isTold.withLock { $0 = true } }
        #expect(isTold.withLock { !$0 } && loop.isThere(id))
        loop.close()
        #expect(isTold.withLock(\.self) && !loop.isThere(id))
        reception.close()
        withExtendedLifetime(socket) {}
    }

    @Test(
        "A loop that can let nobody in waits for a moment before it tries again"
    )
    func closedDoor() throws {
        defer { reception.close() }
        var connections = Connections(timeout: .seconds(100))
        // It is no place where anybody could be accepted.
        connections.listener = try visitor()
        var listener = connections.sources().listener
        #expect(listener.fd >= 0 && connections.sources().timeout == -1)
        listener.revents = Int16(POLLIN)
        #expect(connections.handle(listener: listener, [], []).isEmpty && connections.open.isEmpty)
        #expect(connections.sources().listener.fd == -1)
        #expect(1...1_001 ~= connections.sources().timeout)
    }

    @Test("Whoever asked may have closed their own side")
    func halfClosed() async throws {
        defer { reception.close() }
        let (socket, writer) = try await visit()
        shutdown(socket.descriptor, Int32(SHUT_WR))
        for number in 0..<100 { writer.send(.event(.received(number))) }
        writer.end(.end(nil))
        #expect(socket.heard.suffix(11) == ControlAnswer.end(nil).line.suffix(11))
    }

    @Test("Whoever asked hears the end when nobody serves them any more")
    func forgotten() async throws {
        defer { reception.close() }
        var (socket, writer): (LocalSocket, ResponseWriter?) = try await visit()
        writer?.send(.event(.received(1)))
        writer = nil
        let start = ContinuousClock.now
        #expect(socket.heard == ControlAnswer.event(.received(1)).line && .now - start < .seconds(10))
    }
}
