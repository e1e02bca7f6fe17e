import Apod
import Files
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Archive
@testable import Catalog

struct PruningTests: OldDays {
    private let fixture: ArchiveFixture

    init() async throws { fixture = try await Self.filled() }

    @Test("Days that are let go of leave their JSON, which says so, also to a catalog that is made again")
    func json() async throws {
        let before = try JSONText(contents(fixture["2026/10/2026-10-30 Clouds.json"]))
        let outcome = try await fixture.prune(old)
        #expect(outcome.gone == Set(old) && outcome.refused.isEmpty)
        #expect(
            fixture.tree.filter { $0.hasPrefix("2026/1") && !$0.contains("2026-11-20") } == [
                "2026/10/", "2026/10/2026-10-30 Clouds.json", "2026/11/", "2026/11/2026-11-01 A Flight.json",
                "2026/11/2026-11-02 Small.json", "2026/11/2026-11-03 Words.json",
            ])
        let after = try JSONText(contents(fixture["2026/10/2026-10-30 Clouds.json"]))
        #expect(after["mirror"]?["pruned"]?.bool == true && after["mirror"]?["files"]?.elements?.isEmpty == true)
        #expect(after["mirror"]?["fetched"] == before["mirror"]?["fetched"])
        for key in try #require(before.members).keys where key != "mirror" { #expect(after[key] == before[key]) }
        #expect(before["mirror"]?["pruned"] == nil)
        #expect(after["url"] != nil && after["thumbnail_url"] != nil)
        let storedDays = try fixture.storedDays()
        try await fixture.forget()
        #expect(try fixture.storedDays() == storedDays)
        try await fixture.expectNoProblems()
    }

    @Test("Days that are let go of are known for what they are")
    func catalog() async throws {
        let catalog = try fixture.openCatalog
        let bytes = try catalog.bytes()
        let changes = try fixture.archive().listenForChanges()
        try await fixture.prune(old)
        #expect(changes.all == Set(old))
        let status = try #require(try catalog.status(of: old[0]))
        #expect(status.state == .pruned && status.stored?.files.isEmpty == true && status.whole == nil)
        let summary = try catalog.summary()
        #expect(summary.pruned == 3 && summary.days == 5 && summary.pictures == 1)
        #expect(try catalog.bytes() == summary.bytes && summary.bytes < bytes - 5000)
        #expect(try catalog.newestPruned() == old[2])
        #expect(try catalog.countWithFiles(of: nil) == 1)
        #expect(try catalog.candidates(before: .last, sparing: []).map(\.day) == [november(20)])
        #expect(try catalog.missing(in: old[1]...old[2]) == 2)
        #expect(try catalog.gaps(in: old[1]...old[2], at: 0) == Set(old[1]...old[2]))
        #expect(try catalog.newestImage()?.day == november(20))
        #expect(try catalog.search(["clouds"], limit: 9).map(\.path) == ["2026/10/2026-10-30 Clouds.json"])
        try await fixture.expectNoProblems()
    }

    @Test("Days that are let go of stay if they are favorites, also those whose links have vanished")
    func favorites() async throws {
        try link(fixture, old[0])
        try link(fixture, old[1])
        try fixture.favorites.unfavor([old[1]], at: 0)
        let outcome = try await fixture.prune(old)
        #expect(outcome.gone == [old[2]] && outcome.refused.isEmpty)
        try await fixture.expectNoProblems()
    }

    @Test("Days that are let go of stay if their JSON cannot be read", arguments: ["missing", "damaged"])
    func unreadable(kind: String) async throws {
        let path = fixture["2026/11/2026-11-02 Small.json"]
        if kind == "missing" { unlink(path) } else { try save([1, 2, 3], to: path) }
        let outcome = try await fixture.prune(old)
        #expect(outcome.gone == Set(old[...1]) && outcome.refused[old[2]]?.path == path)
        #expect(try await fixture.problems() == ["\(kind) 2026/11/2026-11-02 Small.json"])
    }

    @Test(
        "Days that are let go of stay in a month that lies on another disk, and are not replaced there",
        .enabled(if: Disk.canBeMade, "needs root and mount(2)"))
    func otherDisk() async throws {
        let disk = try Disk("tmpfs")
        let month = fixture["2026/10"]
        for name in listing(month) { try save(contents("\(month)/\(name)"), to: "\(disk.path)/\(name)") }
        let mount = try BindMount(of: disk.path, over: month)
        try await fixture.close()
        let before = (tree: fixture.tree, storedDays: try fixture.storedDays())
        let outcome = try await fixture.prune([old[0]])
        #expect(outcome.gone.isEmpty && outcome.refused[old[0]]?.path == month)
        await #expect(throws: Problem.self) { try await fixture.add(old[0], bytes: 700) }
        #expect(fixture.tree == before.tree)
        #expect(try fixture.storedDays() == before.storedDays)
        #expect(listing(fixture[".apod-mirror/replaced"]).isEmpty)
        withExtendedLifetime((disk, mount)) {}
    }

    @Test(
        "Days that are let go of go on a full disk, too, which makes room",
        .enabled(if: Disk.canBeMade, "needs root and mount(2)"))
    func fullDisk() async throws {
        let disk = try Disk("tmpfs", "size=8m")
        let fixture = try ArchiveFixture(root: disk.path + "/APOD")
        try await fixture.add(old[0], "Clouds", bytes: 100_000)
        try await fixture.add(november(20), "Orion Rising")
        let archive = try fixture.archive()
        try disk.fill(with: "film")
        #expect(try await archive.prune([old[0]], at: 0).gone == [old[0]])
        #expect(listing(fixture[old[0].folder]) == ["2026-10-30 Clouds.json"])
    }

    @Test("Days that are let go of take nothing with them that is not theirs")
    func others() async throws {
        let folder = fixture["2026/11"]
        try save([1], to: "\(folder)/2026-11-02 Small.txt")
        try save([2], to: "\(folder)/2026-11-02 Small.png")
        #expect(Glibc.link("\(folder)/2026-11-02 Small.jpg", fixture["mine.jpg"]) == 0)
        unlink("\(folder)/2026-11-01 A Flight.png")
        #expect(symlink("../../mine.jpg", "\(folder)/2026-11-01 A Flight.png") == 0)
        try await fixture.prune(old)
        #expect(
            fixture.tree.filter { $0.hasPrefix("2026/11/2026-11-02") }
                == ["json", "png", "txt"].map { "2026/11/2026-11-02 Small.\($0)" })
        #expect(try contents(fixture["mine.jpg"]).count == 1000)
        #expect(target(of: "\(folder)/2026-11-01 A Flight.png") == "../../mine.jpg")
    }

    @Test("Days that are let go of are marked with all that is known of them, and are that again")
    func known() async throws {
        let catalog = try fixture.openCatalog
        var status = try #require(try catalog.status(of: old[0]))
        (status.state, status.attempts, status.retryAfter, status.failure) = (.failed, 3, 7, "no poster")
        try catalog.record([.init(status)])
        let asked = Atomic(0)
        let (known, wanted) = (status, old[0])
        try await fixture.prune([wanted]) { _ in
            guard asked.add(1, ordering: .relaxed).newValue == 2 else { return false }
            var marked = known
            marked.state = .pruned
            #expect((try? catalog.status(of: wanted)) == marked)
            return true
        }
        #expect(try catalog.status(of: wanted) == known)
        #expect(try await fixture.prune([wanted]).gone == [wanted])
        let gone = try catalog.status(of: wanted)
        #expect(gone?.failure == nil && gone?.attempts == 0 && gone?.retryAfter == nil)
    }

    @Test(
        "Days that are let go of stay alone where they cannot be deleted, as they were",
        .enabled(if: ImmutableFolder.canBeMade, "needs root and immutable files"))
    func fixed() async throws {
        let before = try #require(try fixture.openCatalog.status(of: old[0]))
        let name = try #require(before.stored?.name.with("jpg"))
        let file = try ImmutableFolder(fixture["\(old[0].folder)/\(name)"])
        let outcome = try await fixture.prune([old[0], old[2]])
        #expect(outcome.gone == [old[2]] && Set(outcome.refused.keys) == [old[0]])
        let after = try #require(try fixture.openCatalog.status(of: old[0]))
        #expect(after == before)
        withExtendedLifetime(file) {}
        try await fixture.expectNoProblems()
    }

    /// Between which steps somebody makes a link: a day is asked for before it is marked, then before each file goes.
    enum Between: Int, CaseIterable {
        case lookAndMark = 1
        case markAndFirst, firstAndSecond
    }

    @Test(
        "Days that are let go of stay if they become favorites meanwhile, noted or not", arguments: Between.allCases,
        [true, false])
    func wantedMeanwhile(_ between: Between, isNoted: Bool) async throws {
        let before = (tree: try tree(fixture), storedDays: try fixture.storedDays())
        let asked = Atomic(0)
        let wanted = old[0]
        let favorites = try fixture.favorites
        let outcome = try await fixture.prune([old[0], old[2]]) { subject in
            guard subject.day == wanted, asked.add(1, ordering: .relaxed).newValue >= between.rawValue else {
                return false
            }
            if isNoted { try? favorites.favor([wanted], at: 0) }
            return !isNoted
        }
        #expect(outcome.gone == [old[2]] && outcome.refused.isEmpty)
        let gone = before.tree.keys.filter { $0.hasPrefix("2026/10") && !fixture.tree.contains($0) }
        let status = try #require(try fixture.openCatalog.status(of: wanted))
        #expect(status.stored == before.storedDays[0].stored)
        if between == .firstAndSecond {
            #expect(gone.count == 1 && status.state == .pruned)
            #expect(try fixture.openCatalog.due(among: [wanted], at: november(20).noon) == [wanted])
        } else {
            #expect(gone.isEmpty && status == before.storedDays[0])
            try await fixture.expectNoProblems()
        }
    }

    @Test(
        "Days that are let go of are waited for in their order, so that two who wait for several days do not wait for each other"
    )
    func order() async throws {
        let archive = try fixture.archive()
        try await archive.dayLocks.lock(old[0])
        let pruning = Task { [old] in try await archive.prune([old[2], old[0]], at: 0) }
        try await lookOut(for: "the pruning") { archive.dayLocks.waitingCount > 0 }
        #expect(archive.dayLocks.lockIfFree(old[2]))
        for day in [old[0], old[2]] { archive.dayLocks.unlock(day) }
        #expect(try await pruning.value.gone == [old[0], old[2]])
    }

    @Test("Days that are let go of go while no other day comes")
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
}
