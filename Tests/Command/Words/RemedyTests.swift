import Apod
import Archive
import Catalog
import Configuration
import Favorites
import Files
import Glibc
import TestSupport
import Testing

@testable import apod_mirror

struct RemedyTests {
    @Test(
        "The remedy for an album changes only another group, and takes sudo only where it must",
        .enabled(if: geteuid() == 0 && getpwuid(65_534) != nil, "needs root, and nobody with a name"),
        arguments: [
            (owner: 0, group: 65_534, advice: "`sudo chmod g+rwxs F` lets it"),
            (0, 1, "`sudo chgrp nogroup F && sudo chmod g+rwxs F` lets it"),
            (4321, 1, "`sudo chgrp nogroup F && sudo chmod g+rwxs F` lets it"),
            (65_534, 65_534, "as nobody, `chmod g+rwxs F` lets it"),
            (65_534, 1, "as nobody, `chgrp nogroup F && chmod g+rwxs F` lets it"),
        ] as [(uid_t, gid_t, String)])
    func opening(owner: uid_t, group: gid_t, advice: String) throws {
        let temporary = try TemporaryFolder()
        let folder = temporary.path
        #expect(chown(folder, owner, group) == 0)
        func told(by user: uid_t, _ permissions: mode_t) throws -> String {
            #expect(chmod(folder, permissions) == 0)
            return Remedy.opening(folder, for: FileOwner(user: user, group: 65_534)).replacing(
                Text.quoted(folder), with: "F")
        }
        #expect(try told(by: 2, 0o755) == advice)
        #expect(try told(by: owner, 0o755) == advice)
        if owner == 4321 { return }
        let isPerson = owner == 65_534
        let own = isPerson ? "as nobody, `chmod u+rwx F` lets it" : "`sudo chmod u+rwx F` lets it"
        #expect(try told(by: owner, 0o555) == own)
    }

    @Test("A smaller copy among favorites is told with what to do, and other things with why")
    func words() {
        func words(_ name: String, _ why: UnrecognisedReason) -> String {
            why.words(for: Place(stringLiteral: name))
        }
        for name in ["2026-11-20-480.webp", "a/2026-11-20-1280.jpg"] {
            #expect(words(name, .file).contains("`apod-mirror favorites add 2026-11-20`"))
            #expect(words(name, .outside) == "a link out of the mirror, or to nothing")
        }
        for name in ["2026-11-20-480.jpg", "2026-11-20.jpg", "x-2026-11-20-480.webp"] {
            #expect(words(name, .file) == "not one of the mirror's pictures")
        }
    }

    private static let here = "it's here"

    private func advice(_ root: String) -> String {
        let words = Problem(.away, path: root).told(in: root)
        let parts = words.split(separator: "`", omittingEmptySubsequences: false)
        return parts.count > 1 ? "`\(parts[1])`" : words
    }

    @Test(
        "The remedy for a lost mirror makes it for whoever owns the folder", .enabled(if: geteuid() == 0, "needs root"),
        arguments: [0, 1, 65534] as [uid_t])
    func owner(_ user: uid_t) throws {
        let folder = try TemporaryFolder()
        let root = folder.appending(Self.here)
        #expect(mkdir(root, 0o755) == 0 && chown(root, user, user) == 0)
        let make = [
            0: "mkdir -p", 1: "sudo install -d -o daemon -g daemon", 65534: "sudo install -d -o nobody",
        ][user]!
        #expect(advice(root) == "`\(make) \(Text.quoted("\(root)/.apod-mirror"))`")
    }

    @Test(
        "The remedy for a lost mirror makes the folder too where there is none",
        .enabled(if: geteuid() == 0 || geteuid() >= 1000, "needs root or a person"))
    func missing() throws {
        let root = try TemporaryFolder().appending(Self.here)
        #expect(advice(root) == "`mkdir -p \(Text.quoted("\(root)/.apod-mirror"))`")
    }

    private func told(_ number: Int32, _ path: String, in root: String) -> String? {
        Remedy(Keeping(root)).of(Problem("write in", path, code: number))
    }

