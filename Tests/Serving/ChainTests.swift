import Apod
import Files
import Glibc
import HTTP
import Serving
import TestSupport
import Testing

struct ChainTests {
    private static let days = ["2026-11-18", "2026-11-19", "2026-11-20"]

    /// A site on loopback, and its address.
    private final class Outpost {
        let origin: String
        private let server: HTTP.HTTPServer

        init(_ root: String) throws {
            let socket = try ListeningSocket.open("127.0.0.1:0")
            origin = "http://127.0.0.1:\(TestSupport.HTTPServer.port(of: socket))"
            let site = Site(root: root)
            server = try HTTP.HTTPServer(on: socket, hosts: Hosts(others: [])) { site.answer($0) }
        }
    }

    private func first() async throws -> ServedMirror {
        let mirror = try ServedMirror()
        for (number, date) in Self.days.enumerated() {
            let picture = Pictures.jpeg(width: 64, height: 48, bytes: 9000, seed: UInt64(number + 1)).bytes
            try await mirror.add(
                ServedMirror.record(date, "Orion Rising"),
                [.init(role: .picture, type: .jpeg, address: ServedMirror.address(date), bytes: picture)])
        }
        try mirror.publish()
        return mirror
    }

    private func sync(_ root: String, from origin: String, home: String) async throws -> Program.Outcome {
        try await Program.run(
            Places.built("apod-mirror"), ["sync", "--since", Self.days[0], "--until", Self.days[2], "--root", root],
            environment: [
                "HOME": home, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "APOD_MIRROR_UPSTREAM": origin,
                "APOD_MIRROR_RATE": "0", "APOD_MIRROR_GALLERY": "no", "APOD_MIRROR_THUMBNAILS": "no",
            ])
    }

    @Test("A mirror of a mirror of a mirror has the same pictures and records, and asks NASA for nothing")
    func chain() async throws {
        let first = try await first()
        var roots = [first.root]
        for number in 1...3 {
            let outpost = try Outpost(roots[number - 1])
            let root = first.folder.appending("mirror \(number)")
            let outcome = try await sync(root, from: outpost.origin, home: first.folder.path)
            #expect(outcome.status == 0, "\(number): \(outcome.output)\(outcome.errors)")
            roots.append(root)
        }
        for date in Self.days {
            let stem = "2026/11/\(date) Orion Rising"
            let picture = try contents("\(first.root)/\(stem).jpg")
            let record = try JSONText(try contents("\(first.root)/\(stem).json"))["upstream"]
            for root in roots.dropFirst() {
                #expect(try contents("\(root)/\(stem).jpg") == picture)
                let json = try JSONText(try contents("\(root)/\(stem).json"))
                #expect(json["upstream"] == record)
                #expect(json["hdurl"]?.string == ServedMirror.address(date))
            }
        }
    }
}
