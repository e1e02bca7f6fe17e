import Apod
import Archive
import Configuration
import Files
import Glibc
import Synchronization
import TestMirror
import TestSupport
import Testing
import Upstream

@testable import Catalog
@testable import Daemon
@testable import Syncing

@Suite("Days whose records say more than an earlier program understood", .serialized, .timeLimit(.minutes(1)))
struct RereadTests {
    private let today = TestMirror.today
    private var player: Day { today.advanced(by: -1) }
    private var pruned: Day { today.advanced(by: -2) }
    private var plain: Day { today.advanced(by: -3) }
    private static let news = "The sky.<br><br><b>News:</b> A supernova.<br><b>Retrospective:</b> x"

    private var entries: [Entry] {
        var entries = [
            Entry(today, title: "Orion Rising", bytes: 2_000),
            Entry(player, .youTube(id: "abcdefgh"), title: "Night Clouds", bytes: 2_000),
            Entry(pruned, title: "Older", bytes: 2_000), Entry(plain, title: "Oldest", bytes: 2_000),
        ]
        for index in [0, 2] { entries[index].explanation = Self.news }
        return entries
    }

    private func root(of archive: Archive) -> String { archive.tree.own.path.replacing("/\(Tree.ownFolder)", with: "") }

    /// A day as the earlier program left it: its text ended at the first bold line, its page was another.
    private func age(_ day: Day, in archive: Archive, text: String? = nil, page: [UInt8]? = nil) async throws {
        let status = try #require(try archive.catalog.status(of: day))
        let entry = try #require(status.stored)
        let folder = "\(root(of: archive))/\(day.folder)"
        let former = try #require(JSONText(contents("\(folder)/\(entry.name.with("json"))")).members)
        let record = try #require(former["upstream"])
        var picture = try Picture(record: record)
        if let text { picture.explanation = text }
        var staged: [String: Staged] = [:]
        let files = try entry.files.map { file in
            guard file.role == .page, let page else { return file }
            let own = archive.tree.unfinished
            staged["html"] = try Staged(page, in: own, as: "\(day).html", modified: day.noon)
            return StoredFile(
                role: .page, type: .html, address: file.address, bytes: page.count, sha256: Digest(of: page))
        }
        let metadata = Metadata(
            name: entry.name, picture: picture, files: files, downgraded: false, fetched: entry.fetched,
            isPruned: status.state == .pruned, former: former)
        try await archive.add(StagedDay(metadata, staged: staged, status: status))
    }

    private func aged(root: String? = nil, state: String? = nil) async throws -> TestMirror {
        let testMirror = try TestMirror(entries, root: root) { $0.state = state }
        try await testMirror.sync()
        let archive = try testMirror.archive()
        _ = try await archive.prune([pruned], at: testMirror.clock.now)
        for day in [today, pruned] { try await age(day, in: archive, text: "The sky.") }
        try await age(player, in: archive, page: Array("<html>\u{d4e}<script>".utf8))
        testMirror.nasa.server.forgetRequests()
        #expect(try archive.catalog.search(["supernova"], limit: 9).isEmpty)
        return testMirror
    }

