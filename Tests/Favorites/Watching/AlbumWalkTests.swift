import Archive
import Catalog
import Files
import Glibc
import TestSupport
import Testing

@testable import Favorites

struct AlbumWalkTests {
    private let files: TemporaryFolder

    init() throws { files = try TemporaryFolder() }

    /// Below the favorites.
    private func make(_ folders: String...) {
        for folder in ["favorites"] + folders.map({ "favorites/\($0)" }) { mkdir(files.appending(folder), 0o755) }
    }

    /// The albums that are met: `a/b`, or `a/b: 2` for one that cannot be opened, for that reason. `seen`: called with
    /// each.
    private func walk(
        top: Folder? = nil, isStopped: () -> Bool = { false }, seen: (String) -> Void = { _ in }
    ) throws -> [String] {
        var met: [String] = []
        try Album.walk(in: try Folder.open(files.path), top: top, unless: isStopped) {
            (album, folder) throws(StorageError) in
            let path = String(decoding: album.path, as: UTF8.self)
            do throws(StorageError) {
                let albums = try folder.get().albums()
                met.append(path)
                seen(path)
                return albums
            } catch {
                met.append("\(path): \(error.code)")
                return []
            }
        }
        return met
    }

    @Test("A walk over the albums meets the folder, and each album once, behind the one that it is in")
    func order() throws {
        make("a", "a/b", "a/b/c", "a/d", "e")
        let met = try walk()
        #expect(met.sorted() == ["", "a", "a/b", "a/b/c", "a/d", "e"])
        for (outer, inner) in [("", "a"), ("a", "a/b"), ("a/b", "a/b/c"), ("a", "a/d"), ("", "e")] {
            #expect(met.firstIndex(of: outer)! < met.firstIndex(of: inner)!)
        }
    }

    @Test(
        "A walk over the albums meets the favorites folder alone where there is nothing else, and what keeps it from being opened"
    )
    func top() throws {
        #expect(try walk() == [": \(ENOENT)"])
        symlink("/etc", files.appending("favorites"))
        #expect(try walk() == [": \(ENOTDIR)"])
        unlink(files.appending("favorites"))
        make()
        #expect(try walk() == [""])
        let top = try Folder.open(files.appending("favorites"))
        rename(top.path, files.appending("aside"))
        #expect(try walk(top: top) == [""])
    }

    @Test("A walk over the albums leaves out what is hidden, a file or a link, and what is too deep")
    func leftOut() throws {
        make(".a", ".a/b")
        symlink("/etc", files.appending("favorites/link"))
        close(creat(files.appending("favorites/file"), 0o644))
        var path = "favorites"
        for _ in 0...Album.deepest {
            path += "/d"
            mkdir(files.appending(path), 0o755)
        }
        #expect(try walk().map { Album(Array($0.utf8))?.depth } == Array(0...Album.deepest))
    }

    @Test(
        "A walk over the albums enters nothing that is mounted there",
        .enabled(if: Disk.canBeMade, "needs root and mount(2)"))
    func mounted() throws {
        make("a", "a/b", "c")
        mkdir(files.appending("other"), 0o755)
        do {
            let mount = try BindMount(of: files.appending("other"), over: files.appending("favorites/a"))
            #expect(try walk().sorted() == ["", "a: \(EXDEV)", "c"])
            withExtendedLifetime(mount) {}
        }
        let mount = try BindMount(of: files.appending("other"), over: files.appending("favorites"))
        #expect(try walk() == [": \(EXDEV)"])
        withExtendedLifetime(mount) {}
    }

    @Test("A walk over the albums tells that an album has gone, and goes on")
    func gone() throws {
        make("a", "b")
        let met = try walk(seen: { if $0 == "" { rmdir(files.appending("favorites/a")) } })
        #expect(met.sorted() == ["", "a: \(ENOENT)", "b"])
    }

    @Test("A walk over the albums ends when it is to stop", arguments: [1, 2])
    func stopped(count: Int) throws {
        make("a", "a/b", "c")
        var met = 0
        _ = try walk(isStopped: { met >= count }, seen: { _ in met += 1 })
        #expect(met == count)
    }
}