    @Test("The remedy for what the system refused follows its reason")
    func reasons() throws {
        let folder = try TemporaryFolder()
        let path = folder.path
        #expect(told(EXDEV, path, in: path) == "unmount it there")
        #expect(told(ETIMEDOUT, path, in: path)?.hasSuffix("`sudo dmesg` says what is wrong with it") == true)
        #expect(told(ENOTDIR, path, in: path) == "move what is there elsewhere")
        #expect(told(ENOENT, path, in: path) == nil && told(0, path, in: path) == nil)
        // systemd's service alone has folders that it may not write in.
        #expect([EROFS, EPERM, EACCES].allSatisfy { told($0, path, in: path)?.contains("systemctl") != true })
    }

    @Test(
        "A remedy names systemd's commands only where systemd runs", arguments: [true, false], [true, false])
    func commands(isSystems: Bool, systemdRuns: Bool) {
        let commands = ServiceCommands(isSystems: isSystems, systemdRuns: systemdRuns)
        let words = [commands.start, commands.reload, commands.restart, commands.moving]
        #expect(words.allSatisfy { $0.contains("systemctl") == systemdRuns }, "\(words)")
        for more in [commands.confined, commands.allowing] { #expect((more != nil) == (isSystems && systemdRuns)) }
    }

    @Test("The words systemctl and journalctl stand in one source file alone")
    func source() async throws {
        let sources = "\(Places.packageRoot)/Sources"
        let outsideComments = ["-rlE", "--include=*.swift", "^[^/]*(systemctl|journalctl)", sources]
        let outcome = try await Program.run("/usr/bin/grep", outsideComments, environment: [:])
        #expect(outcome.output == "\(sources)/apod-mirror/Remedies/ServiceCommands.swift\n")
    }

    @Test(
        "The remedy for a foreign folder in the mirror gives that back, and no more",
        .enabled(if: geteuid() == 0, "needs root"),
        arguments: [
            (others: [""], advice: "`sudo chown daemon: 'ROOT'` gives it to the mirror"),
            (["/2026/11"], "`sudo chown -R daemon: 'ROOT/2026/11'` gives it to the mirror"),
            (["/2026", "/2026/11"], "`sudo chown -R daemon: 'ROOT/2026'` gives it to the mirror"), ([], nil),
        ] as [([String], String?)])
    func owners(others: [String], advice: String?) throws {
        let folder = try TemporaryFolder()
        let root = folder.path
        for path in ["", "/.apod-mirror", "/2026", "/2026/11"] {
            mkdir(root + path, 0o755)
            #expect(chown(root + path, others.contains(path) ? 0 : 1, 1) == 0)
        }
        let told = told(EACCES, "\(root)/2026/11/2026-11-20 Orion.jpg", in: root)
        #expect(told?.replacing(root, with: "ROOT") == advice)
    }

    @Test("The remedy for an unreachable server names the setting, unless it is NASA's own")
    func servers() {
        func told(_ code: Problem.Code, _ host: String) -> String? {
            Remedy(Keeping("/mirror")).of(Problem(code, at: WebAddress("https://\(host)/wp-json")))
        }
        let usual = String(Settings(root: "/").upstream.host)
        #expect(told(.unreachable, usual) == "check this machine's network and clock")
        #expect(told(.unreachable, "a.example") == "check this machine's network and clock, and the setting `upstream`")
        #expect(told(.records, "a.example") == "check the setting `upstream`" && told(.records, usual) == nil)
        #expect(told(.refused, "a.example") == nil)
    }

    @Test(
        "The remedy for a read-only disk is to make it writable",
        .enabled(if: Disk.canBeMade, "needs root and mount(2)"))
    func readOnly() throws {
        let disk = try Disk("tmpfs", "size=1m")
        try disk.makeReadOnly()
        #expect(told(EROFS, "\(disk.path)/nothing/file", in: disk.path)?.hasPrefix("make it writable; ") == true)
    }
}
