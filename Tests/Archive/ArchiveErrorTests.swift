import Apod
import Glibc
import TestSupport
import Testing

@testable import Archive

@Suite("Of a mirror that is gone, it is said how a new one begins:")
struct ArchiveErrorTests {
    private static let here = "it's here"

    private func advice(_ root: String) -> String {
        let words = ArchiveError.away(root: root).description
        return words.split(separator: " is to begin there: ", maxSplits: 1).last.map(String.init) ?? words
    }

    @Test("as whoever the folder belongs to", .enabled(if: geteuid() == 0), arguments: [0, 1, 65534] as [uid_t])
    func owner(_ user: uid_t) throws {
        let folder = try TemporaryFolder()
        let root = folder.appending(Self.here)
        #expect(mkdir(root, 0o755) == 0 && chown(root, user, user) == 0)
        let make = [
            0: "mkdir -p", 1: "sudo install -d -o daemon -g daemon", 65534: "sudo install -d -o nobody",
        ][user]!
        #expect(advice(root) == "`\(make) \(Text.quoted("\(root)/.apod-mirror"))`")
    }

    @Test("where there is no folder, with one", .enabled(if: geteuid() == 0 || geteuid() >= 1000))
    func missing() throws {
        let root = try TemporaryFolder().appending(Self.here)
        #expect(advice(root) == "`mkdir -p \(Text.quoted("\(root)/.apod-mirror"))`")
        // What is there already is not to be made.
        #expect(FolderAdvice.command("/").hasPrefix("sudo install -d -o "))
        #expect(
            FolderAdvice.command("/proc/none/a", "/proc/none/a/b").hasPrefix("mkdir -p '/proc/none/a/b'")
                == (geteuid() == 0))
    }
}
