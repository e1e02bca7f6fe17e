import Files
import Glibc
import HTTP
import Serving
import TestSupport
import Testing

@Suite("A heart")
struct HeartsTests {
    /// The answer to one that a service is asked for, which does this with the connection.
    private func answer(_ serve: (LocalSocket) throws -> Void) async throws -> HTTP.Response {
        let mirror = try ServedMirror()
        try await mirror.add("2026-11-20")
        try mirror.publish()
        let socket = try LocalSocket.listening(as: "control", in: Folder.open(mirror.folder.path))
        try mirror.put(mirror.folder.appending("control"), ".apod-mirror/web-address")
        let asked = try mirror.answer("/favorites/2026-11-20", "POST", headers: ["x-apod-favorite": "add"])
        guard case .later(let make) = asked.body else { return asked }
        try serve(socket)
        return make()
    }

    @Test("is not known yet where the service has not answered in time")
    func late() async throws {
        #expect(try await answer { _ in }.status == 202)
    }

    @Test("is not known yet where the service ends before it answers")
    func broken() async throws {
        let answer = try await answer { socket in
            Task.detached {
                var client: LocalSocket?
                while client == nil {
                    client = try socket.accept()
                    usleep(1_000)
                }
                while (try? client?.receive())?.isEmpty ?? true { usleep(1_000) }
            }
        }
        #expect(answer.status == 202)
    }

    @Test("cannot be had where no service can be asked")
    func away() async throws {
        #expect(try await answer { $0.hangUp() }.status == 503)
    }
}