    @Test("are completed, with what is found by a search, and without a question to the upstream")
    func texts() async throws {
        let testMirror = try await aged()
        let before = try [today, pruned].map { try #require(testMirror.json($0).members) }
        let notices = try await Reread(archive: testMirror.archive()).run().notices
        #expect(notices.map(\.words) == ["completed 3 days from the records that are kept"])
        for (day, before) in zip([today, pruned], before) {
            let after = try #require(try testMirror.json(day).members)
            #expect(after["explanation"]?.string == "The sky. News: A supernova.")
            #expect(Set(after.keys) == Set(before.keys))
            for key in before.keys where key != "explanation" { #expect(after[key] == before[key], "\(day) \(key)") }
        }
        let found = try testMirror.archive().catalog.search(["supernova"], limit: 9)
        #expect(Set(found.map(\.day)) == [today, pruned])
        #expect(try testMirror.status(pruned)?.state == .pruned)
        #expect(try testMirror.status(today)?.state == .mirrored)
        #expect(testMirror.nasa.requests.isEmpty)
        try await testMirror.audit()
        #expect(try await testMirror.sync(.days([today, player]))[today] == "unchanged")
    }

    @Test("have the pages made again that the mirror made, and no others")
    func pages() async throws {
        let testMirror = try await aged()
        try testMirror.put([1], at: "2026/11/2026-11-20 Orion Rising.html")
        let link = "\(testMirror.root)/\(Tree.favorites)/x"
        mkdir("\(testMirror.root)/\(Tree.favorites)", 0o755)
        symlink("../2026/11/2026-11-19 Night Clouds.html", link)
        _ = try await Reread(archive: testMirror.archive()).run()
        let page = try testMirror.bytes(player, "html")
        #expect(Facts("\(testMirror.root)/2026/11/2026-11-19 Night Clouds.html")?.modified == player.noon)
        let address = try #require(try testMirror.status(player)?.stored?.files.first { $0.role == .page }?.address)
        #expect(page == PlayerPage(title: "Night Clouds", address: address).document)
        let file = try #require(try testMirror.json(player)["mirror"]?["files"]?.elements?.first)
        #expect(file["sha256"]?.string == "\(Digest(of: page))" && file["bytes"]?.integer == page.count)
        #expect(try contents(link) == page)
        #expect(try testMirror.bytes(today, "html") == [1])
        #expect(try await testMirror.problems() == [])
    }

    @Test("are looked for once, and not again before the reader is another")
    func once() async throws {
        let testMirror = try await aged()
        let archive = try testMirror.archive()
        #expect(try await Reread(archive: archive).run().notices.count == 1)
        #expect(try archive.catalog.fact(.reader) == Reread.version)
        try await age(today, in: archive, text: "The sky.")
        #expect(try await Reread(archive: archive).run().notices.isEmpty)
        #expect(try testMirror.json(today)["explanation"]?.string == "The sky.")
        try archive.catalog.setFact(.reader, Reread.version - 1)
        #expect(try await Reread(archive: archive).run().notices.first?.words.hasPrefix("completed 1 day ") == true)
        try archive.catalog.setFact(.reader, Reread.version - 1)
        #expect(try await Reread(archive: archive).run().notices.isEmpty)
    }

    @Test("are none where a mirror begins, but where a catalog is made again")
    func begun() async throws {
        let testMirror = try TestMirror(entries)
        #expect(try await testMirror.mirror { try $0.archive.catalog.fact(.reader) } == Reread.version)
        try await testMirror.fetch()
        for suffix in ["", "-wal", "-shm"] { unlink("\(testMirror.root)/.apod-mirror/catalog.sqlite\(suffix)") }
        #expect(try await testMirror.mirror { try $0.archive.catalog.fact(.reader) } == nil)
    }

    @Test("are not looked for to the end when the work is cancelled, but the next time")
    func cancelled() async throws {
        let testMirror = try await aged()
        let archive = try testMirror.archive()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await Reread(archive: archive).run().notices
        }
        #expect(try await task.value.isEmpty)
        #expect(try archive.catalog.fact(.reader) == nil)
        _ = try await Reread(archive: archive).run()
        #expect(try archive.catalog.fact(.reader) == Reread.version)
        #expect(try testMirror.json(today)["explanation"]?.string == "The sky. News: A supernova.")
    }

    @Test("are not done with as long as the catalog takes none of them")
    func catalogRefuses() async throws {
        let testMirror = try await aged()
        let archive = try testMirror.archive()
        try archive.catalog.database.withLock { database throws(StorageError) in
            try database.script("ALTER TABLE prose RENAME TO aside")
        }
        await #expect(throws: StorageError.self) { try await Reread(archive: archive).run() }
        #expect(try archive.catalog.fact(.reader) == nil && archive.catalog.remark(.unmended) == nil)
    }

    @Test("are not done with as long as there is no room on the disk", .enabled(if: Disk.canBeMade))
    func full() async throws {
        let (disk, state) = (try Disk("tmpfs", "size=8m"), try TemporaryFolder())
        let testMirror = try await aged(root: "\(disk.path)/APOD", state: state.path)
        let archive = try testMirror.archive()
        try disk.fill(with: "ballast")
        for _ in 1...2 {
            await #expect(throws: StorageError.self) { try await Reread(archive: archive).run() }
            #expect(try archive.catalog.fact(.reader) == nil)
        }
        unlink("\(disk.path)/ballast")
        let notices = try await Reread(archive: archive).run().notices
        #expect(notices.map(\.words) == ["completed 3 days from the records that are kept"])
    }

    @Test("and that are damaged, failed or tell of less, are left alone", arguments: ["edited", "failed", "less"])
    func leftAlone(kind: String) async throws {
        let testMirror = try await aged()
        let archive = try testMirror.archive()
        switch kind {
        case "edited":
            let path = "2026/11/2026-11-20 Orion Rising.json"
            try testMirror.put(try testMirror.bytes(path) + [0x0a], at: path)
        case "failed":
            var status = try #require(try testMirror.status(today))
            status.state = .failed
            try await archive.record(status)
        default: try await age(today, in: archive, text: "The sky. And more than the record tells, by far.")
        }
        let before = try testMirror.bytes(today, "json")
        _ = try await Reread(archive: archive).run()
        #expect(try testMirror.bytes(today, "json") == before)
        #expect(try testMirror.json(pruned)["explanation"]?.string == "The sky. News: A supernova.")
    }

    @Test(
        "in a folder that cannot be written are told, keep no other from it, and are tried again at the next start",
        .enabled(if: ImmutableFolder.canBeMade))
    func refused() async throws {
        let bad = [day("2026-10-30"), day("2026-10-31")]
        let testMirror = try TestMirror(
            entries + bad.map { Entry($0, title: "Of October", bytes: 2_000) })
        for day in bad { testMirror.nasa[day]?.explanation = Self.news }
        try await testMirror.sync(.days(Set(entries.map(\.day) + bad)))
        let archive = try testMirror.archive()
        _ = try await archive.prune(bad, at: testMirror.clock.now)
        for day in bad + [today] { try await age(day, in: archive, text: "The sky.") }
        var folder: ImmutableFolder? = try ImmutableFolder("\(testMirror.root)/2026/10")
        testMirror.nasa.server.forgetRequests()
        for start in 1...2 {
            let notices = try await Reread(archive: archive).run().notices
            #expect(notices.count == (start == 1 ? 2 : 1))
            let words = try #require(notices.last?.words)
            #expect(words.hasPrefix("cannot complete 2 days from the records that are kept: cannot "))
            #expect(words.contains("Operation not permitted; `sudo chattr -ia` helps"))
            #expect(notices.last?.grade == .warning)
            #expect(try archive.catalog.fact(.reader) == Reread.version)
            // They are not asked for, to have their files deleted again.
            for day in bad { #expect(try testMirror.status(day)?.state == .pruned) }
        }
        #expect(try testMirror.json(today)["explanation"]?.string == "The sky. News: A supernova.")
        _ = folder.take()
        let notices = try await Reread(archive: archive).run().notices
        #expect(notices.map(\.words) == ["completed 2 days from the records that are kept"])
        #expect(try archive.catalog.search(["supernova"], limit: 9).count == 4)
        #expect(try await Reread(archive: archive).run().notices.isEmpty)
        #expect(try archive.catalog.remark(.unmended) == nil)
        #expect(testMirror.nasa.requests.isEmpty)
        try await testMirror.audit()
    }

    @Test("and were completed when the program was killed, before the catalog knew, are entered; what is edited is not")
    func killed() async throws {
        let testMirror = try await aged()
        let archive = try testMirror.archive()
        let before = try #require(try testMirror.status(pruned))
        _ = try await Reread(archive: archive).run()
        let after = try #require(try testMirror.status(pruned))
        #expect(after != before)
        try await archive.record(before)
        try archive.catalog.setFact(.reader, Reread.version - 1)
        let path = "2026/11/2026-11-17 Oldest.json"
        try testMirror.put(try testMirror.bytes(path) + [0x0a], at: path)
        #expect(try await Reread(archive: archive).run().notices.count == 1)
        #expect(try testMirror.status(pruned) == after)
        #expect(try archive.catalog.search(["supernova"], limit: 9).contains { $0.day == pruned })
        let problems = try await testMirror.problems()
        #expect(problems.count == 1 && problems.first?.contains(path) == true)
    }

    @Test("are completed by a service that starts, which is ready before")
    func service() async throws {
        let testService = try TestService(entries)
        testService.start()
        try await testService.told(.refreshed)
        try await testService.told(.watching)
        await testService.stop()
        try await leave(testService.root)
        try await unlocked(testService.root)
        testService.start()
        try await testService.told(.noted, "completed 1 day")
        #expect(try testService.catalog().search(["supernova"], limit: 9).contains { $0.day == today })
        await testService.stop()
    }

    private func leave(_ root: String) async throws {
        let archive = try Archive(root: root) { try? Picture(record: $0) }
        try await age(today, in: archive, text: "The sky.")
        try archive.catalog.setFact(.reader, 0)
    }
}
