import Apod
import Files
import Glibc
import TestSupport
import Testing

@testable import Store

/// Whose a mirror is: its place, its catalog, its lock.
struct StateTests {
    private let home: TemporaryFolder
    private let folder: Folder
    private var state: String { home.appending("state") }

    init() throws {
        home = try TemporaryFolder()
        folder = try Folder.open(home.path)
    }

    private func root(_ name: String) -> String { home.appending(name) }

    private func open(_ name: String, state: String? = nil) throws {
        let archive = try Archive(root: root(name), state: state ?? self.state) { _, _ in nil }
        withExtendedLifetime(archive) {}
    }

    private func expectRefusal(_ name: String, state: String? = nil, _ location: SourceLocation = #_sourceLocation) {
        #expect(sourceLocation: location) { try open(name, state: state) } throws: { error in
            (error as? Problem)?.code == .shared
        }
    }

    @Test("A catalog that is not in its root is of one mirror, and no other can have it, to write or to read")
    func one() throws {
        for _ in 0..<2 { try open("a") }
        mkdir(root("b"), 0o755)
        do {
            let archive = try Archive(root: root("a"), state: state) { _, _ in nil }
            expectRefusal("b")
            withExtendedLifetime(archive) {}
        }
        // Nothing is made there before.
        #expect(listing(root("b")) == [])
        #expect(throws: Problem.self) { try Archive.catalogToRead(root: root("b"), state: state) }
        #expect(try Archive.catalogToRead(root: root("a"), state: state) != nil)
        // Its disk is not mounted; it was moved, or is reached through a link.
        rename(root("a"), root("away"))
        expectRefusal("b")
        symlink("away", root("link"))
        try open("link")
        try open("b", state: home.appending("other"))
        unlink("\(state)/id")
        try open("b")
        expectRefusal("away")
    }

    @Test(
        "A catalog that is not in its root is nobody's without an id",
        arguments: ["", "abc\n", "+1", "0001", "12345678901234567"])
    func noIdentifier(text: String) throws {
        try open("a")
        try save(text, to: "\(state)/id")
        try open("b")
        expectRefusal("a")
    }

    @Test("A catalog in another mirror's root is refused under whatever name, and can be taken out of its own")
    func inRoot() throws {
        try open("a", state: root("a/.apod-mirror"))
        symlink("a/.apod-mirror", root("link"))
        for path in ["a/.apod-mirror", "link"] { expectRefusal("b", state: root(path)) }
        mkdir(state, 0o755)
        for name in ["catalog.sqlite", "lock", "id"] {
            try save(contents(root("a/.apod-mirror/\(name)")), to: "\(state)/\(name)")
        }
        try open("a")
        expectRefusal("b")
    }

    @Test(
        "Whoever may not read the mirror's own id is asked for no proof",
        .root)
    func unreadable() throws {
        try open("a")
        for path in [home.path, root("a"), state] { chmod(path, 0o755) }
        chmod(root("a/.apod-mirror"), 0o700)
        let folder = try Folder.open(root("a"))
        try Person.asAnother { try StateFolder(root: root("a"), state: state).check(for: folder) }
    }

    /// What goes while the mirror is open; something else may come in its place.
    @Test(
        "A mirror that is open notices that its folder, its own folder or its catalog is gone or another",
        arguments: [
            ("", false), ("", true), (".apod-mirror", false), (".apod-mirror", true),
            (".apod-mirror/catalog.sqlite", false),
        ])
    func moved(name: String, isOther: Bool) async throws {
        let fixture = try ArchiveFixture()
        let archive = try fixture.archive()
        try archive.checkPlaces()
        let (path, aside) = (fixture[name], fixture.folder.appending("aside"))
        #expect(rename(path, aside) == 0)
        if isOther { mkdir(path, 0o755) }
        // The catalog of another folder can be the same.
        let inner = name.isEmpty ? ".apod-mirror" : "catalog.sqlite"
        if isOther { #expect(rename("\(aside)/\(inner)", "\(path)/\(inner)") == 0) }
        #expect { try archive.checkPlaces() } throws: { ($0 as? Problem)?.code == .moved }
    }

    @Test(
        "Where there are mirrors is remembered in the state folder of the service, or of the person",
        arguments: [
            (["STATE_DIRECTORY": "~/s:~/t", "XDG_STATE_HOME": "~/x", "HOME": "~"], "s/roots"),
            (["STATE_DIRECTORY": "s", "XDG_STATE_HOME": "x", "HOME": "~"], ".local/state/apod-mirror/roots"),
            (["HOME": "~/file"], nil), ([:], nil),
        ] as [([String: String], String?)])
    func knownRoots(variables: [String: String], file: String?) throws {
        try save([], to: home.appending("file"))
        let environment = variables.mapValues { $0.replacing("~", with: home.path) }
        let root = root("APOD")
        let roots = KnownRoots(environment: environment)
        for name in ["a", "a", "b\n\(root)", "d"] { roots.remember("\(root)/\(name)") }
        let expected = file == nil ? [] : ["a", "d"]
        #expect(["a", "b", "d", "b\n\(root)"].filter { roots.haveLost("\(root)/\($0)") } == expected)
        #expect(!roots.haveLost(root))
        if let file { #expect(try fileText(home.appending(file)) == "\(root)/a\n\(root)/d\n") }
        _ = try Folder.make("\(root)/a/\(Tree.ownFolder)")
        #expect(!roots.haveLost("\(root)/a"))
    }

    private func lock() throws -> (WriterLock?, holder: String) {
        var holder = ""
        let lock = try WriterLock(in: folder, holder: &holder)
        return (lock, holder)
    }

    @Test(
        "The mirror's lock is one's alone until it is released, and names who has it and where to ask",
        arguments: [true, false])
    func lock(isFirst: Bool) throws {
        try save([], to: home.appending("lock"))
        chmod(home.appending("lock"), 0o644)
        // Everybody can read and lock the sign beside it.
        try save("/x\n", to: home.appending("running"))
        let sign = try #require(try folder.file("running"))
        #expect(WriterLock.announcement(in: folder) == nil, "left by a process that was killed")
        if isFirst { #expect(try sign.lock(.shared)) }
        var held: WriterLock? = try lock().0
        if !isFirst { #expect(try sign.lock(.shared)) }
        #expect(WriterLock.isHeld(in: folder) && Facts(home.appending("lock"))?.permissions == 0o600)
        for _ in 1...2 {
            let (other, holder) = try lock()
            #expect(other == nil && holder == "process \(getpid())")
        }
        for address in [nil, "/run/x/control", "/y", nil, "/y"] {
            try held?.announce(address)
            #expect(WriterLock.announcement(in: folder) == address)
        }
        for words in ["", "\n", "x\n", "/x", "/x\n/y\n", "/x\n/y", "/\(String(repeating: "x", count: 8192))\n"] {
            try save(words, to: home.appending("running"))
            #expect(WriterLock.announcement(in: folder) == nil, "\(words.prefix(9))")
        }
        try held?.announce("/y")
        held = nil
        if !isFirst { return }
        withExtendedLifetime(sign) {}
    }
}
