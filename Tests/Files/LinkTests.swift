import Apod
import Files
import Glibc
import TestSupport
import Testing

/// What must not lead out of the tree, and what is no file though it has a file's name.
struct LinkTests {
    private let home: TemporaryFolder
    private let folder: Folder
    private let outside: Folder

    init() throws {
        home = try TemporaryFolder()
        folder = try home.open().makeFolder("inside")
        outside = try home.open().makeFolder("outside")
        try outside.makeFile("file").append([1, 2, 3])
    }

    @Test(
        "In a folder no symbolic link is followed, wherever it leads",
        arguments: ["../outside", ".", "..", "/tmp", "missing"])
    func folderLinks(target: String) throws {
        try folder.makeLink("link", to: target)
        #expect(failure(try folder.folder("link")) != nil)
        #expect(failure(try folder.makeFolder("link")) != nil)
        #expect(try folder.folders { _ in true }.isEmpty)
        #expect(folder.target(of: "link") == target)
        #expect(try outside.names() == ["file"])
    }

    @Test(
        "In a folder no file is read or written through a symbolic link",
        arguments: ["../outside/file", "../outside/new"])
    func fileLinks(target: String) throws {
        try folder.makeLink("link", to: target)
        #expect(failure(try folder.file("link"))?.errorNumber == ELOOP)
        for kept in [false, true] {
            let failure = failure(try folder.makeFile("link", keeping: kept))
            #expect(failure == Problem("create", folder.path(of: "link"), code: ELOOP))
        }
        #expect(try outside.names() == ["file"])
        #expect(try outside.file("file")?.contents(atMost: 9) == [1, 2, 3])
    }

    @Test(
        "In a folder a file moved over a link replaces the link, not what it leads to"
    )
    func renameOverLink() throws {
        try folder.makeLink("link", to: "../outside/file")
        try folder.makeFile("new").append([9])
        try folder.makeLink("other", to: "../outside/file")
        try folder.remove("other")
        try folder.rename("new", to: folder, as: "link")
        #expect(try folder.facts(of: "link")?.isRegular == true)
        #expect(try outside.file("file")?.contents(atMost: 9) == [1, 2, 3])
    }

    @Test("In a folder a folder that the person named may be a link")
    func named() throws {
        try folder.makeLink("link", to: "../outside")
        #expect(try Folder.open(folder.path(of: "link")).names() == ["file"])
        #expect(try Folder.make(folder.path(of: "link")).names() == ["file"])
    }

    @Test("In a folder a FIFO, a socket or a folder in a file's place is refused and holds nothing up")
    func fifo() throws {
        #expect(mkfifo(folder.path(of: "fifo"), 0o644) == 0)
        #expect(failure(try folder.file("fifo"))?.errorNumber == EINVAL)
        #expect(failure(try folder.makeFile("fifo")) != nil)
        #expect(failure(try File.reading(folder.path(of: "fifo"))) == nil)
        #expect(failure(try folder.makeFile("fifo", keeping: true)) != nil)
        #expect(failure(try folder.folder("fifo"))?.errorNumber == ENOTDIR)
        _ = try folder.makeFolder("inner")
        #expect(mknod(folder.path(of: "socket"), S_IFSOCK | 0o644, 0) == 0)
        for name in ["inner", "socket"] {
            #expect(failure(try folder.file(name)) != nil && failure(try folder.makeFile(name)) != nil)
        }
    }
}
