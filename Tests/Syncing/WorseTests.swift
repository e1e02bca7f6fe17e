import Apod
import Catalog
import Glibc
import Syncing
import TestMirror
import TestSupport
import Testing

@Suite("Nothing good is overwritten with something worse:")
struct WorseTests {
    private static let today = TestMirror.today

    /// What can become of a good day at the upstream.
    enum Decay: String, CaseIterable, Sendable {
        case placeholder, noMedia, noText, noTitle, noDay, otherDay, junk, html, gone, onlyRendition, empty, cut
        case endsEarly, tiny, tooLarge

        static let ofPicture: [Decay] = [
            .junk, .html, .gone, .onlyRendition, .empty, .cut, .endsEarly, .tiny, .tooLarge,
        ]
        static let ofRecord = allCases.filter { !ofPicture.contains($0) }

        /// The record changes too, so that the day is looked at again.
        func befall(_ nasa: FakeNASA) {
            nasa[today]?.credit = "Somebody Else"
            switch self {
            case .placeholder: nasa[today]?.media = .placeholder
            case .noMedia: nasa[today]?.media = .text
            case .noText: nasa[today]?.explanation = ""
            case .noTitle: nasa.intercept = { [unowned nasa] in Self.withoutTitle(nasa.usual($0)) }
            case .noDay: nasa[today] = nil
            case .otherDay: nasa.intercept = { [unowned nasa] in Self.ofYesterday(nasa.usual($0)) }
            case .onlyRendition: nasa[today]?.hasOriginal = false
            case .junk: answer(nasa, .media(Body([UInt8](repeating: 7, count: 900)), type: "image/jpeg"))
            case .html: answer(nasa, .html(200))
            case .gone: answer(nasa, .html(404))
            case .empty: answer(nasa, .media(Body(), type: "image/jpeg"))
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
            case .tiny: answer(nasa, .media(Pictures.jpeg(width: 8, height: 8), type: "image/jpeg"))
            }
        }

        private func answer(_ nasa: FakeNASA, _ response: Response) {
            nasa.intercept = { $0.path.hasSuffix(".jpg") ? response : nil }
        }

        /// Yesterday's record, whole but for its date.
        static func ofYesterday(_ response: Response) -> Response {
            var response = response
            var text = String(decoding: response.body.bytes, as: UTF8.self)
            text = text.replacing("apod-2026-november-20-", with: "apod-2026-november-19-")
            response.body = Body(text.replacing("Orion Rising", with: "Older"))
            return response
        }

        private static func withoutTitle(_ response: Response) -> Response {
            var response = response
            var text = String(decoding: response.body.bytes, as: UTF8.self)
            text = text.replacing("\"title\":\"Orion Rising\"", with: "\"title\":\"\"")
            text = text.replacing("<title> APOD: 2026 November 20 - Orion Rising</title>", with: "")
            response.body = Body(text)
            return response
        }
    }

    private func testMirror() async throws -> TestMirror {
        let testMirror = try TestMirror([
            Entry(Self.today, title: "Orion Rising", bytes: 2_000),
            Entry(Self.today.advanced(by: -1), title: "Older", bytes: 2_000),
        ])
        try await testMirror.sync()
        return testMirror
    }

