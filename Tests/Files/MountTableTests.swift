import Files
import Glibc
import TestSupport
import Testing

@Suite("The table of mounts", .enabled(if: Disk.canBeMade))
struct MountTableTests {
    private let files: TemporaryFolder
    private let root: Folder

    init() throws {
        files = try TemporaryFolder()
        root = try Folder.open(files.path)
    }

    private func folder(_ path: [String]) throws -> Folder {
        var folder = root
        for name in path { folder = try folder.makeFolder(name) }
        return folder
    }

    /// The names on the way from one folder to another.
    private func way(_ path: [String], below other: [String]) throws -> [String]? {
        let table = MountTable()
        let (one, other) = try (#require(table.place(of: folder(path))), #require(table.place(of: folder(other))))
        return one.names(below: other)?.map { String(decoding: $0, as: UTF8.self) }
    }

    // What joins the letter before it is a name like any other.
    @Test("tells where a folder is, wherever that is mounted", arguments: ["m", "\u{301}m", "a b", "\\040"])
    func place(name: String) throws {
        _ = try folder(["a", name])
        let mount = try BindMount(of: files.appending("a"), over: try folder([name]).path)
        #expect(try way([name, name], below: ["a"]) == [name])
        #expect(try way([name, name], below: ["a", name]) == [])
        #expect(try way([name], below: ["a", name]) == nil)
        #expect(try folder([name]).isMount && !folder([name, name]).isMount && !folder(["a"]).isMount)
        let mounts = MountTable().mounts(below: root)
        #expect(mounts.map { $0.names.map { String(decoding: $0, as: UTF8.self) } } == [[name]])
        withExtendedLifetime(mount) {}
    }

    @Test("keeps disks apart")
    func disks() throws {
        let disk = try Disk("tmpfs")
        mkdir("\(disk.path)/x", 0o755)
        let mount = try BindMount(of: disk.path, over: try folder(["a"]).path)
        #expect(try way(["a", "x"], below: ["a"]) == ["x"])
        #expect(try way(["a", "x"], below: []) == nil)
        withExtendedLifetime(mount) {}
    }
}
