import Apod
import Files
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Store

struct PruningTests {
    private let old = [day("2026-10-30"), november(1), november(2)]
    private let fixture: ArchiveFixture

    init() async throws { fixture = try await Self.filled() }

    private static func filled() async throws -> ArchiveFixture {
        let fixture = try ArchiveFixture()
        _ = try fixture.archive().firstDay(orChoose: day("2026-10-30"))
        try await fixture.add(day("2026-10-30"), "Clouds", "Up.", film)
        try await fixture.add(november(1), "A Flight", "Up.", [(.page, .html), (.poster, .png)])
        try await fixture.add(november(2), "Small", "Half.", downgraded: true, state: .downgraded)
        try await fixture.add(november(3), "Words", "Only.", [], state: .placeholder)
        try await fixture.add(november(20), "Orion Rising")
        return fixture
    }

    /// All that is in the tree, with its content, and what the catalog knows.
    private struct State: Equatable {
        var tree: [String: [UInt8]] = [:]
        let days: [Item]

        init(_ fixture: ArchiveFixture) throws {
            days = try fixture.storedDays()
            for name in fixture.tree {
                tree[name] = name.hasSuffix("/") || name.contains(" -> ") ? [] : try contents(fixture[name])
            }
        }
    }

    /// As a day that is on its way out.
    private func mark(_ day: Day) throws {
        var status = try #require(try fixture.openCatalog.item(of: day))
        status.state = .pruned
        try fixture.openCatalog.record([.init(status)])
    }

    @Test("Days that are deleted leave their JSON, which says so, also to a catalog that is made again")
    func json() async throws {
        let path = fixture["2026/10/2026-10-30 Clouds.json"]
        let before = try JSONText(contents(path))
        let (bytes, changes) = (try fixture.openCatalog.bytes(), try fixture.archive().listenForChanges())
        let outcome = try await fixture.prune(old)
        #expect(outcome.gone.days == Set(old) && outcome.refused.isEmpty && changes.all.days == Set(old))
        let after = try JSONText(contents(path))
        #expect(after["mirror"]?["pruned"]?.bool == true && after["mirror"]?["files"]?.elements?.isEmpty == true)
        #expect(after["mirror"]?["fetched"] == before["mirror"]?["fetched"])
        for key in try #require(before.members).keys where key != "mirror" { #expect(after[key] == before[key]) }
        do {
            let catalog = try fixture.openCatalog
            let status = try #require(try catalog.item(of: old[0]))
            #expect(status.state == .pruned && status.stored?.files.isEmpty == true && status.whole == nil)
            #expect(try catalog.summary().pruned == 3 && catalog.bytes() < bytes - 5000)
            #expect(try catalog.countMissing(in: old[1]...old[2]) == 2)
            #expect(try catalog.gaps(in: old[1]...old[2], at: 0) == Set(old[1]...old[2]))
        }
        let state = try State(fixture)
        try await fixture.forget()
        #expect(try State(fixture) == state)
        try await fixture.expectNoProblems()
    }

    @Test("Favorites are not deleted, nor those that ended within ninety days, by a clock that is not ahead")
    func favorites() async throws {
        let now = november(20).noon
        try fixture.favorites.favor(old, at: 5)
        try fixture.favorites.unfavor([old[1]], at: now - KnownFavorites.grace)
        try fixture.favorites.unfavor([old[2]], at: now)
        #expect(try await fixture.prune(old, at: now).gone.days == [old[1]])
        // As soon as there are newer days, the clock is believed.
        #expect(try await fixture.prune(old, at: now + 93 * 86_400).gone.isEmpty)
        try await fixture.add(day("2027-02-17"), "Months Later")
        #expect(try await fixture.prune(old, at: now + 93 * 86_400).gone.days == [old[2]])
        try await fixture.expectNoProblems()
    }

    @Test("A day stays whose JSON cannot be read", arguments: ["missing", "damaged"])
    func unreadable(kind: String) async throws {
        let path = fixture["2026/11/2026-11-02 Small.json"]
        if kind == "missing" { unlink(path) } else { try save([1, 2, 3], to: path) }
        let outcome = try await fixture.prune(old)
        #expect(outcome.gone.days == Set(old[...1]) && outcome.refused[.day(old[2])]?.path == path)
        #expect(try await fixture.problems() == ["\(kind) 2026/11/2026-11-02 Small.json"])
    }

