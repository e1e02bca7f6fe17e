import Apod
import Catalog
import Glibc
import Syncing
import TestMirror
import TestSupport
import Testing

@Suite("Nothing good is lost to something worse:")
struct WorseTests {
    private static let today = TestMirror.today

    /// What can become of a good day at the upstream.
    enum Decay: String, CaseIterable, Sendable {
        case placeholder, html, gone, onlyRendition, cut, endsEarly, tooLarge

        /// The record changes too, so that the day is looked at again.
        func befall(_ nasa: FakeNASA) {
            nasa[today]?.credit = "Somebody Else"
            switch self {
            case .placeholder: nasa[today]?.media = .placeholder
            case .onlyRendition: nasa[today]?.hasOriginal = false
            case .html: answer(nasa, .html(200))
            case .gone: answer(nasa, .html(404))
            case .cut:
                let bytes = Pictures.jpeg(bytes: 5_000).bytes.prefix(900)
                answer(nasa, .media(Body(Array(bytes)), type: "image/jpeg"))
            case .endsEarly:
                let bytes = Pictures.jpeg(width: 640, height: 480, bytes: 5_000).bytes.dropLast(800) + [0xff, 0xd9]
                answer(nasa, .media(Body(Array(bytes)), type: "image/jpeg"))
            case .tooLarge:
                var bytes = Pictures.jpeg(width: 640, height: 480, bytes: 5_000).bytes
                let size = bytes.firstRange(of: [0x01, 0xe0, 0x02, 0x80])!
                bytes.replaceSubrange(size, with: [0xff, 0xdc, 0xff, 0xdc])
                answer(nasa, .media(Body(bytes), type: "image/jpeg"))
            }
        }

        private func answer(_ nasa: FakeNASA, _ response: Response) {
            nasa.answer(".jpg", response)
        }
    }

    private func testMirror() async throws -> TestMirror {
        let testMirror = try TestMirror([
            Entry(Self.today, title: "Orion Rising", bytes: 2_000),
            Entry(ago(1), title: "Older", bytes: 2_000),
        ])
        try await testMirror.sync()
        return testMirror
    }

    @Test("a picture that can no longer be had stays, and the text is corrected", arguments: Decay.allCases)
    func corrected(decay: Decay) async throws {
        let testMirror = try await testMirror()
        let picture = try testMirror.bytes(Self.today, "jpg")
        decay.befall(testMirror.nasa)
        for request in [nil, RefreshRequest.days([Self.today]), .again([Self.today])] {
            try await testMirror.sync(request)
            #expect(try testMirror.bytes(Self.today, "jpg") == picture)
            // What breaks off may be on its way to the upstream.
            let isAwaited = [Decay.cut, .endsEarly, .tooLarge].contains(decay)
            #expect(try testMirror.status(Self.today)?.state == (isAwaited ? .failed : .mirrored))
        }
        #expect(try testMirror.json(Self.today)["credit"]?.string?.contains("Somebody Else") == true)
        testMirror.nasa.intercept = nil
        try await testMirror.sync(.days([Self.today]))
        #expect(try testMirror.status(Self.today)?.state == .mirrored)
        try await testMirror.audit()
    }

    @Test("what comes whole takes its place, however small; the former one is kept, and that is told")
    func tiny() async throws {
        let testMirror = try await testMirror()
        let picture = try testMirror.bytes(Self.today, "jpg")
        testMirror.nasa[Self.today]?.credit = "Somebody Else"
        let tiny = Pictures.jpeg(width: 8, height: 8)
        testMirror.nasa.answer(".jpg", .media(tiny, type: "image/jpeg"))
        #expect(try await testMirror.sync().words.contains("2026-11-20 replaced by a smaller one"))
        #expect(try testMirror.bytes(Self.today, "jpg") == tiny.bytes)
        #expect(try testMirror.bytes(".apod-mirror/replaced/2026-11-20 Orion Rising.1.jpg") == picture)
    }

    @Test(
        "a damaged picture that cannot be had again is kept, and made good when it can",
        arguments: [true, false], [RefreshRequest.days([today]), .again([today])])
    func damaged(isCut: Bool, request: RefreshRequest) async throws {
        let testMirror = try await testMirror()
        let path = testMirror["2026/11/2026-11-20 Orion Rising.jpg"]
        var damaged = try contents(path)
        if isCut { damaged.removeLast(100) } else { damaged[1000] ^= 1 }
        try save(damaged, to: path)
        testMirror.nasa.answer(".jpg", .html(404))
        try await testMirror.sync(request)
        #expect(try contents(path) == damaged)
        testMirror.nasa.intercept = nil
        #expect(try await testMirror.sync(request).words == ["2026-11-20 mirrored"])
        try await testMirror.audit()
    }
}
