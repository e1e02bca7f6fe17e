import Apod
import Archive
import Glibc
import Service
import TestSupport
import Testing

@Suite("Nothing good is overwritten with something worse:")
struct WorseTests {
    private static let today = Observatory.today

    /// What can become of a good day at the upstream.
    enum Decay: String, CaseIterable, Sendable {
        case placeholder, noMedia, noText, noTitle, noDay, otherDay, junk, html, gone, onlyRendition, empty, cut

        static let ofPicture: [Decay] = [.junk, .html, .gone, .onlyRendition, .empty, .cut]
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

    private func observatory() async throws -> Observatory {
        let observatory = try Observatory([
            Entry(Self.today, title: "Orion Rising", bytes: 2_000),
            Entry(Self.today.advanced(by: -1), title: "Older", bytes: 2_000),
        ])
        try await observatory.sync()
        return observatory
    }

    @Test("a picture that can no longer be had stays, and the text is corrected", arguments: Decay.ofPicture)
    func corrected(decay: Decay) async throws {
        let observatory = try await observatory()
        let picture = try observatory.bytes(Self.today, "jpg")
        decay.befall(observatory.nasa)
        for wish in [nil, Refresh.Wish.days([Self.today]), .again([Self.today])] {
            try await observatory.sync(wish)
            #expect(try observatory.bytes(Self.today, "jpg") == picture)
            #expect(try observatory.standing(Self.today)?.state == .mirrored)
        }
        let text = String(decoding: try observatory.bytes(Self.today, "json"), as: UTF8.self)
        // What breaks off may be on its way to the upstream; nothing is changed before it is there.
        #expect(text.contains("\"credit\": \"Somebody Else\"") == (decay != .empty && decay != .cut))
        observatory.nasa.intercept = nil
        try await observatory.audit(brokeOff: decay == .empty)
    }

    @Test("the day is kept as it is", arguments: Decay.ofRecord)
    func kept(decay: Decay) async throws {
        let observatory = try await observatory()
        let files = observatory.files(Self.today)
        let before = try files.map { try observatory.bytes("2026/11/\($0)") }
        let standing = try observatory.standing(Self.today)
        decay.befall(observatory.nasa)
        for wish in [nil, Refresh.Wish.days([Self.today]), .again([Self.today])] {
            let events = try await observatory.sync(wish)
            #expect(
                [.some("kept"), "not yet", "failed for now", "failed"].contains(events[Self.today])
                    || decay == .noDay && wish == nil, "\(events.words)")
            #expect(observatory.files(Self.today) == files)
            #expect(try files.map { try observatory.bytes("2026/11/\($0)") } == before)
            #expect(try observatory.standing(Self.today)?.entry == standing?.entry)
        }
        observatory.nasa.intercept = nil
        try await observatory.audit(brokeOff: decay == .empty)
    }

    @Test("a new day is not called by the name of another day, whose record comes with its date")
    func otherDay() async throws {
        let observatory = try Observatory([
            Entry(Self.today, title: "Orion Rising", bytes: 2_000),
            Entry(Self.today.advanced(by: -1), title: "Older", bytes: 2_000),
        ])
        observatory.nasa.intercept = { [unowned nasa = observatory.nasa] in Decay.ofYesterday(nasa.usual($0)) }
        #expect(try await observatory.sync()[Self.today] == "not yet")
        #expect(observatory.files(Self.today) == [])
        observatory.nasa.intercept = nil
        #expect(try await observatory.sync()[Self.today] == "mirrored")
        #expect(observatory.files(Self.today) == ["2026-11-20 Orion Rising.jpg", "2026-11-20 Orion Rising.json"])
        try await observatory.audit()
    }

    @Test(
        "somebody's file that has the name of a new day's stays, and the day comes when it is gone",
        arguments: ["json", "jpg"])
    func occupied(suffix: String) async throws {
        let observatory = try Observatory([
            Entry(Self.today, title: "Orion Rising", bytes: 2_000),
            Entry(Self.today.advanced(by: -1), title: "Older", bytes: 2_000),
        ])
        let path = "2026/11/2026-11-20 Orion Rising.\(suffix)"
        _ = try observatory.archive()
        try observatory.put(Array("{\"mine\": 1}".utf8), at: path)
        for _ in 1...2 {
            let events = try await observatory.sync()
            #expect(events[Self.today] == "failed")
            let why = try #require(events.compactMap(\.why).first)
            #expect(why.contains("\(path) is not a file of the mirror, and stays; move it elsewhere, then run"))
        }
        #expect(try observatory.standing(Self.today)?.reason?.contains(path) == true)
        #expect(observatory.files(Self.today) == ["2026-11-20 Orion Rising.\(suffix)"])
        #expect(try observatory.bytes(path) == Array("{\"mine\": 1}".utf8))
        #expect(observatory.files(Self.today.advanced(by: -1)).count == 2)
        #expect(rename("\(observatory.root)/\(path)", observatory.folder.appending("mine")) == 0)
        #expect(try await observatory.sync(.days([Self.today]))[Self.today] == "mirrored")
        try await observatory.audit()
    }

    @Test("what is whole stays when a day is repaired whose picture is gone upstream")
    func repair() async throws {
        let observatory = try Observatory([Entry(Self.today, title: "Orion Rising", bytes: 2_000)])
        try await observatory.sync()
        let picture = try observatory.bytes(Self.today, "jpg")
        let json = try observatory.bytes(Self.today, "json")
        try save(Array("edited".utf8), to: "\(observatory.root)/2026/11/2026-11-20 Orion Rising.json")
        observatory.nasa.intercept = { $0.path.hasSuffix(".jpg") ? .html(404) : nil }
        try await observatory.sync(.again([Self.today]))
        #expect(try observatory.bytes(Self.today, "jpg") == picture)
        #expect(try observatory.bytes(Self.today, "json") == json)
        try await observatory.audit()
    }

    @Test("a damaged picture that cannot be had again is kept, and made good when it can")
    func damaged() async throws {
        let observatory = try Observatory([Entry(Self.today, title: "Orion Rising", bytes: 2_000)])
        try await observatory.sync()
        let path = "\(observatory.root)/2026/11/2026-11-20 Orion Rising.jpg"
        let damaged = Array(try contents(path).dropLast(100))
        try save(damaged, to: path)
        observatory.nasa.intercept = { $0.path.hasSuffix(".jpg") ? .html(404) : nil }
        try await observatory.sync(.again([Self.today]))
        #expect(try contents(path) == damaged)
        observatory.nasa.intercept = nil
        #expect(try await observatory.sync(.again([Self.today])).words == ["2026-11-20 mirrored"])
        try await observatory.audit()
    }
}
