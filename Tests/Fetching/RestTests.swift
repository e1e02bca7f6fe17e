import Apod
import Files
import Glibc
import TestSupport
import Testing

@testable import Fetching

/// What becomes of a file that broke off, by what its server says next.
struct RestTests {
    private static let picture = Pictures.jpeg(bytes: 3_000_000, seed: 1)
    private static let other = Pictures.jpeg(bytes: 3_000_000, seed: 2)
    private static let short = Pictures.jpeg(bytes: 900_000)
    private static let broken = 1_600_000
    private static let rest = "bytes=1600000-"
    private static let date = "Fri, 20 Nov 2026 05:05:00 GMT"

    private static func answer(
        _ body: Body = picture, tag: String? = "\"a\"", date: String? = nil, ending: Response.Ending = .whole,
        ranges: Bool = true
    ) -> Response {
        var response = Response.jpeg(body, ending: ending)
        (response[header: "ETag"], response[header: "Last-Modified"]) = (tag, date)
        response.ranges = ranges
        return response
    }

    /// A part as the server chooses it.
    private static func part(
        _ range: String?, _ bytes: Range<Int> = broken..<3_000_000, of body: Body = picture, status: Int = 206,
        tag: String? = "\"a\"", date: String? = nil
    ) -> Response {
        var response = answer(Body(Array(body.bytes[bytes])), tag: tag, date: date, ranges: false)
        (response.status, response[header: "Content-Range"]) = (status, range)
        return response
    }

    private static func cut(at count: Int = broken, _ body: Body = picture, tag: String? = "\"a\"", date: String? = nil)
        -> Response
    {
        answer(body, tag: tag, date: date, ending: .close(after: count))
    }

    private static let whole = "bytes 1600000-2999999/3000000"

    /// The server's answers, the last of them again and again; what is asked for; what comes.
    private static let rows: [([Response], [String?], Body)] =
        [
            ([cut(), answer()], [nil, rest], picture),
            ([cut(tag: nil, date: date), answer(tag: nil, date: date)], [nil, rest], picture),
            // Another file; no parts; no strong validator.
            ([cut(), answer(other, tag: "\"b\"")], [nil, rest], other),
            ([cut(), answer(ranges: false)], [nil, rest], picture),
            ([cut(tag: nil), answer(tag: nil)], [nil, nil], picture),
            ([cut(tag: "W/\"a\""), answer(tag: "W/\"a\"")], [nil, nil], picture),
            // The note of the first file does not stay beside another without one.
            ([cut(), cut(other, tag: nil), answer()], [nil, rest, nil], picture),
            // Short, or hardly anything has come.
            ([cut(at: 800_000, short), answer(short)], [nil, nil], short),
            ([cut(at: 15), answer()], [nil, nil], picture), ([cut(at: 0), answer()], [nil, nil], picture),
            ([cut(at: 0), answer(short, tag: "\"b\"")], [nil, nil], short),
            ([cut(), .html(503), answer()], [nil, rest, rest], picture),
            // Another length is open, or less than the rest comes.
            ([cut(), part("bytes 1600000-2999999/*")], [nil, rest], picture),
            (
                [cut(), part("bytes 1600000-1999999/3000000", broken..<2_000_000), answer()],
                [nil, rest, "bytes=2000000-"], picture
            ),
        ]
        // Another part than the one asked for, or the same part of another file.
        + [
            "bytes 1599999-2999999/3000000", "bytes 1600001-2999999/3000000", "bytes */3000000", "bytes",
            "bytes 99999999999999999999-1/5", nil,
        ].map {
            ([cut(), part($0), answer()], [nil, rest, nil], picture)
        }
        + ["\"b\"", "W/\"a\"", ""].map {
            ([cut(), part(whole, of: other, tag: $0), answer(other, tag: $0)], [nil, rest, nil], other)
        }
        + [
            (
                [
                    cut(tag: nil, date: date), part(whole, of: other, tag: nil, date: "Fri, 20 Nov 2026 05:05:01 GMT"),
                    answer(other),
                ], [nil, rest, nil], other
            )
        ]
        // No such part; or nothing is missing, of this file or another.
        + ["bytes */3000000", "bytes */100", "bytes */1600000", nil].map { range in
            let tag = range == "bytes */1600000" ? "\"b\"" : "\"a\""
            return ([cut(), part(range, 0..<9, status: 416, tag: tag), answer()], [nil, rest, nil], picture)
        }
        + ["\"a\"", "\"b\""].map { tag in
            var longer = answer()
            longer.framing = .declaring(3_000_001)
            return (
                [longer, part("bytes */3000000", 0..<9, status: 416, tag: tag), answer()],
                [nil, "bytes=3000000-"] + (tag == "\"a\"" ? [] : [nil]), picture
            )
        }

