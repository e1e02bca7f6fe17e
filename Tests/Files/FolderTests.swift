import Apod
import Files
import Glibc
import Synchronization
import TestSupport
import Testing

struct FolderTests {
    private let home: TemporaryFolder
    private let folder: Folder

    init() throws {
        home = try TemporaryFolder()
        folder = try home.open()
    }

    @Test("A folder makes folders and files once and finds them again")
    func makes() throws {
        #expect(try folder.folder("2026") == nil && folder.file("a") == nil)
        #expect(try Folder.open("/").path(of: "a") == "/a")
        let inner = try folder.makeFolder("2026")
        try inner.makeFile("a").append([1, 2, 3])
        let again = try folder.makeFolder("2026")
        #expect(again.path == home.appending("2026"))
        #expect(try again.file("a")?.contents(atMost: 3) == [1, 2, 3])
        #expect(try folder.folders { _ in true }.map(\.name) == ["2026"])
    }

    @Test("A folder tells that its list cannot be read, and does not take that for its end")
    func unreadableList() throws {
        let entries = try folder.entries()
        // Another thing than a folder comes in its place.
        let own = try #require(
            (0..<1024).first { $0 != folder.descriptor && target(of: "/proc/self/fd/\($0)") == home.path })
        let other = Glibc.open("/dev/null", O_RDONLY)
        defer { close(other) }
        #expect(dup2(other, own) == own)
        #expect(throws: Problem.self) { try entries.next() }
    }

    @Test("A folder gives a new name only, or moves a file over another")
    func newName() throws {
        try folder.makeFile("a").append([1])
        try folder.rename("a", toNew: "b")
        try folder.makeFile("a").append([2])
        #expect { try folder.rename("a", toNew: "b") } throws: { ($0 as? Problem)?.errorNumber == EEXIST }
        #expect(try folder.file("b")?.contents(atMost: 1) == [1])
        // Or moves it over another, also in a folder that has another name now.
        let other = try folder.makeFolder("other")
        try folder.rename("other", to: folder, as: "moved")
        try folder.rename("b", to: other, as: "c")
        try folder.rename("a", to: other, as: "c")
        #expect(try folder.folder("moved")?.file("c")?.contents(atMost: 9) == [2])
        #expect(try folder.names() == ["moved"])
        #expect(failure(try folder.rename("a", to: other, as: "c"))?.errorNumber == ENOENT)
    }

    @Test(
        "A folder sets the mode of what is there, but not through a link"
    )
    func mode() throws {
        try folder.makeFile("a").append([1])
        for mode: UInt32 in [0o600, 0o640] {
            try folder.setMode(of: "a", mode)
            #expect(try folder.facts(of: "a")?.permissions == mode)
        }
        try folder.setMode(of: "b", 0o600)
        try folder.makeLink("link", to: "a")
        try folder.setMode(of: "link", 0o600)
        #expect(try folder.facts(of: "a")?.permissions == 0o640)
        // Nobody may do that (proc(5)).
        #expect(chmod("/proc/self/status", 0o600) != 0 && errno == EPERM)
        try Folder.open("/proc/self").setMode(of: "status", 0o600)
    }

    @Test("A folder makes all that is missing above it", arguments: ["a", "a//b/", "./a/../b", "a/\u{301}b"])
    func makesAbove(path: String) throws {
        #expect(try Folder.make(home.appending(path)).names() == [])
        #expect(try Folder.make(home.appending(path)).names() == [])
    }

    @Test("A folder lists the names that are text, and only those")
    func names() throws {
        let files = ["a", ".hidden", "two words", "line\nbreak", "é", "-rf"]
        for name in files { _ = try folder.makeFile(name) }
        _ = try folder.makeFolder("inner")
        try folder.makeLink("link", to: "nowhere")
        let invalid: [CChar] = [0x61, -1, -2, 0]
        close(openat(folder.descriptor, invalid, O_CREAT | O_WRONLY | O_CLOEXEC, 0o644))
        let expected = (files + ["inner", "link"]).sorted()
        #expect(try folder.names().sorted() == expected)
        // A second time: the first must not have moved a position that is shared.
        #expect(try folder.names().sorted() == expected)
    }

    @Test("A folder is closed when it has been listed, wherever that ended")
    func closed() throws {
        for name in ["a", "b"] { _ = try folder.makeFile(name) }
        let path = home.path
        func open() throws -> Int {
            let own = try Folder.open("/proc/self/fd")
            return try own.names().count { own.target(of: $0) == path }
        }
        let before = try open()
        for _ in 0..<3 {
            _ = try folder.names()
            _ = try folder.entries().next()
        }
        #expect(try before > 0 && open() == before)
    }

    @Test("A folder finds what a path with .. leads to, while something else is renamed all the time")
    func wayThroughRenames() throws {
        for name in ["album", "2026"] { _ = try folder.makeFolder(name) }
        try folder.folder("2026")?.makeFile("picture").append([1])
        _ = try folder.makeFile("other")
        let isDone = Mutex(false)
        let names = (home.appending("other"), home.appending("moved"))
        let thread = startThreadToJoin {
            while !isDone.withLock({ $0 }) {
                rename(names.0, names.1)
                rename(names.1, names.0)
            }
        }
        defer {
            isDone.withLock { $0 = true }
            pthread_join(thread, nil)
        }
        let path = "album/../2026/picture"
        let bytes = path.bytes
        for _ in 0..<10_000 {
            guard try folder.below(bytes) != nil, case .file? = try folder.content(below: path) else {
                Issue.record("nothing was found")
                return
            }
        }
    }

    @Test("A folder removes what is there and is content with what is not, but removes no folder")
    func remove() throws {
        _ = try folder.makeFile("a")
        try folder.remove("a")
        try folder.remove("a")
        _ = try folder.makeFolder("inner")
        #expect(failure(try folder.remove("inner")) != nil)
        #expect(try folder.names() == ["inner"])
    }

    @Test("A folder removes an empty folder, and is content with what is none or is not empty, which stays")
    func removeEmpty() throws {
        _ = try folder.makeFolder("empty")
        _ = try folder.makeFolder("full").makeFile("a")
        _ = try folder.makeFile("file")
        try folder.makeLink("link", to: "empty")
        for name in ["empty", "full", "file", "link", "missing"] { try folder.removeEmptyFolder(name) }
        #expect(try folder.names().sorted() == ["file", "full", "link"])
        #expect(failure(try folder.removeEmptyFolder("."))?.errorNumber == EINVAL)
    }

    @Test("A folder has in it no name that would lead elsewhere, or that the system would cut off")
    func possibleNames() {
        let bad = ["", ".", "..", "/", "a/b", "/a", "a/", "\0", "a\0", "\0a", "a\0b"]
        #expect(bad.allSatisfy { Name($0) == nil && Name($0.bytes) == nil })
        let good = ["a", "...", ".a", "a.", " ", "\n", "\\", "é"]
        #expect(good.allSatisfy { Name($0)?.text == $0 && Name($0.bytes)?.description == $0 })
        let noText: [UInt8] = [0xff]
        #expect(Name(noText)?.text == nil && Name(noText)?.bytes.elementsEqual(noText) == true)
    }

    @Test("A folder is content where its file system cannot be asked to bring names to the disk")
    func unsynced() throws {
        try Folder.open("/proc/self").sync()
        // What is open for nothing but its path cannot be synced (open(2)).
        let blind = Glibc.open(home.path, 0o10000000)
        dup2(blind, folder.descriptor)
        close(blind)
        try folder.sync()
    }

    @Test(
        "A folder that is the group's too hands that on to what is made in it",
        .enabled(if: geteuid() < 1000, "needs root"), arguments: [0o002, 0o022])
    func shared(umask mask: mode_t) throws {
        let place = try TemporaryFolder()
        let before = umask(mask)
        defer { umask(before) }
        let folder = try Folder.open(place.path).makeFolder("favorites", shared: true)
        umask(0o022)
        mkdir("\(folder.path)/album", 0o777)
        #expect(Facts(folder.path)?.permissions == 0o2775 && Facts("\(folder.path)/album")?.permissions == 0o2775)
    }
}
