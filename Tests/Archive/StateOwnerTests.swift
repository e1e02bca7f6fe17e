import Apod
import Files
import Glibc
import TestSupport
import Testing

@testable import Archive

struct StateOwnerTests {
    private let home: TemporaryFolder
    private var state: String { home.appending("state") }

    init() throws { home = try TemporaryFolder() }

    private func root(_ name: String) -> String { home.appending(name) }

    private func open(_ name: String, state: String? = nil) throws {
        let archive = try Archive(root: root(name), state: state ?? self.state) { _, _ in nil }
        withExtendedLifetime(archive) {}
    }

    /// What is said of whoever may not have it.
    private func refusal(_ name: String, state: String? = nil) -> String? {
        do {
            try open(name, state: state)
            return nil
        } catch {
            guard error.problem.code == .shared else { return "\(error) is no refusal" }
            return error.problem.description
        }
    }

    @Test("A catalog that is not in its root is of one mirror, and no other can have it, to write or to read")
    func one() throws {
        for _ in 0..<2 { try open("a") }
        let words = try #require(refusal("b"))
        #expect(
            words == """
                the catalog beside \(state)/id is another mirror's than the one in \(root("b")): set `state` to another \
                folder. If it is this mirror's, copied or restored there, delete \(state)/id
                """)
        #expect(throws: Problem.self) { try Archive.catalogToRead(root: root("b"), state: state) }
        #expect(try Archive.catalogToRead(root: root("a"), state: state) != nil)
        try open("a")
        try open("b", state: home.appending("other"))
        try system("unlink", unlink("\(state)/id"))
        try open("b")
        #expect(refusal("a") != nil)
    }

    @Test(
        "A catalog that is not in its root is asked for no proof by who may not read the mirror's own",
        .enabled(if: geteuid() == 0, "needs root"))
    func unreadable() throws {
        try open("a")
        for path in [home.path, root("a"), state] { chmod(path, 0o755) }
        chmod("\(root("a"))/.apod-mirror", 0o700)
        let folder = try Folder.open(root("a"))
        try Person.asAnother { try StateFolder(root: root("a"), state: state).check(for: folder) }
    }

    @Test("A catalog that is not in its root is refused before anything is made in the folder of another")
    func nothingMade() throws {
        try open("a")
        #expect(mkdir(root("b"), 0o755) == 0)
        #expect(refusal("b") != nil)
        #expect(!exists("\(root("b"))/.apod-mirror"))
    }

    @Test(
        "A catalog that is not in its root is refused while the other mirror is open, and while its disk is not mounted"
    )
    func open() throws {
        let archive = try Archive(root: root("a"), state: state) { _, _ in nil }
        #expect(refusal("b") != nil)
        withExtendedLifetime(archive) {}
        try system("rename", rename(root("a"), root("away")))
        #expect(refusal("b") != nil)
    }

    @Test("A catalog that is not in its root goes with the mirror that is moved, or reached through a link")
    func moved() throws {
        try open("a")
        try system("symlink", symlink("a", root("link")))
        try open("link")
        try system("rename", rename(root("a"), root("b")))
        try open("b")
        #expect(refusal("a") != nil)
    }

    @Test("A catalog that is not in its root is not the one in another mirror's root, under whatever name")
    func inRoot() throws {
        try open("a", state: root("a/.apod-mirror"))
        try system("symlink", symlink("a/.apod-mirror", root("link")))
        for path in ["a/.apod-mirror", "link"] { #expect(refusal("b", state: root(path)) != nil) }
        try open("a", state: root("link"))
        try system("rename", rename(root("a"), root("moved")))
        try open("moved", state: root("moved/.apod-mirror"))
    }

    @Test("A catalog that is not in its root can be taken out of the root, with all that lay beside it there")
    func takenOut() throws {
        try open("a", state: root("a/.apod-mirror"))
        mkdir(state, 0o755)
        for name in ["catalog.sqlite", "lock", "id"] {
            try save(contents(root("a/.apod-mirror/\(name)")), to: "\(state)/\(name)")
        }
        for _ in 0..<2 { try open("a") }
        #expect(refusal("b") != nil)
    }

    @Test(
        "A catalog that is not in its root is nobody's while what is there is no id",
        arguments: ["", "abc\n", "+1", "0001", "12345678901234567"])
    func noIdentifier(text: String) throws {
        try open("a")
        try save(text, to: "\(state)/id")
        try open("b")
        #expect(refusal("a") != nil)
    }

    private func system(_ call: String, _ code: Int32) throws { guard code == 0 else { throw SystemError(call) } }
}