    @Test("A file that broke off goes on where it ended, or starts over", arguments: rows.indices)
    func goesOn(index: Int) async throws {
        let (answers, ranges, picture) = Self.rows[index]
        let fixture = try FetchFixture { answers[min($0.attempt, answers.count) - 1] }
        try await fixture.fetch(picture)
        #expect(fixture.ranges == ranges)
        let conditions = fixture.requests.map { $0.headers["if-range"] }
        let validator = answers[0][header: "ETag"] ?? answers[0][header: "Last-Modified"]
        #expect(zip(conditions, ranges).allSatisfy { $0 == ($1 == nil ? nil : validator) })
    }

    @Test("A file that broke off is thrown away when it is gone or too large, or was a part from the start")
    func refused() async throws {
        for (answers, reason) in [
            ([Self.cut(), .html(404)], .status(404, retryAfter: nil)),
            ([Self.cut(), Self.part("bytes 1600000-5999999/6000000")], .tooLarge(limit: 5_999_999)),
        ] as [([Response], FetchError)] {
            let fixture = try FetchFixture { answers[$0.attempt - 1] }
            #expect(await fixture.failure(limit: 5_999_999) == reason)
            #expect(try fixture.names == [] && fixture.ranges == [nil, Self.rest])
        }
        let fixture = try FetchFixture { _ in Self.part("bytes 0-99999/3000000", 0..<100_000) }
        #expect(await fixture.failure()?.code == .broken)
    }

    @Test(
        "A file that broke off goes on after a restart only by a whole note of this boot and address",
        arguments: [
            ("BOOT\nPLACE\nTAG\n", rest), ("OTHER\nPLACE\nTAG\n", nil), ("\nPLACE\nTAG\n", nil),
            ("BOOT\nPLACEx\nTAG\n", nil), ("BOOT\nPLACE\nTAG", nil), ("BOOT\nPLACE", nil), ("", nil),
        ])
    func note(note: String, range: String?) async throws {
        let server = try HTTPServer { $0.attempt == 1 ? Self.cut() : Self.answer() }
        let fixture = try FetchFixture(server) { $0.attempts = 1 }
        #expect(await fixture.failure()?.code == .transfer)
        let name = try fixture.names[1]
        #expect(try fixture.names == [String(name.dropLast(5)), name])
        let text = (try fixture.folder.file(name)!.contents(atMost: 1 << 16)).text
        let lines = text.split(separator: "\n")
        let changed = zip(["BOOT", "PLACE", "TAG"], lines).reduce(note) { $0.replacing($1.0, with: $1.1) }
        #expect(lines.count == 3 && (changed == text) == (range != nil))
        try fixture.folder.remove(name)
        try fixture.folder.makeFile(name).append(changed.bytes)
        let again = try fixture.again()
        try await again.fetch(Self.picture)
        #expect(server.requests.last?.headers["range"] == range)
        #expect(again.fetcher.received == 3_000_000 - (range == nil ? 0 : Self.broken))
    }
}

/// On a disk that only root can mount.
@Suite(.root)
struct DiskFullTests {
    private func withDisk(_ size: String, _ work: (TemporaryFolder, _ free: Int) async throws -> Void) async throws {
        let home = try TemporaryFolder()
        guard mount("tmpfs", home.path, "tmpfs", 0, "size=\(size)") == 0 else {
            throw SystemError("mount \(home.path)")
        }
        // Detached: folders in it may still be open.
        defer { umount2(home.path, Int32(MNT_DETACH)) }
        try await work(home, Folder.open(home.path).space().free)
    }

    private func isFull(_ error: FetchError?) -> Bool {
        if case .disk(let error) = error { error.isFull } else { false }
    }

    @Test("A full disk ends a download, which leaves nothing behind, and has room for less", arguments: framings)
    func full(framing: Response.Framing) async throws {
        let (picture, small) = (Pictures.jpeg(bytes: 5_000_000), Pictures.jpeg(bytes: 1_500_000))
        let server = try HTTPServer { .jpeg($0.path == "/" ? small : picture, tag: "a", framing: framing) }
        try await withDisk("2m") { home, _ in
            let fixture = try FetchFixture(server, in: home)
            let reason = await fixture.failure("/large")
            #expect(isFull(reason) && reason?.isPermanent == true && reason?.isAbsence == false)
            #expect(try server.requests.count == 1 && fixture.names == [])
            // With an announced length nothing had to come before it was known.
            if case .length = framing { #expect(fixture.fetcher.received == 0) }
            try await fixture.fetch(small)
        }
    }

    @Test("A large disk keeps a hundredth free, and a small one the room for what is written about a file")
    func reserve() async throws {
        for (size, left, room) in [("2m", 100_000, nil), ("2m", 400_000, true), ("40m", 300_000, false)]
            as [(String, Int, Bool?)]
        {
            try await withDisk(size) { home, free in
                let server = try HTTPServer { _ in .jpeg(Pictures.jpeg(bytes: free - left), tag: "a") }
                let fixture = try FetchFixture(server, in: home)
                let reason = await fixture.failure()
                switch room {
                case nil: #expect(isFull(reason))
                case true?: #expect(reason == nil)
                case false?: #expect(reason == .noRoom(bytes: free - left))
                }
                #expect((fixture.fetcher.received == 0) == (room != true))
            }
        }
    }
}