    @Test(
        "A full disk keeps no day and no version from being deleted",
        .disks)
    func fullDisk() async throws {
        let disk = try Disk("tmpfs", "size=8m")
        let fixture = try ArchiveFixture(root: disk.path + "/APOD")
        for bytes in [50_000, 100_000] { try await fixture.add(old[0], "Clouds", bytes: bytes) }
        try await fixture.add(november(20), "Orion Rising")
        let archive = try fixture.archive()
        let versions = try archive.catalog.versionsWithFiles()
        try disk.fill(with: "film")
        #expect(try await archive.prune(versions) { _ in false }.gone.count == 1)
        #expect(listing(fixture[".apod-mirror/replaced/apod/2026-10-30 Clouds/1"]) == ["2026-10-30 Clouds.json"])
        try disk.fill(with: "more")
        #expect(try await archive.prune([old[0]], at: 0).gone.days == [old[0]])
        #expect(listing(fixture[old[0].folder]) == ["2026-10-30 Clouds.json"])
    }

    @Test("What was replaced in a list whose folder is gone goes, and is no change that is told")
    func goneList() async throws {
        let fixture = try ArchiveFixture()
        let archive = try fixture.archive()
        let list = try ListArchive("cats", of: archive)
        for content in ["before", "after"] { try await list.add("Mittens", content: content.bytes) }
        #expect(try archive.catalog.newestVersions(atMost: 1).count == 1)
        rename(fixture["lists/cats"], fixture["cats"])
        #expect(try archive.settleLists())
        #expect(try archive.catalog.newestVersions(atMost: 1).isEmpty)
        let versions = try archive.catalog.versionsWithFiles()
        #expect(try await archive.prune(versions) { _ in false }.gone.count == 1)
        #expect(listing(fixture[".apod-mirror/replaced/cats/Mittens/1"]) == ["Mittens.json"])
        #expect(try archive.catalog.versionsWithFiles().isEmpty)
    }

    @Test("Days take nothing with them that is not theirs")
    func others() async throws {
        let folder = fixture["2026/11"]
        for suffix in ["txt", "png"] { try save([1], to: "\(folder)/2026-11-02 Small.\(suffix)") }
        #expect(link("\(folder)/2026-11-02 Small.jpg", fixture["mine.jpg"]) == 0)
        unlink("\(folder)/2026-11-01 A Flight.png")
        #expect(symlink("../../mine.jpg", "\(folder)/2026-11-01 A Flight.png") == 0)
        try await fixture.prune(old)
        let left = fixture.tree.filter { $0.hasPrefix("2026/11/2026-11-02") }
        #expect(left == ["json", "png", "txt"].map { "2026/11/2026-11-02 Small.\($0)" })
        #expect(try contents(fixture["mine.jpg"]).count == 1000)
        #expect(target(of: "\(folder)/2026-11-01 A Flight.png") == "../../mine.jpg")
    }

