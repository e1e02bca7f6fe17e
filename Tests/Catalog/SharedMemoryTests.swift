import Apod
import Files
import Glibc
import TestSupport
import Testing

@testable import Archive
@testable import Catalog

@_silgen_name("setfsuid") private func setfsuid(_ user: UInt32) -> Int32

@Suite("The memory that the users of the catalog's log share", .enabled(if: geteuid() == 0))
struct SharedMemoryTests {
    private let shelf: Shelf

    init() async throws {
        shelf = try Shelf()
        try await shelf.add(Day("2026-11-01")!)
        try await shelf.close()
        chmod(shelf.folder.path, 0o755)
    }

    private var memory: String { "\(shelf.catalog)-shm" }
    private var inode: UInt { get throws { UInt(try #require(Facts(memory)?.inode)) } }

    /// Somebody who holds a lock as SQLite's users do, or one of the open file.
    private func hold(_ identity: [String], ofFile: Bool) async throws -> Program {
        let script = """
            $| = 1; open(my $file, '<', $ARGV[0]) or die "$!";
            my $lock = pack('s s x4 q q i x4', 0, 0, 128, 1, 0);
            fcntl($file, $ARGV[1], $lock) or die "$!"; print "held\\n"; sleep 100;
            """
        let words = ["perl", "-e", script, memory, ofFile ? "37" : "6"]
        let program = try Program("/usr/bin/setpriv", identity + words)
        #expect(try await program.outcome { $0.output == "held\n" }.end == nil, "\(program.outcome.errors)")
        return program
    }

    private static let stranger = ["--reuid", "65534", "--regid", "65534", "--clear-groups"]
    private static let users: [(identity: [String], ofFile: Bool, stays: Bool)] = [
        (["--reuid", "0", "--regid", "65533", "--clear-groups"], false, true),
        (["--reuid", "65533", "--regid", "65533", "--clear-groups"], false, true),
        (["--reuid", "65534", "--regid", "0", "--clear-groups"], false, true),
        (["--reuid", "65534", "--regid", "65534", "--groups", "1,0"], false, true),
        (stranger, false, false), (stranger, true, false),
    ]

    @Test(
        "is another after the mirror was opened, unless somebody uses it who may write",
        arguments: users, [0o644, 0o1600] as [mode_t])
    func used(by user: (identity: [String], ofFile: Bool, stays: Bool), mode: mode_t) async throws {
        chown(memory, 65533, 0)
        chmod(memory, 0o644)
        let before = try inode
        let program = try await hold(user.identity, ofFile: user.ofFile)
        chmod(memory, mode)
        #expect(try shelf.storedDays().count == 1)
        #expect(try (inode == before) == user.stays)
        #expect(Facts(memory)?.permissions == (user.stays ? 0o1600 : 0o600))
        program.kill()
    }

    @Test("is another also if it was closed by somebody who wrote beside the mirror")
    func closedBeside() async throws {
        chmod(memory, 0o644)
        let before = try inode
        let program = try await hold(Self.stranger, ofFile: false)
        _ = try Archive.catalogBeside(root: shelf.root)
        #expect(try inode == before)
        #expect(try shelf.storedDays().count == 1)
        #expect(try inode != before && Facts(memory)?.permissions == 0o600)
        program.kill()
    }

    @Test("is taken to be used by everybody who may write, and by those of whom nothing is told")
    func possibleUsers() throws {
        let facts = try #require(try Folder.open("\(shelf.root)/.apod-mirror").facts(of: "catalog.sqlite-shm"))
        let holders: [(holder: LockHolder, mayWrite: Bool)] = [
            (.hidden, true), (.openFile, false), (.process(user: 0, groups: [65534]), true),
            (.process(user: 65534, groups: [65534]), false), (.process(user: 65534, groups: [1, facts.group]), true),
        ]
        for (holder, mayWrite) in holders { #expect(facts.letWrite(holder) == mayWrite, "\(holder)") }
    }

    @Test("stays where nobody else could ever open it")
    func neverOpen() throws {
        let before = try inode
        #expect(Facts(memory)?.permissions == 0o600)
        _ = try shelf.archive()
        #expect(try inode == before && Facts(memory)?.permissions == 0o600)
    }

    @Test("stays while somebody of the same program uses it, so that both can write")
    func beside() async throws {
        let catalog = try #require(try Archive.catalogBeside(root: shelf.root))
        try catalog.setFact(.released, 1)
        chmod(memory, 0o644)
        let before = try inode
        let archive = try shelf.archive()
        for number in 2...5 {
            try catalog.setFact(.released, number)
            #expect(try archive.catalog.fact(.released) == number)
            try archive.catalog.setFact(.reader, number)
            #expect(try catalog.fact(.reader) == number)
        }
        #expect(try inode == before && Facts(memory)?.permissions == 0o1600)
        try catalog.check()
    }

    /// Somebody who may write by the group's right, though nothing is theirs.
    private func asMember(_ work: () throws -> Void) rethrows {
        _ = setfsuid(65534)
        defer { _ = setfsuid(0) }
        try work()
    }

    @Test("need not be closed, nor be somebody's, where that is refused", arguments: ["", "memory", "catalog"])
    func refused(without missing: String) throws {
        chmod("\(shelf.root)/.apod-mirror", 0o770)
        for suffix in ["", "-wal", "-shm"] { chmod(shelf.catalog + suffix, 0o660) }
        if missing != "" { unlink(memory) }
        if missing == "catalog" { truncate(shelf.catalog, 0) }
        try asMember {
            let catalog = try #require(try Archive.catalogBeside(root: shelf.root))
            try catalog.setFact(.released, 7)
        }
        #expect(Facts(shelf.catalog)?.permissions == 0o660)
        #expect(Facts(memory)?.permissions == (missing == "" ? 0o660 : 0o600))
        #expect(try Archive.catalogToRead(root: shelf.root)?.fact(.released) == 7)
    }

    @Test("stays where it cannot be closed")
    func notClosed() async throws {
        #expect(try await Program.run("/bin/chown", ["-R", "65534", shelf.root]).status == 0)
        chown(memory, 0, 0)
        chmod(memory, 0o666)
        let before = try inode
        try asMember { _ = try shelf.archive() }
        #expect(try shelf.storedDays().count == 1)
        #expect(try inode == before && Facts(memory)?.permissions == 0o666)
    }
}
