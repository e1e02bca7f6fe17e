import Apod
import Catalog
import Favorites
import Files
import Glibc
import TestSupport
import Testing

@Suite("Where the mirror's own folders are mounted among the favorites", .enabled(if: Disk.canBeMade))
struct OwnMountTests {
    @Test(
        "the links below stay favorites, and are whole when that is gone",
        arguments: ["", "favorites", "2026", "2026/11", "gallery", "gallery/2026", ".apod-mirror"],
        ["all", "all/a/b"])
    func links(part: String, album: String) async throws {
        let wall = try await Wall.withOthers()
        try await wall.shell("mkdir -p \(album) $ROOT/gallery/2026; ln -s \"$ORION\" \(album)/orion")
        try wall.lookAndSettle()
        let before = try wall.favorites
        #expect(before == [Wall.others, "2026-11-20: \(album)/orion"])
        do {
            let mount = try BindMount(of: "\(wall.root)/\(part)", over: "\(wall.folder)/all")
            for _ in 0..<2 { try wall.lookAndSettle() }
            #expect(try wall.favorites == [Wall.others, "2026-11-20: (\(album)/orion)"])
            withExtendedLifetime(mount) {}
        }
        try wall.lookAndSettle()
        #expect(try wall.favorites == before)
    }

    @Test(
        "no link is made in them",
        arguments: [
            ("2026/11", "nov"), ("2026", "2026/11"), ("2026", "2026"), ("", "all"), ("", "all/2026/11"),
            ("favorites", "all"), ("gallery", "all/2026"), (".apod-mirror", "all"), ("2026/11/.sh_thumbnails", "all"),
        ])
    func restored(part: String, album: String) async throws {
        let wall = try await Wall.withOthers()
        try await wall.shell(
            """
            mkdir -p $ROOT/gallery/2026 $ROOT/2026/11/.sh_thumbnails/large
            mkdir -p \(album); ln -s "$ORION" \(album)/orion
            """)
        try wall.lookAndSettle()
        let list = "cd $ROOT; find . -path ./favorites.json -prune -o -path './.apod-mirror/?*' -prune -o -print | sort"
        try await wall.shell("(\(list)) >$OUT/before")
        do {
            let mount = try BindMount(
                of: "\(wall.root)/\(part)", over: "\(wall.folder)/\(album.prefix { $0 != "/" })")
            try wall.lookAndSettle()
            let editor = try FavoritesEditor(root: wall.root, catalog: wall.catalog)
            let missing = try editor.missing(.vanished)
            #expect(missing.map(\.place.description) == ["\(album)/orion"])
            for link in missing { #expect(throws: StorageError.self) { _ = try editor.restore(link) } }
            withExtendedLifetime(mount) {}
        }
        try await wall.shell("(\(list)) >$OUT/after; diff $OUT/before $OUT/after; test ! -e $ROOT/.apod-mirror/orion")
    }

    @Test("over all of them, no link is made there", arguments: ["", "2026/11", "2026", ".apod-mirror"])
    func added(part: String) async throws {
        let wall = try await Wall.withOthers()
        let list = "cd $ROOT; find . -path './.apod-mirror/?*' -prune -o -path ./favorites.json -prune -o -print | sort"
        try await wall.shell("(\(list)) >$OUT/before")
        do {
            let mount = try BindMount(of: "\(wall.root)/\(part)", over: wall.folder)
            for _ in 0..<2 { try wall.lookAndSettle() }
            #expect(try wall.favorites == ["2026-09-13: (link 0), (link 1), (link 2), (link 3)"])
            #expect(try wall.unrecognised == [])
            let editor = try FavoritesEditor(root: wall.root, catalog: wall.catalog)
            #expect(throws: StorageError.self) { _ = try editor.add(Wall.orion) }
            withExtendedLifetime(mount) {}
        }
        try await wall.shell("(\(list)) >$OUT/after; diff $OUT/before $OUT/after; test ! -e $ROOT/.apod-mirror/2026*")
        try wall.lookAndSettle()
        #expect(try wall.favorites == [Wall.others])
    }

    @Test("over the favorites, what is in them makes none of these")
    func latest() async throws {
        let wall = try await Wall.withOthers()
        try await wall.shell("ln -sf '\(Wall.orionFile)' $ROOT/latest")
        do {
            let mount = try BindMount(of: wall.root, over: wall.folder)
            for _ in 0..<2 { try wall.lookAndSettle() }
            #expect(try wall.days == ["2026-09-13"])
            withExtendedLifetime(mount) {}
        }
    }

    @Test("links in a folder that another disk has in the mirror's root count", arguments: ["mine", "2026-mine"])
    func another(name: String) async throws {
        let wall = try await Wall.withOthers()
        try await wall.shell("mkdir $ROOT/\(name) all; ln -s \"$ORION\" $ROOT/\(name)/orion")
        do {
            let mount = try BindMount(of: "\(wall.root)/\(name)", over: "\(wall.folder)/all")
            try wall.lookAndSettle()
            #expect(try wall.favorites == [Wall.others, "2026-11-20: all/orion"])
            withExtendedLifetime(mount) {}
        }
    }

    @Test("a month that is a disk of its own is known as well")
    func month() async throws {
        let (wall, disk) = (try await Wall.withOthers(), try Disk("tmpfs"))
        try await wall.shell("mkdir $ROOT/2027 nov; mkdir '\(disk.path)/01'; ln -s \"$ORION\" nov/orion")
        try wall.lookAndSettle()
        do {
            let year = try BindMount(of: disk.path, over: "\(wall.root)/2027")
            let mount = try BindMount(of: "\(disk.path)/01", over: "\(wall.folder)/nov")
            try wall.lookAndSettle()
            #expect(throws: StorageError.self) { _ = try wall.restore(.vanished) }
            try await wall.shell("test -z \"$(ls nov)\"")
            withExtendedLifetime((year, mount)) {}
        }
    }
}
