import Files
import Glibc
import HTTP
import Serving
import TestSupport
import Testing

struct HeartsTests {
    /// The answer to one that a service is asked for, which does this with the connection.
    private func answer(_ serve: (LocalSocket) throws -> Void) async throws -> HTTP.Response {
        let mirror = try await ServedMirror("2026-11-20")
        let socket = try LocalSocket.listening(as: "control", in: Folder.open(mirror.folder.path))
        try mirror.put(mirror.folder.appending("control"), ".apod-mirror/web-address")
        let asked = try mirror.answer("/favorites/2026-11-20", "POST", headers: ["x-apod-favorite": "add"])
        guard case .later(let make) = asked.body else { return asked }
        try serve(socket)
        return make()
    }

    @Test("A heart is not known yet where the service is late or ends, and cannot be had where there is none")
    func silent() async throws {
        #expect(try await answer { _ in }.status == 202)
        let broken = try await answer { socket in
            Task.detached {
                var client: LocalSocket?
                try block(for: "a client") {
                    client = try socket.accept()
                    return client != nil
                }
                try block(for: "its request") { try client?.receive()?.isEmpty == false }
            }
        }
        #expect(broken.status == 202)
        #expect(try await answer { $0.hangUp() }.status == 503)
    }

    @Test("A heart is changed by the gallery's own page alone, also behind a proxy that was asked by HTTPS")
    func origins() async throws {
        let mirror = try await ServedMirror("2026-11-20")
        try mirror.put(mirror.folder.appending("control"), ".apod-mirror/web-address")
        for (origin, site, status) in [
            // 503: there is no service.
            ("http://nas:8095", nil, 503), ("https://nas:8095", "same-origin", 503),
            ("http://nas:8095", "cross-site", 403),
            ("https://nas", nil, 403), ("http://nas:8095.example.org", nil, 403), ("null", nil, 403), ("", nil, 403),
            ("nas:8095", nil, 403),
        ] {
            var headers = ["x-apod-favorite": "add", "origin": origin]
            headers["sec-fetch-site"] = site
            #expect(try mirror.made("/favorites/2026-11-20", "POST", headers: headers).status == status, "\(origin)")
        }
    }

    @Test("A heart is of a day or an item that is here, in an album that can be")
    func keys() async throws {
        let mirror = try await ServedMirror("2026-11-20")
        for folder in ["lists", "lists/cats"] { mkdir("\(mirror.root)/\(folder)", 0o755) }
        try mirror.put("{}", "lists/cats/Mittens.json")
        for (path, status) in [
            // 403: no service can be asked.
            ("2026-11-20", 403), ("lists/2026-11-20", 403), ("2026-11-19", 404), ("lists/cats/Mittens", 403),
            ("Pets/lists/cats/Mittens", 403), ("lists/cats/Tom", 404), ("lists/cats/Mittens.json", 404),
            ("a/b/lists/cats/Mittens", 404), (".a/lists/cats/Mittens", 400), ("", 405),
        ] {
            let answer = try mirror.answer("/favorites/\(path)", "POST", headers: ["x-apod-favorite": "add"])
            #expect(answer.status == status, "\(path)")
        }
    }
}
