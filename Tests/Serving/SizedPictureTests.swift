import Apod
import Files
import Glibc
import HTTP
import Store
import TestSupport
import Testing

struct SizedPictureTests {
    private func mirror(_ width: Int, _ height: Int) async throws -> ServedMirror {
        let mirror = try ServedMirror()
        let bytes = Pictures.jpeg(width: width, height: height, bytes: width * height / 200 + 2_000).bytes
        let address = ServedMirror.address("2026-11-20")
        try await mirror.add(
            ServedMirror.record("2026-11-20", "Orion Rising"),
            [.init(role: .picture, type: .jpeg, address: address, bytes: bytes)])
        try mirror.publish()
        return mirror
    }

    /// Width and height of a baseline JPEG (ITU T.81, B.2.2).
    private func size(of jpeg: [UInt8]) -> [Int]? {
        var place = 2
        while jpeg.starts(with: [0xff, 0xd8]), place + 9 < jpeg.count, jpeg[place] == 0xff {
            func number(_ offset: Int) -> Int { Int(jpeg[place + offset]) << 8 | Int(jpeg[place + offset + 1]) }
            if jpeg[place + 1] == 0xc0 { return [number(7), number(5)] }
            place += 2 + number(2)
        }
        return nil
    }

    @Test(
        "Pictures in the size of a frame are filled, or show the whole picture",
        arguments: [
            ("width=640&height=400", [640, 400]), ("width=640&height=400&fit=contain", [640, 320]),
            ("width=300", [300, 150]),
            ("height=300&kind=picture", [600, 300]), ("width=3840&height=2160", [3840, 2160]),
            ("width=3840&height=2160&fit=contain", [2000, 1000]), ("width=1&fit=contain", [1, 1]),
        ])
    func sizes(query: String, size: [Int]) async throws {
        let mirror = try await mirror(2000, 1000)
        #expect(try mirror.made("/random.jpg?\(query)").caching == .never)
        let answer = try mirror.answer("/latest.jpg?\(query)")
        #expect(answer.type == "image/jpeg" && answer.caching == .minutes)
        #expect(try self.size(of: answer.content) == size)
        // It is not made again.
        guard case .bytes = answer.body else { return #expect(answer.entityTag == nil) }
        let random = try mirror.answer("/random.jpg?\(query)")
        #expect(random.caching == .never && random.entityTag == answer.entityTag)
    }

    @Test("Pictures in the size of a frame have bounds, and are answered in words where one cannot be decoded")
    func bounds() async throws {
        let mirror = try await ServedMirror("2026-11-20")
        for query in [
            "width=0", "width=3841", "height=-1", "width=+5", "width=", "width=1e3", "width=5&height=x",
            "width=99999999999999999999", "width=5&fit=fill", "fit=none",
        ] {
            for path in ["latest", "random"] { #expect(try mirror.status("/\(path).jpg?\(query)") == 400, "\(query)") }
        }
        let made = try mirror.made("/latest.jpg?width=100")
        #expect(made.status == 503 && made.caching == .never)
        // A picture of any type will do.
        let png = Pictures.png()
        try await mirror.add(
            ServedMirror.record("2026-11-21", "Orion Rising"),
            [.init(role: .picture, type: .png, address: ServedMirror.address("2026-11-21"), bytes: png.bytes)])
        try mirror.publish()
        let tag = try mirror.answer("/latest.jpg?width=64").entityTag
        #expect(tag?.hasPrefix("\(Digest(of: png.bytes))".prefix(32)) == true)
    }

    @Test("Pictures in the size of a frame are made of the smaller copy where that is large enough")
    func copies() async throws {
        let mirror = try ServedMirror()
        // What cannot be decoded shows that it was used.
        try await mirror.add("2026-11-20")
        let source = Digest(of: "picture of 2026-11-20".bytes)
        try mirror.archive.catalog.record(
            .init(PictureKey(day("2026-11-20")), source: source, version: 1, screenBytes: 1))
        try mirror.publish()
        #expect(mkdir("\(mirror.root)/gallery/2026", 0o755) == 0)
        let name = GallerySize.large.name(of: PictureKey(day("2026-11-20")))
        let copy = Pictures.jpeg(width: 1280, height: 640, bytes: 9_000)
        try Folder.open("\(mirror.root)/gallery/2026").makeFile(name).append(copy.bytes)
        for (query, size) in [
            ("width=640", [640, 320]), ("width=1280&height=640", [1280, 640]), ("width=1281", nil),
            ("width=640&height=1281", nil), ("width=640&height=1281&fit=contain", [640, 320]),
        ] {
            #expect(try self.size(of: mirror.made("/latest.jpg?\(query)").content) == size, "\(query)")
        }
    }
}
