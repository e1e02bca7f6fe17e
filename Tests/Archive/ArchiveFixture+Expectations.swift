import Apod
import Archive
import Glibc
import TestSupport
import Testing

extension ArchiveFixture {
    /// Expects that `verify` finds nothing.
    func expectNoProblems(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        #expect(try await problems() == [], sourceLocation: sourceLocation)
    }

    /// Expects that a publication stops at a file: what is mounted on can be neither removed nor replaced.
    func expectStop(at path: String, _ publish: () async throws -> Void) async throws {
        let other = folder.appending("other")
        try save([1], to: other)
        let mount = try BindMount(of: other, over: path)
        await #expect(throws: Problem.self) { try await publish() }
        withExtendedLifetime(mount) {}
    }
}

/// What is no file, in the place of one: a FIFO, a folder, or a link that leads there.
func put(_ kind: String, at path: String) {
    switch kind {
    case "fifo": mkfifo(path, 0o644)
    case "folder": mkdir(path, 0o755)
    default: symlink(kind, path)
    }
}
