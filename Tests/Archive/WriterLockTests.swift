import Files
import Glibc
import TestSupport
import Testing

@testable import Archive

struct WriterLockTests {
    private let home: TemporaryFolder
    private let folder: Folder

    init() throws {
        home = try TemporaryFolder()
        folder = try Folder.open(home.path)
    }

    private func lock() throws -> (WriterLock?, holder: String) {
        var holder = ""
        let lock = try WriterLock(in: folder, holder: &holder)
        return (lock, holder)
    }

    @Test("The mirror's lock is one's alone until it is released, and names who has it")
    func alone() throws {
        var held: WriterLock? = try lock().0
        #expect(held != nil && WriterLock.isHeld(in: folder))
        let (other, holder) = try lock()
        #expect(other == nil && holder == "process \(getpid())")
        // Who was refused has changed nothing.
        #expect(try lock().holder == holder)
        withExtendedLifetime(held) {}
        held = nil
        #expect(!WriterLock.isHeld(in: folder))
        #expect(try lock().0 != nil)
    }

    @Test("The mirror's lock may be had by who is not told its holder")
    func unnamed() throws {
        let file = try folder.makePrivateFile("lock")
        #expect(try file.lock(.alone))
        #expect(try lock().holder == "another process")
    }

    @Test("The mirror's lock is nobody else's to open, whatever it was before")
    func closed() throws {
        try save([], to: home.appending("lock"))
        chmod(home.appending("lock"), 0o644)
        let held = try lock().0
        #expect(Facts(home.appending("lock"))?.permissions == 0o600)
        #expect(Facts(home.appending("running"))?.permissions == 0o644)
        withExtendedLifetime(held) {}
    }

    @Test("The mirror's lock is kept by nobody who locks the sign that everybody can read", arguments: [true, false])
    func sign(isFirst: Bool) throws {
        try save([], to: home.appending("running"))
        let sign = try #require(try folder.file("running"))
        if isFirst { #expect(try sign.lock(.shared)) }
        let held = try lock().0
        #expect(held != nil)
        if !isFirst { #expect(try sign.lock(.shared)) }
        try held?.announce("/run/x/control")
        #expect(WriterLock.announcement(in: folder) == "/run/x/control")
    }

    @Test("The mirror's lock tells where its holder can be spoken to, for as long as it is held")
    func announcement() throws {
        #expect(WriterLock.announcement(in: folder) == nil)
        var held: WriterLock? = try lock().0
        #expect(WriterLock.announcement(in: folder) == nil)
        try held?.announce("/run/x/control")
        #expect(WriterLock.announcement(in: folder) == "/run/x/control")
        try held?.announce("/y")
        #expect(WriterLock.announcement(in: folder) == "/y")
        try held?.announce(nil)
        #expect(WriterLock.announcement(in: folder) == nil && WriterLock.isHeld(in: folder))
        try held?.announce("/y")
        held = nil
        #expect(WriterLock.announcement(in: folder) == nil && Facts(home.appending("running"))?.bytes == 3)
        // What is left of somebody who was killed is not said by the next one.
        held = try lock().0
        #expect(WriterLock.announcement(in: folder) == nil)
        withExtendedLifetime(held) {}
    }

    @Test(
        "The mirror's lock tells nothing that is no place",
        arguments: ["", "\n", "x\n", "/x", "/x\n/y\n", "/x\n/y", "/\(String(repeating: "x", count: 8192))\n"])
    func nonsense(words: String) throws {
        let held = try lock().0
        try save(words, to: home.appending("running"))
        #expect(WriterLock.announcement(in: folder) == nil)
        withExtendedLifetime(held) {}
    }

    @Test("The mirror's lock is released when its holder is killed")
    func killed() async throws {
        let script = """
            use Fcntl;
            sysopen(my $file, $ARGV[0], O_RDWR | O_CREAT) or die $!;
            my $all = pack('s s x4 q q i x4', F_WRLCK, 0, 0, 0, 0);
            fcntl($file, 37, $all) or die $!;
            $| = 1; print "held\\n"; sleep 100;
            """
        let other = try Program("/usr/bin/perl", ["-e", script, home.appending("lock")])
        #expect(try await other.outcome { $0.output == "held\n" }.end == nil)
        #expect(try lock().0 == nil)
        other.kill()
        _ = try await other.finished()
        #expect(try lock().0 != nil)
    }
}