    @Test(
        "A day stays with a file that a person has changed, and not with one that is damaged or merely touched",
        arguments: [
            // The bytes that are written, the time then: the mirror's or another; whether it stays.
            ([7], true, true), ([7], false, true), ([UInt8](repeating: 7, count: 1000), false, true),
            ([UInt8](repeating: 7, count: 1000), true, false), (nil, false, false), ([], false, true),
        ] as [(bytes: [UInt8]?, isOnTime: Bool, stays: Bool)])
    func edited(bytes: [UInt8]?, isOnTime: Bool, stays: Bool) async throws {
        let path = fixture["2026/10/2026-10-30 Clouds.mp4"]
        let before = try #require(try fixture.openCatalog.item(of: old[0]))
        if let bytes { try save(bytes, to: path) }
        try File.reading(path).setModified(isOnTime ? old[0].noon : 1_700_000_000)
        let outcome = try await fixture.prune(old)
        #expect(outcome.gone.days == Set(old[(stays ? 1 : 0)...]))
        #expect(outcome.refused[.day(old[0])] == (stays ? Problem(.edited, path: path) : nil))
        if stays { #expect(try contents(path) == bytes && fixture.openCatalog.item(of: old[0]) == before) }
        #expect(exists(fixture["2026/10/2026-10-30 Clouds.jpg"]) == stays)
    }

    @Test(
        "A day whose file cannot be deleted stays as it was",
        .firmFolders)
    func fixed() async throws {
        let before = try #require(try fixture.openCatalog.item(of: old[0]))
        let name = try #require(before.stored?.name.with("jpg"))
        let file = try ImmutableFolder(fixture["\(old[0].folder)/\(name)"])
        let outcome = try await fixture.prune([old[0], old[2]])
        #expect(outcome.gone.days == [old[2]] && outcome.refused.keys.days == [old[0]])
        #expect(try fixture.openCatalog.item(of: old[0]) == before)
        withExtendedLifetime(file) {}
        try await fixture.expectNoProblems()
    }

    /// A day is asked for before it is marked, then before each file goes. Until its last file goes, all is known of it.
    @Test("A day stays if it becomes a favorite meanwhile, noted or not", arguments: 1...3, [true, false])
    func wantedMeanwhile(time: Int, isNoted: Bool) async throws {
        let asked = Atomic(0)
        let wanted = old[0]
        let (favorites, catalog) = (try fixture.favorites, try fixture.openCatalog)
        var status = try #require(try catalog.item(of: wanted))
        (status.state, status.attempts, status.retryAfter, status.failure) = (.failed, 3, 7, "no poster")
        try catalog.record([.init(status)])
        let (before, known) = (try State(fixture), status)
        let outcome = try await fixture.prune([wanted, old[2]]) { key in
            guard key.day == wanted else { return false }
            let count = asked.add(1, ordering: .relaxed).newValue
            var marked = known
            if count > 1 { marked.state = .pruned }
            #expect(count > 3 || (try? catalog.item(of: wanted)) == marked)
            guard count >= time else { return false }
            if isNoted { try? favorites.favor([wanted], at: 0) }
            return !isNoted
        }
        #expect(outcome.gone.days == [old[2]] && outcome.refused.isEmpty)
        let after = try State(fixture)
        let gone = before.tree.keys.filter { $0.hasPrefix("2026/10") && after.tree[$0] == nil }
        status = try #require(try catalog.item(of: wanted))
        #expect(status.stored == known.stored && gone.count == (time == 3 ? 1 : 0))
        if time < 3 { return #expect(status == known) }
        #expect(try status.state == .pruned && catalog.due(among: [wanted], at: november(20).noon) == [wanted])
    }

    @Test("Days are waited for in their order, so that two who wait for several do not wait for each other")
    func order() async throws {
        let archive = try fixture.archive()
        try await archive.keyLocks.lock(old[0])
        let pruning = Task { [old] in try await archive.prune([old[2], old[0]], at: 0) }
        try await lookOut(for: "the pruning") { archive.keyLocks.waitingCount > 0 }
        #expect(archive.keyLocks.lockIfFree(old[2]))
        for day in [old[0], old[2]] { archive.keyLocks.unlock(day) }
        #expect(try await pruning.value.gone.days == [old[0], old[2]])
    }

    @Test("Days are deleted while no other day comes")
    func alone() async throws {
        let archive = try fixture.archive()
        let arrival = try fixture.arrival(november(21), "Late")
        let (begin, hasCome, cameEarly) = (Awaited(false), Awaited(false), Awaited(false))
        let coming = Task {
            _ = try await begin.first { $0 }
            try await archive.add(arrival.day())
            hasCome.update { $0 = true }
        }
        try await fixture.prune([old[2]]) { _ in
            if begin.value { return false }
            begin.update { $0 = true }
            // That nothing comes can only be waited for.
            for _ in 0..<300 where !hasCome.value { usleep(1_000) }
            cameEarly.update { $0 = hasCome.value }
            return false
        }
        try await coming.value
        #expect(!cameEarly.value)
    }

    @Test(
        "Days that were being deleted at a kill are missing if they lost a file, also as favorites",
        arguments: ["mp4", "jpg"])
    func lost(suffix: String) async throws {
        for day in old { try mark(day) }
        unlink(fixture["2026/10/2026-10-30 Clouds.\(suffix)"])
        let before = try State(fixture)
        try await fixture.close()
        try fixture.archive().tidy()
        let (after, catalog) = (try State(fixture), try fixture.openCatalog)
        #expect(after.tree == before.tree)
        #expect(after.days.map(\.state) == [.pruned, .mirrored, .downgraded, .placeholder, .mirrored])
        #expect(try catalog.gaps(in: old[0]...old[2], at: 0).contains(old[0]))
        try fixture.favorites.favor([old[0]], at: 0)
        #expect(try catalog.due(among: [old[0]], at: november(20).noon) == [old[0]])
        #expect(try await fixture.prune(old).gone.days == Set(old[1...]))
    }
}
