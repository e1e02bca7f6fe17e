import Apod
import Glibc
import TestSupport
import Testing

@testable import Favorites
@testable import Files

struct QuickerTests {
    @Test(
        "A link that takes a thing's place deletes nothing of what comes to its name at the same moment",
        arguments: ["file", "link", "../y"])
    func between(other: String) throws {
        let place = try TemporaryFolder()
        let folder = try Folder.open(place.path)
        let path = place.appending("x")
        try save([1], to: path)
        let facts = try #require(try folder.facts(of: "x"))
        var looks = 0
        let isReplaced = try LinkExchange(name: Name("x")!, facts: facts, folder: folder).link(to: "../y") {
            looks += 1
            if looks == 1 { return true }
            // The link is there. Somebody puts a thing of theirs into its place, and moves the folder.
            #expect(target(of: path) == "../y")
            unlink(path)
            if other == "file" { try? save([2], to: path) } else { symlink(other, path) }
            return false
        }
        #expect(!isReplaced && looks == 2)
        // One that says the same is no loss.
        let things = try folder.names().map { name in
            let path = place.appending(name)
            return try target(of: path) ?? "\(try contents(path))"
        }
        #expect(things.sorted() == ["file": ["[1]", "[2]"], "link": ["[1]", "link"], "../y": ["[1]"]][other])
        #expect(try contents(path) == [1])
    }
}

extension QuickerTests {
    @Test("A link takes the place of nothing that came to a name since it was looked at")
    func before() throws {
        let place = try TemporaryFolder()
        let folder = try Folder.open(place.path)
        try save([1], to: place.appending("x"))
        let facts = try #require(try folder.facts(of: "x"))
        let isReplaced = try LinkExchange(name: Name("x")!, facts: facts, folder: folder).link(to: "../y") {
            if target(of: place.appending("x")) == nil { try save([2, 3], to: place.appending("x")) }
            return true
        }
        #expect(try !isReplaced && contents(place.appending("x")) == [2, 3] && folder.names() == ["x"])
    }
}

struct ReplacementTests {
    private static let sshfs = "/usr/bin/sshfs"
    private static let server = "/usr/lib/openssh/sftp-server"
    private static let canBeMade =
        geteuid() == 0 && ["/dev/fuse", sshfs, server].allSatisfy(exists)

    /// What is in a folder as sshfs shows it.
    private func mounted(_ work: (_ folder: Folder, _ there: String) throws -> Void) async throws {
        let place = try TemporaryFolder()
        for name in ["there", "here"] { mkdir(place.appending(name), 0o755) }
        try save("#!/bin/sh\nexec \(Self.server)\n", to: place.appending("ssh"))
        chmod(place.appending("ssh"), 0o755)
        let options = ["-o", "ssh_command=\(place.appending("ssh"))", "nas:\(place.appending("there"))"]
        let outcome = try await Program.run(Self.sshfs, options + [place.appending("here")], limit: .seconds(20))
        try #require(outcome.status == 0, "\(outcome.errors)")
        defer { umount2(place.appending("here"), Int32(MNT_DETACH)) }
        try work(try Folder.open(place.appending("here")), place.appending("there"))
    }

    @Test(
        "On a disk that cannot exchange two things, too, a link replaces only what was looked at",
        .enabled(if: canBeMade, "needs root, sshfs and /dev/fuse"), arguments: [false, true])
    func replace(isQuicker: Bool) async throws {
        try await mounted { folder, there in
            let path = folder.path(of: "x")
            try save([1], to: path)
            let facts = try #require(try folder.facts(of: "x"))
            #expect(symlink("a", folder.path(of: "a")) == 0 && symlink("b", folder.path(of: "b")) == 0)
            // Or the test would prove nothing.
            let error = #expect(throws: Problem.self) { try folder.exchange("a", with: folder, "b") }
            #expect(error?.isUnsupported == true)
            if isQuicker { try save("somebody's", to: path) }
            let replacement = LinkExchange(name: Name("x")!, facts: facts, folder: folder)
            if isQuicker {
                #expect(throws: Problem.self) { _ = try replacement.link(to: "../y") { true } }
                #expect(try fileText(path) == "somebody's")
            } else {
                #expect(try !replacement.link(to: "../z") { false } && target(of: "\(there)/x") == nil)
                #expect(try replacement.link(to: "../y") { true })
                #expect(target(of: "\(there)/x") == "../y")
            }
            #expect(try folder.names().map { "\($0)" }.sorted() == ["a", "b", "x"])
        }
    }
}
