import Apod
import Files
import Glibc
import TestSupport
import Testing

@testable import Store

struct CatalogFilesTests {
    /// Closed.
    private let fixture: ArchiveFixture

    init() async throws {
        fixture = try ArchiveFixture()
        try await fixture.add(november(1), "Orion")
        try await fixture.close()
        chmod(fixture.folder.path, 0o755)
    }

    private static let suffixes = ["", "-wal", "-shm"]

    @Test(
        "The catalog's files are the owner's and, to read, the group's, whatever they were",
        arguments: [0o600, 0o644, 0o666], [nil, "-wal", "-shm"])
    func modes(mode: mode_t, gone: String?) async throws {
        for suffix in Self.suffixes { chmod(fixture.catalog + suffix, mode) }
        if let gone { unlink(fixture.catalog + gone) }
        chmod(fixture[".apod-mirror"], mode == 0o600 ? 0o700 : 0o777)
        mkdir(fixture["favorites"], 0o755)
        #expect(try fixture.storedDays().count == 1)
        try await fixture.close()
        #expect(Self.suffixes.map { Facts(fixture.catalog + $0)?.permissions } == [0o640, 0o640, 0o640])
        #expect(Facts(fixture[".apod-mirror"])?.permissions == 0o755 && Facts(fixture.catalog + "-wal")?.bytes == 0)
        if geteuid() == 0 { #expect(Facts(fixture["favorites"])?.permissions == 0o2775) }
    }

    @Test(
        "The catalog's files are opened to write only when they can be changed",
        .firmFolders, arguments: ["", "-wal"])
    func immutable(suffix: String) async throws {
        do {
            let file = try ImmutableFolder(fixture.catalog + suffix)
            let error = #expect(throws: Problem.self) { try Database(fixture.catalog, .write) }
            // The service waits for it.
            #expect(error?.errorNumber == EPERM && error?.path == fixture.catalog + suffix)
            #expect(throws: Never.self) { try Database(fixture.catalog, .read) }
            withExtendedLifetime(file) {}
        }
        try await fixture.add(november(2))
    }
}
