import Favorites
import Glibc
import Store
import TestSupport
import Testing

struct LeftAloneTests {
    private let fixture: FavoritesFixture

    init() async throws { fixture = try await FavoritesFixture() }

    /// A picture's own bytes under names that are not for good, and others under names like a picture's.
    private static let files = [
        "cp \"$ORION\" a.jpg.part", "cp \"$ORION\" a.jpg~", "cp \"$ORION\" .a.jpg.swp",
        "cp \"$ORION\" .goutputstream-ABC123", "cp \"$ORION\" a.jpg.crdownload",
        "printf '[Dolphin]\\nViewMode=1\\n' >.directory", "echo mine >own.jpg",
        "printf '[Desktop Entry]\\nType=Link\\nURL=file://%s\\n' \"$ORION\" >Orion.desktop",
        "head -c 1000 /dev/zero >'2026-11-20 Orion Rising.jpg'", ": >empty.jpg",
        "mkdir .hidden; ln -s \"$ORION\" .hidden/a", "ln -s \"$ORION\" a.jpg~",
        "head -c 1000 /dev/zero >locked.jpg; chmod 0 locked.jpg", "printf '\\377' >$'\\377.jpg'",
    ]

    @Test("What is not the mirror's stays as it is, byte for byte and name for name", arguments: files)
    func untouched(script: String) async throws {
        try await fixture.shell(script)
        let facts = "find . -mindepth 1 -printf '%P %y %l %m %s %T@ %C@ %i\\n'"
        let state = "{ \(facts); find . -type f -exec sha256sum {} +; } | LC_ALL=C sort"
        try await fixture.shell("\(state) >$OUT/before")
        for _ in 1...2 { try fixture.lookAndSettle() }
        try await fixture.shell("\(state) >$OUT/after; diff $OUT/before $OUT/after")
        #expect(try fixture.days == [])
        #expect(try fixture.unrecognised.count == 1)
    }

    private func numbers() throws -> [Int] {
        let leftAlone = try fixture.catalog.leftAlone()
        return [leftAlone.count, leftAlone.first.count]
    }

    @Test("Very many things are all counted, and the first of them listed, also when they go while nobody looks")
    func count() async throws {
        try await fixture.shell("mkdir a; for i in {1..1500}; do : >a/$i; done; ln -s \"$ORION\" link")
        try fixture.lookAndSettle()
        #expect(try numbers() == [1500, 1000] && fixture.days == ["2026-11-20"])
        try await fixture.shell(": >one; rm a/1 a/2")
        try fixture.lookAndSettle(at: "one", "a/1", "a/2")
        #expect(try numbers() == [1499, 1000])
        try await fixture.stop()
        try await fixture.shell("rm -r a")
        try fixture.open()
        try fixture.lookAndSettle()
        #expect(try numbers() == [1, 1])
    }

    @Test("What is left alone is told of together with why, and no FIFO is opened")
    func reasons() async throws {
        try await fixture.shell(
            """
            head -c 1000 /dev/zero >a; mkfifo b; : >c~; ln -s /etc/passwd d; mkdir .e; ln -s . f
            perl -MIO::Socket::UNIX -e 'IO::Socket::UNIX->new(Local => "g", Listen => 1) or die'
            """)
        try fixture.lookAndSettle()
        #expect(
            try fixture.catalog.leftAlone().first.map(\.why) == [
                .hiddenFolder, .file, .special, .temporary, .outside, .linkToFolder, .special,
            ])
        for (script, count) in [("rmdir .e", 6), ("mkdir .e", 7)] {
            try await fixture.shell(script)
            try fixture.lookAndSettle(at: ".e")
            #expect(try fixture.unrecognised.count == count)
        }
    }

    @Test("An album that is too deep is left alone; one with too long a path is read: the links are not lost")
    func deep() async throws {
        let name = String(repeating: "long ", count: 40)
        try await fixture.shell(
            """
            ln -s 2026-11-20 a
            for i in {1..24}; do mkdir '\(name)'; cd '\(name)'; done; ln -s 2026-09-13 b; cd $ROOT/favorites
            for i in {1..40}; do mkdir deep; cd deep; done; ln -s 2026-09-14 c
            """)
        for _ in 1...2 { try fixture.lookAndSettle() }
        #expect(try fixture.days == ["2026-09-13", "2026-11-20"])
        let unrecognised = try fixture.catalog.leftAlone().first
        #expect(unrecognised.map { $0.place.album.depth } == [32])
        #expect(unrecognised.map(\.why) == [.tooDeep])
        try await fixture.shell("rm -r deep; mv '\(name)/\(name)' short")
        try fixture.lookAndSettle()
        #expect(try fixture.days == ["2026-09-13", "2026-11-20"])
    }

    @Test("The mirror's thumbnails are not told of, but something else that has their name")
    func thumbnails() async throws {
        try await fixture.shell(
            """
            ln -s 2026-11-20 a; mkdir album .sh_thumbnails .sh_thumbnails/normal album/.sh_thumbnails
            head -c 1000 /dev/zero >.sh_thumbnails/normal/a.png; ln -s ../../2026-09-13 .sh_thumbnails/normal/b
            """)
        for _ in 1...2 { try fixture.lookAndSettle() }
        #expect(try fixture.favorites == ["2026-11-20: a"])
        #expect(try fixture.unrecognised == [])
        try fixture.lookAndSettle(at: ".sh_thumbnails", "album/.sh_thumbnails")
        #expect(try fixture.unrecognised == [])
        try await fixture.shell("rm -r .sh_thumbnails; ln -s /etc .sh_thumbnails")
        try fixture.lookAndSettle(at: ".sh_thumbnails")
        #expect(try fixture.unrecognised == [".sh_thumbnails"])
    }
}