    @Test("a picture that can no longer be had stays, and the text is corrected", arguments: Decay.ofPicture)
    func corrected(decay: Decay) async throws {
        let testMirror = try await testMirror()
        let picture = try testMirror.bytes(Self.today, "jpg")
        decay.befall(testMirror.nasa)
        for request in [nil, RefreshRequest.days([Self.today]), .again([Self.today])] {
            try await testMirror.sync(request)
            #expect(try testMirror.bytes(Self.today, "jpg") == picture)
            #expect(try testMirror.status(Self.today)?.state == .mirrored)
        }
        let text = String(decoding: try testMirror.bytes(Self.today, "json"), as: UTF8.self)
        // What breaks off may be on its way to the upstream; nothing is changed before it is there.
        #expect(
            text.contains("\"credit\": \"Somebody Else\"") == ![.empty, .cut, .endsEarly, .tiny, .tooLarge].contains(
                decay))
        testMirror.nasa.intercept = nil
        try await testMirror.audit(brokeOff: decay == .empty)
    }

    @Test("what says that it is large, and is not, is no better than what it is", arguments: [8000, 60000])
    func lying(width: Int) async throws {
        let today = Self.today
        let testMirror = try TestMirror([Entry(today, title: "Orion Rising", bytes: 20_000)])
        var bytes = Pictures.jpeg(width: 640, height: 480, bytes: 20_000).bytes
        let size = bytes.firstRange(of: [0x01, 0xe0, 0x02, 0x80])!
        bytes.replaceSubrange(size, with: [width / 4 * 3, width].flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] })
        let lie = Body(bytes)
        testMirror.nasa.intercept = { $0.path.hasSuffix(".jpg") ? .media(lie, type: "image/jpeg") : nil }
        try await testMirror.sync()
        #expect(try testMirror.bytes(today, "jpg") == lie.bytes)
        testMirror.nasa.intercept = nil
        testMirror.nasa[today]?.credit = "Somebody Else"
        #expect(try await testMirror.sync()[today] == "mirrored")
        #expect(try testMirror.bytes(today, "jpg") != lie.bytes)
        try await testMirror.audit()
    }

    @Test("what brought something worse is not fetched at every look", arguments: [Decay.tiny, .endsEarly])
    func refused(decay: Decay) async throws {
        let testMirror = try await testMirror()
        decay.befall(testMirror.nasa)
        func fetches(_ request: RefreshRequest? = nil) async throws -> Bool {
            testMirror.nasa.server.forgetRequests()
            try await testMirror.sync(request)
            return testMirror.nasa.server.requests.contains { $0.path.hasSuffix(".jpg") }
        }
        #expect(try await fetches())
        #expect(try await !fetches())
        // By the next command.
        try await testMirror.close()
        #expect(try await !fetches())
        // Named by a person.
        #expect(try await fetches(.days([Self.today])))
        testMirror.clock.set(testMirror.clock.now + 20 * 3600 - 1)
        #expect(try await !fetches())
        testMirror.clock.set(testMirror.clock.now + 1)
        #expect(try await fetches())
        #expect(try await !fetches())
        // The clock was ahead.
        testMirror.clock.set(testMirror.clock.now - 1)
        #expect(try await fetches())
        // Another correction.
        testMirror.nasa[Self.today]?.credit = "Somebody Else Again"
        testMirror.nasa.intercept = nil
        #expect(try await fetches())
        try await testMirror.audit()
    }

    @Test(
        "what cannot take its place, or that of its record, is not fetched", .enabled(if: ImmutableFolder.canBeMade),
        arguments: [true, false])
    func fixed(isHere: Bool) async throws {
        let testMirror = try await testMirror()
        let picture = try #require(testMirror.files(Self.today).first { $0.hasSuffix(".jpg") })
        if !isHere { unlink("\(testMirror.root)/2026/11/\(picture)") }
        testMirror.nasa[Self.today]?.credit = "Somebody Else"
        testMirror.nasa.server.forgetRequests()
        let folder = try ImmutableFolder("\(testMirror.root)/2026/11", isForAdding: true)
        try await testMirror.sync()
        #expect(!testMirror.nasa.server.requests.contains { $0.path.hasSuffix(".jpg") })
        withExtendedLifetime(folder) {}
    }

    @Test("the day is kept as it is", arguments: Decay.ofRecord)
    func kept(decay: Decay) async throws {
        let testMirror = try await testMirror()
        let files = testMirror.files(Self.today)
        let before = try files.map { try testMirror.bytes("2026/11/\($0)") }
        let status = try testMirror.status(Self.today)
        decay.befall(testMirror.nasa)
        for request in [nil, RefreshRequest.days([Self.today]), .again([Self.today])] {
            let events = try await testMirror.sync(request)
            #expect(
                [.some("kept"), "not yet", "failed for now", "failed"].contains(events[Self.today])
                    || decay == .noDay && request == nil, "\(events.words)")
            #expect(testMirror.files(Self.today) == files)
            #expect(try files.map { try testMirror.bytes("2026/11/\($0)") } == before)
            #expect(try testMirror.status(Self.today)?.stored == status?.stored)
        }
        testMirror.nasa.intercept = nil
        try await testMirror.audit(brokeOff: decay == .empty)
    }

    @Test("a new day is not called by the name of another day, whose record comes with its date")
    func otherDay() async throws {
        let testMirror = try TestMirror([
            Entry(Self.today, title: "Orion Rising", bytes: 2_000),
            Entry(Self.today.advanced(by: -1), title: "Older", bytes: 2_000),
        ])
        testMirror.nasa.intercept = { [unowned nasa = testMirror.nasa] in Decay.ofYesterday(nasa.usual($0)) }
        #expect(try await testMirror.sync()[Self.today] == "not yet")
        #expect(testMirror.files(Self.today) == [])
        testMirror.nasa.intercept = nil
        #expect(try await testMirror.sync()[Self.today] == "mirrored")
        #expect(testMirror.files(Self.today) == ["2026-11-20 Orion Rising.jpg", "2026-11-20 Orion Rising.json"])
        try await testMirror.audit()
    }

    @Test(
        "somebody's file that has the name of a new day's stays, and the day comes when it is gone",
        arguments: ["json", "jpg"])
    func occupied(suffix: String) async throws {
        let testMirror = try TestMirror([
            Entry(Self.today, title: "Orion Rising", bytes: 2_000),
            Entry(Self.today.advanced(by: -1), title: "Older", bytes: 2_000),
        ])
        let path = "2026/11/2026-11-20 Orion Rising.\(suffix)"
        _ = try testMirror.archive()
        try testMirror.put(Array("{\"mine\": 1}".utf8), at: path)
        for _ in 1...2 {
            let events = try await testMirror.sync()
            #expect(events[Self.today] == "failed")
            let why = try #require(events.compactMap(\.why).first)
            #expect(why.contains("\(path) is not a file of the mirror, and stays; move it elsewhere, then run"))
            #expect(listing("\(testMirror.root)/.apod-mirror/unfinished") == [])
        }
        #expect(try testMirror.status(Self.today)?.reason?.contains(path) == true)
        #expect(testMirror.files(Self.today) == ["2026-11-20 Orion Rising.\(suffix)"])
        #expect(try testMirror.bytes(path) == Array("{\"mine\": 1}".utf8))
        #expect(testMirror.files(Self.today.advanced(by: -1)).count == 2)
        #expect(rename("\(testMirror.root)/\(path)", testMirror.folder.appending("mine")) == 0)
        #expect(try await testMirror.sync(.days([Self.today]))[Self.today] == "mirrored")
        try await testMirror.audit()
    }

    @Test("what is whole stays when a day is repaired whose picture is gone upstream")
    func repair() async throws {
        let testMirror = try TestMirror([Entry(Self.today, title: "Orion Rising", bytes: 2_000)])
        try await testMirror.sync()
        let picture = try testMirror.bytes(Self.today, "jpg")
        let json = try testMirror.bytes(Self.today, "json")
        try save(Array("edited".utf8), to: "\(testMirror.root)/2026/11/2026-11-20 Orion Rising.json")
        testMirror.nasa.intercept = { $0.path.hasSuffix(".jpg") ? .html(404) : nil }
        try await testMirror.sync(.again([Self.today]))
        #expect(try testMirror.bytes(Self.today, "jpg") == picture)
        #expect(try testMirror.bytes(Self.today, "json") == json)
        try await testMirror.audit()
    }

    @Test("a damaged picture that cannot be had again is kept, and made good when it can", arguments: [true, false])
    func damaged(isCut: Bool) async throws {
        let testMirror = try TestMirror([Entry(Self.today, title: "Orion Rising", bytes: 2_000)])
        try await testMirror.sync()
        let path = "\(testMirror.root)/2026/11/2026-11-20 Orion Rising.jpg"
        var damaged = try contents(path)
        if isCut { damaged.removeLast(100) } else { damaged[1000] ^= 1 }
        try save(damaged, to: path)
        testMirror.nasa.intercept = { $0.path.hasSuffix(".jpg") ? .html(404) : nil }
        try await testMirror.sync(.again([Self.today]))
        #expect(try contents(path) == damaged)
        testMirror.nasa.intercept = nil
        #expect(try await testMirror.sync(.again([Self.today])).words == ["2026-11-20 mirrored"])
        try await testMirror.audit()
    }
}
