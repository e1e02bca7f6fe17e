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

    /// Without a command, it syncs.
    private func run(
        _ root: String, _ command: [String] = ["sync", "--since", Self.days[0], "--until", Self.days[2]],
        from origin: String, neighbours: String = "none"
    ) async throws {
        let outcome = try await Program.run(
            Places.built("apod-mirror"), command + ["--root", root],
            environment: [
                "HOME": "\(root) home", "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "APOD_MIRROR_UPSTREAM": origin,
                "APOD_MIRROR_NEIGHBOURS": neighbours, "APOD_MIRROR_RATE": "0", "APOD_MIRROR_GALLERY": "no",
                "APOD_MIRROR_THUMBNAILS": "no",
            ])
        #expect(outcome.status == 0, "\(root): \(outcome.output)\(outcome.errors)")
    }

    @Test("A mirror of a mirror of a mirror has the same pictures and records, and asks NASA for nothing")
    func chain() async throws {
        let first = try await first()
        var roots = [first.root]
        for number in 1...3 {
            let outpost = try Outpost(roots[number - 1])
            let root = first.folder.appending("mirror \(number)")
            try await run(root, from: outpost.origin)
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

    @Test("A neighbour gives what it has whole, also what NASA has no more, and no lie")
    func neighbours() async throws {
        let nasa = try await first()
        let (upstream, middle) = (try Outpost(nasa.root), nasa.folder.appending("middle"))
        try await run(middle, from: upstream.origin)
        let neighbour = try Outpost(middle)
        let names = Self.days.map { "2026/11/\($0) Orion Rising.jpg" }
        let pictures = try names.map { try contents("\(nasa.root)/\($0)") }
        func marks() throws -> [Bool] {
            try Self.days.map { date in
                let json = try JSONText(contents("\(nasa.folder.appending("end"))/2026/11/\(date) Orion Rising.json"))
                return json["mirror"]?["files"]?.elements?.first?["neighbour"]?.bool ?? false
            }
        }
        // It has another one of the same length, and lacks one.
        try save(pictures[1], to: "\(middle)/\(names[0])")
        unlink("\(middle)/\(names[1])")
        unlink("\(nasa.root)/\(names[2])")
        let root = nasa.folder.appending("end")
        try await run(root, from: upstream.origin, neighbours: neighbour.origin)
        func expectRight() throws {
            for (name, picture) in zip(names, pictures) { #expect(try contents("\(root)/\(name)") == picture) }
        }
        try expectRight()
        #expect(try marks() == [false, false, true])
        // Its lie is believed by itself.
        let index = "\(middle)/.apod-mirror/days/2026.json"
        let lie = try fileText(index).replacing("\(Digest(of: pictures[0]))", with: "\(Digest(of: pictures[1]))")
        unlink(index)
        try save(lie, to: index)
        for name in [names[0], names[2]] { try save("other", to: "\(root)/\(name)") }
        try await run(
            root, ["verify", "--repair"], from: upstream.origin, neighbours: "http://127.0.0.1:9, \(neighbour.origin)")
        try expectRight()
    }

    @Test("A neighbour's file is as long as NASA's, and counts as the neighbour's until a person asks NASA for it")
    func compared() async throws {
        let nasa = try await first()
        let (upstream, middle) = (try Outpost(nasa.root), nasa.folder.appending("middle"))
        try await run(middle, from: upstream.origin)
        let (neighbour, stem) = (try Outpost(middle), "2026/11/\(Self.days[0]) Orion Rising")
        let root = nasa.folder.appending("end")
        let sync = ["sync", Self.days[0]]
        try await run(root, sync, from: upstream.origin, neighbours: neighbour.origin)
        func isMarked() throws -> Bool { try fileText("\(root)/\(stem).json").contains("\"neighbour\": true") }
        #expect(try isMarked())
        try await run(root, sync, from: upstream.origin, neighbours: neighbour.origin)
        #expect(try !isMarked())
        // It lies to the last byte, but for the length.
        let (picture, lie) = (try contents("\(nasa.root)/\(stem).jpg"), Pictures.jpeg(bytes: 8000, seed: 9).bytes)
        let index = "\(middle)/.apod-mirror/days/2026.json"
        let lying = try fileText(index).replacing("\(Digest(of: picture))", with: "\(Digest(of: lie))")
        unlink(index)
        try save(lying.replacing("9000", with: "8000"), to: index)
        try save(lie, to: "\(middle)/\(stem).jpg")
        let other = nasa.folder.appending("other")
        try await run(other, sync, from: upstream.origin, neighbours: neighbour.origin)
        #expect(try contents("\(other)/\(stem).jpg") == picture)
    }
}
