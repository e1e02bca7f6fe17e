import Apod
import Catalog
import Files
import Glibc
import TestSupport
import Testing

@testable import Archive

struct OpeningTests {
    private let newest = november(20)

    private let fixture: ArchiveFixture

    init() async throws {
        fixture = try ArchiveFixture()
        try await fixture.add(november(19), "Clouds")
        try await fixture.add(newest, "Orion")
    }

    /// Moves what is at a path aside; `fill` may put something else in its place.
    private func isReplaced(_ path: String, in fixture: ArchiveFixture, _ fill: (_ aside: String) -> Void = { _ in })
        throws
        -> Bool
    {
        let archive = try fixture.archive()
        let aside = fixture.folder.appending("aside")
        #expect(rename(path, aside) == 0)
        fill(aside)
        do {
            try archive.checkPlaces()
        } catch {
            return error.problem.code == .moved
        }
        return false
    }

    @Test("A mirror that is open notices that another folder is at its path, even with its own things in it")
    func root() async throws {
        try fixture.archive().checkPlaces()
        #expect(
            try isReplaced(fixture.root, in: fixture) { aside in
                mkdir(fixture.root, 0o755)
                rename("\(aside)/.apod-mirror", fixture[".apod-mirror"])
            })
    }

    @Test("A mirror that is open notices that its own folder is another, or gone", arguments: [true, false])
    func own(isOther: Bool) async throws {
        let own = fixture[".apod-mirror"]
        #expect(try isReplaced(own, in: fixture) { _ in if isOther { mkdir(own, 0o755) } })
    }

    @Test("A mirror that is open is not taken for another where too many files are open")
    func shortage() async {
        await #expect(processExitsWith: .success) {
            let fixture = try ArchiveFixture()
            let archive = try fixture.archive()
            let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
            var limit = rlimit(rlim_cur: 3, rlim_max: 256)
            try #require(setrlimit(files, &limit) == 0)
            let result = Result { try archive.checkPlaces() }
            limit.rlim_cur = 256
            setrlimit(files, &limit)
            try result.get()
        }
    }

    @Test("A mirror that is open notices that its catalog is gone")
    func catalog() async throws {
        #expect(try isReplaced(fixture.catalog, in: fixture))
    }

    @Test("A mirror that is open leads latest to the newest picture, whatever a kill has left on the way there")
    func leftoverLink() async throws {
        let fixture = try ArchiveFixture()
        try await fixture.add(november(19), "Clouds")
        #expect(symlink("2026/11/2026-11-19 Clouds.jpg", fixture[".apod-mirror/latest.new"]) == 0)
        try await fixture.add(newest, "Orion")
        #expect(target(of: fixture["latest"]) == "2026/11/2026-11-20 Orion.jpg")
    }

    @Test("A mirror that is open takes a file of the right length for good, unless its content is asked for")
    func intactFiles() async throws {
        let archive = try fixture.archive()
        let stored = try #require(try archive.catalog.status(of: newest)?.stored)
        #expect(try await archive.intactFiles(of: stored, byContent: true) == stored.files)
        let path = fixture["2026/11/2026-11-20 Orion.jpg"]
        var bytes = try contents(path)
        bytes[500] ^= 1
        try save(bytes, to: path)
        #expect(try await archive.intactFiles(of: stored, byContent: false) == stored.files)
        #expect(try await archive.intactFiles(of: stored, byContent: true) == [])
        try save(bytes + [0], to: path)
        #expect(try await archive.intactFiles(of: stored, byContent: false) == [])
    }
}
