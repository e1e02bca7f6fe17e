import Files
import Glibc
import HTTP
import Serving
import TestSupport
import Testing

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

    @Test("A heart is not known yet where the service has not answered in time")
    func late() async throws {
        #expect(try await answer { _ in }.status == 202)
    }

    @Test("A heart is not known yet where the service ends before it answers")
    func broken() async throws {
        let answer = try await answer { socket in
            Task.detached {
                var client: LocalSocket?
                try block(for: "a client") {
                    client = try socket.accept()
                    return client != nil
                }
                try block(for: "its request") { try client?.receive()?.isEmpty == false }
            }
        }
        #expect(answer.status == 202)
    }

    @Test("A heart cannot be had where no service can be asked")
    func away() async throws {
        #expect(try await answer { $0.hangUp() }.status == 503)
    }

    @Test(
        "A heart is changed by the gallery's own page alone, also behind a proxy that was asked by HTTPS",
        arguments: [
            // 503: there is no service.
            ("http://nas:8095", 503), ("https://nas:8095", 503), ("https://nas", 403),
            ("http://nas:8095.example.org", 403),
            ("https://example.org", 403), ("null", 403), ("", 403), ("nas:8095", 403),
        ])
    func origins(origin: String, status: Int) async throws {
        let mirror = try ServedMirror()
        try await mirror.add("2026-11-20")
        try mirror.publish()
        try mirror.put(mirror.folder.appending("control"), ".apod-mirror/web-address")
        let headers = ["x-apod-favorite": "add", "origin": origin]
        let answer = try mirror.answer("/favorites/2026-11-20", "POST", headers: headers)
        guard case .later(let make) = answer.body else {
            #expect(answer.status == status)
            return
        }
        #expect(make().status == status)
    }

    @Test(
        "A heart is of a day or an item that is here, in an album that can be",
        arguments: [
            // 403: no service can be asked.
            ("2026-11-20", 403), ("lists/2026-11-20", 403), ("2026-11-19", 404), ("lists/cats/Mittens", 403),
            ("Pets/lists/cats/Mittens", 403), ("lists/lists/cats/Mittens", 403), ("lists/cats/Tom", 404),
            ("lists/cats/Mittens.json", 404), ("a/b/lists/cats/Mittens", 404), (".a/lists/cats/Mittens", 400),
            ("lists/dogs/Mittens", 404), ("", 405),
        ])
    func subjects(path: String, status: Int) async throws {
        let mirror = try ServedMirror()
        try await mirror.add("2026-11-20")
        try mirror.publish()
        for folder in ["lists", "lists/cats"] { mkdir("\(mirror.root)/\(folder)", 0o755) }
        try mirror.put("{}", "lists/cats/Mittens.json")
        let answer = try mirror.answer("/favorites/\(path)", "POST", headers: ["x-apod-favorite": "add"])
        #expect(answer.status == status)
    }
}
