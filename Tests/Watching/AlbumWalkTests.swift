import Catalog
import Files
import Glibc
import TestSupport
import Testing

@testable import Watching

@Suite("A walk over the albums")
struct AlbumWalkTests {
    private let files: TemporaryFolder

    init() throws { files = try TemporaryFolder() }

    /// Below the favorites.
    private func make(_ folders: String...) {
        for folder in ["favorites"] + folders.map({ "favorites/\($0)" }) { mkdir(files.appending(folder), 0o755) }
    }

    private func walk(while goesOn: @escaping () -> Bool = { true }) throws -> AlbumWalk {
        AlbumWalk(in: try Folder.open(files.path), isStopped: { !goesOn() })
    }

    /// `a/b`, or `a/b: 2` for one that cannot be read, for that reason.
    private func told(_ step: AlbumWalk.Step) -> String {
        let path = String(decoding: step.album.path, as: UTF8.self)
        switch step.folder {
        case .success: return path
        case .failure(let error): return "\(path): \(error.code)"
        }
    }

    @Test("meets the folder, and each album once, behind the one that it is in")
    func order() throws {
        make("a", "a/b", "a/b/c", "a/d", "e")
        let met = try walk().map(told)
        #expect(met.sorted() == ["", "a", "a/b", "a/b/c", "a/d", "e"])
        for (outer, inner) in [("", "a"), ("a", "a/b"), ("a/b", "a/b/c"), ("a", "a/d"), ("", "e")] {
            #expect(met.firstIndex(of: outer)! < met.firstIndex(of: inner)!)
        }
    }

    @Test("meets the favorites folder alone where there is nothing else, and what keeps it from being opened")
    func top() throws {
        #expect(try walk().map(told) == [": \(ENOENT)"])
        symlink("/etc", files.appending("favorites"))
        #expect(try walk().map(told) == [": \(ENOTDIR)"])
        unlink(files.appending("favorites"))
        make()
        #expect(try walk().map(told) == [""])
        let top = try Folder.open(files.appending("favorites"))
        rename(top.path, files.appending("aside"))
        #expect(AlbumWalk(in: try Folder.open(files.path), top: top).map(told) == [""])
    }

    @Test("leaves out what is hidden, a file or a link, and what is too deep")
    func leftOut() throws {
        make(".a", ".a/b")
        symlink("/etc", files.appending("favorites/link"))
        close(creat(files.appending("favorites/file"), 0o644))
        var path = "favorites"
        for _ in 0...Album.deepest {
            path += "/d"
            mkdir(files.appending(path), 0o755)
        }
        let met = try walk().map(\.album)
        #expect(met.map(\.depth) == Array(0...Album.deepest))
    }

    @Test("leaves out the albums in a folder when asked to")
    func skipped() throws {
        make("a", "a/b", "c", "c/d")
        let skipping = try walk()
        var met: [String] = []
        for step in skipping {
            met.append(told(step))
            if met.last == "a" { skipping.skipAlbums() }
        }
        #expect(met.sorted() == ["", "a", "c", "c/d"])
    }

    @Test("looks for albums in a folder when the next one is asked for, and not where a visit has met none")
    func late() throws {
        make("a", "b", "b/c")
        for album in ["a", "b"] { symlink("x", files.appending("favorites/\(album)/x")) }
        let walk = try walk()
        var met: [String] = []
        for case (let album, .success(let folder)) in walk {
            met.append(String(decoding: album.path, as: UTF8.self))
            if album.depth != 1 { continue }
            try walk.visit(folder) { _, _ in }
            _ = try folder.makeFolder("new")
        }
        #expect(met.sorted() == ["", "a", "b", "b/c", "b/new"])
    }

    @Test("enters nothing that is mounted there", .enabled(if: Disk.canBeMade))
    func mounted() throws {
        make("a", "a/b", "c")
        mkdir(files.appending("other"), 0o755)
        do {
            let mount = try BindMount(of: files.appending("other"), over: files.appending("favorites/a"))
            #expect(try walk().map(told).sorted() == ["", "a: \(EXDEV)", "c"])
            withExtendedLifetime(mount) {}
        }
        let mount = try BindMount(of: files.appending("other"), over: files.appending("favorites"))
        #expect(try walk().map(told) == [": \(EXDEV)"])
        withExtendedLifetime(mount) {}
    }

    @Test("tells that an album has gone, or became a link, and goes on")
    func gone() throws {
        make("a", "b", "c", "d")
        let walk = try walk()
        var met: [String] = []
        for step in walk {
            met.append(told(step))
            // Where one could not be opened, nothing else is left out.
            if case .failure = step.folder { walk.skipAlbums() }
            if met.count != 2 { continue }
            // Those that come next are known by their names.
            let others = ["a", "b", "c", "d"].filter { $0 != met[1] }
            for name in others[..<2] { rmdir(files.appending("favorites/\(name)")) }
            symlink("/etc", files.appending("favorites/\(others[0])"))
            met += ["\(others[0]): \(ENOTDIR)", "\(others[1]): \(ENOENT)", others[2]]
        }
        #expect(met[2..<5].sorted() == met[5...].sorted())
    }

    @Test("ends when it is to stop, and so does a visit", arguments: [1, 2])
    func stopped(count: Int) throws {
        make("a", "a/b", "c")
        var met = 0
        for _ in try walk(while: { met < count }) { met += 1 }
        #expect(met == count)
        var (visited, isStopped) = (0, false)
        let walk = try walk(while: { !isStopped })
        guard case .success(let top)? = walk.next()?.folder else { throw SystemError("open") }
        try walk.visit(top) { _, _ in
            visited += 1
            isStopped = true
        }
        #expect(visited == 1)
        #expect(walk.next() == nil)
    }

    @Test("visits everything in a folder, with its kind")
    func visit() throws {
        make("a", ".b")
        symlink("x", files.appending("favorites/link"))
        let walk = try walk()
        guard case .success(let top)? = walk.next()?.folder else { throw SystemError("open") }
        var kinds: [String: File.Kind] = [:]
        try walk.visit(top) { kinds["\($0)"] = $1 }
        #expect(kinds == ["a": .folder, ".b": .folder, "link": .link])
    }
}
