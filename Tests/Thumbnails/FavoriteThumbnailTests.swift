import Apod
import Archive
import Catalog
import Files
import Glibc
import TestSupport
import Testing

@testable import Thumbnails

extension ThumbnailTests {
    @Suite("Thumbnails of favorites") struct Favorites {
        private static let file = "2026-11-20 A Title.jpg"
        private let day = Bench.newest

        private func bench() async throws -> (Bench, FavoriteThumbnails) {
            let bench = try Bench()
            bench.uses = .fileManagers
            try await bench.put("plain.jpg", "small.jpg")
            #expect(try await bench.make().count == 2)
            return (bench, FavoriteThumbnails(try bench.thumbnails()))
        }

        @Test("are not made where there is no link, and go with the last one of a folder")
        func none() async throws {
            let (bench, favorites) = try await bench()
            try favorites.update()
            mkdir(bench.path("favorites"), 0o755)
            mkdir(bench.path("favorites/empty"), 0o755)
            try favorites.update()
            #expect(try await bench.shell("find favorites -mindepth 1").output == "favorites/empty\n")
            try bench.link("album/one.jpg", to: day)
            try favorites.update()
            #expect(try await bench.shared("favorites/album") == bench.expected("one.jpg"))
            try bench.unlinkFavorite("album/one.jpg")
            try favorites.update()
            #expect(rmdir(bench.path("favorites/album")) == 0)
            try favorites.update()
        }

        @Test("are those of the pictures with the names of the links, and of an equal name the same file")
        func names() async throws {
            let (bench, favorites) = try await bench()
            try bench.link(Self.file, to: day)
            try bench.link("My #1 of all.jpg", to: day)
            try favorites.update()
            #expect(try await bench.shared("favorites") == bench.expected(Self.file, "My #1 of all.jpg"))
            for size in ["normal", "large"] {
                let own = try await bench.thumbnail(of: "My #1 of all.jpg", in: "favorites", size)
                #expect(own?.uri == "./My%20%231%20of%20all.jpg" && own?.colours == "gb")
                #expect(own?.modified == "\(day.noon)")
                let same = try await bench.thumbnail(of: Self.file, in: "favorites", size)
                #expect(try await same == bench.thumbnail(of: Self.file, in: "2026/11", size))
            }
            let links = try await bench.shell("stat -c %h favorites/.sh_thumbnails/normal/* | sort | uniq -c")
            #expect(links.output.split(whereSeparator: \.isWhitespace) == ["2", "2", "2", "4"])
        }

        @Test("are made for others where somebody has put a folder in the place of one, and again when all are lost")
        func inTheWay() async throws {
            let (bench, favorites) = try await bench()
            try bench.link("a/one.jpg", to: day)
            try bench.link("b/two.jpg", to: day)
            try favorites.update()
            let expected = try await bench.shared("favorites/b")
            _ = try await bench.shell(
                "cd favorites/a/.sh_thumbnails/normal && for f in *; do rm $f; mkdir $f; touch $f/x; done; "
                    + "rm -r ../../../b/.sh_thumbnails")
            try favorites.forget(day)
            try favorites.update()
            #expect(try await bench.shared("favorites/b") == expected)
        }

        @Test("follow a link that is renamed, leads elsewhere or goes, and a picture that is corrected")
        func changes() async throws {
            let (bench, favorites) = try await bench()
            try bench.link("a.jpg", to: day)
            try bench.link("b.jpg", to: day.advanced(by: -1))
            try favorites.update()
            #expect(try await bench.thumbnail(of: "a.jpg", in: "favorites", "large")?.modified == "\(day.noon)")
            try bench.link("a.jpg", to: day.advanced(by: -1))
            try bench.unlinkFavorite("b.jpg")
            try bench.link("c.jpg", to: day)
            try favorites.update()
            #expect(try await bench.shared("favorites") == bench.expected("a.jpg", "c.jpg"))
            #expect(try await bench.thumbnail(of: "a.jpg", in: "favorites")?.modified == "\(day.noon - 86_400)")
            // The same size and time, but another picture.
            try await bench.put("grey.jpg", on: day)
            #expect(try await bench.make().map(\.isMade) == [true])
            try favorites.update()
            #expect(try await bench.thumbnail(of: "c.jpg", in: "favorites")?.colours == "rr")
            try await bench.put("cut.jpg", on: day)
            _ = try await bench.make()
            try favorites.update()
            #expect(try await bench.shared("favorites") == bench.expected("a.jpg"))
        }

        @Test("are never those of the picture before, also of one that looks the same from outside")
        func corrected() async throws {
            let bench = try Bench()
            bench.uses = .fileManagers
            try await bench.put("green.jpg", on: day)
            #expect(try await bench.make().map(\.isMade) == [true])
            for name in ["mine.jpg", Self.file] { try bench.link(name, to: day) }
            let favorites = FavoriteThumbnails(try bench.thumbnails())
            try favorites.update()
            let sizes = try await bench.shell("stat -c %s favorites/.sh_thumbnails/*/*").output
            try await bench.put("blue.jpg", on: day)
            #expect(try await bench.make().map(\.isMade) == [true])
            try favorites.update()
            #expect(try await bench.shell("stat -c %s favorites/.sh_thumbnails/*/*").output == sizes)
            for name in ["mine.jpg", Self.file] {
                #expect(try await bench.thumbnail(of: name, in: "favorites", "large")?.colours == "bb")
            }
        }

        @Test("have the time of the picture, also when that is all that has become another")
        func time() async throws {
            let bench = try Bench()
            bench.uses = .fileManagers
            try await bench.put("plain.jpg", on: day, role: .poster, beside: [(.video, .mp4)])
            #expect(try await bench.make().map(\.isMade) == [true])
            for name in ["mine.jpg", Self.file] { try bench.link(name, to: day) }
            let favorites = FavoriteThumbnails(try bench.thumbnails())
            try favorites.update()
            #expect(try await bench.shell("touch -d @\(day.noon + 60) '2026/11/\(Self.file)'").status == 0)
            try bench.thumbnails().follow([day])
            try favorites.forget(day)
            try favorites.update()
            for name in ["mine.jpg", Self.file] {
                let own = try await bench.thumbnail(of: name, in: "favorites")
                #expect(own?.modified == "\(day.noon + 60)", "\(name)")
            }
        }

        @Test("are put right when the program starts, and taken away where nobody wants them")
        func starts() async throws {
            let (bench, favorites) = try await bench()
            try bench.link("a.jpg", to: day)
            try bench.link("deep/in/b.jpg", to: day)
            try favorites.update()
            let script = """
                cd favorites && : >"$(ls .sh_thumbnails/large/* | head -1)" && rm "$(ls deep/in/.sh_thumbnails/normal/* | tail -1)" &&
                mkdir -p other && cp -r .sh_thumbnails other && echo x >.sh_thumbnails/normal/11111111111111111111111111111111.png &&
                : >.sh_thumbnails/normal/.00000000000000000000000000000000.png.part
                """
            #expect(try await bench.shell(script).status == 0)
            try FavoriteThumbnails(bench.thumbnails()).update()
            let strange = "normal/11111111111111111111111111111111.png"
            #expect(try await bench.shared("favorites") == (bench.expected("a.jpg") + [strange]).sorted())
            #expect(try await bench.shared("favorites/deep/in") == bench.expected("b.jpg"))
            #expect(try await bench.thumbnail(of: "a.jpg", in: "favorites", "large")?.colours == "gb")
            #expect(access(bench.path("favorites/other/.sh_thumbnails"), F_OK) != 0)
            bench.uses = .screens
            try bench.thumbnails().tidy()
            #expect(try await bench.shared("favorites") == [strange])
            #expect(access(bench.path("favorites/deep/in/.sh_thumbnails"), F_OK) != 0)
        }

        @Test("are of links to pictures alone")
        func otherLinks() async throws {
            let (bench, favorites) = try await bench()
            try bench.link("text.json", to: day, "json")
            try bench.link("copy.jpg", to: day)
            try bench.link("gone.jpg", to: day)
            #expect(
                try await bench.shell("cd favorites && rm copy.jpg gone.jpg && cp ../2026/11/*-20*.jpg copy.jpg").status
                    == 0)
            try favorites.update()
            #expect(access(bench.path("favorites/.sh_thumbnails"), F_OK) != 0)
            // The same file under another name.
            #expect(try await bench.shell("cd favorites && ln ../2026/11/*-20*.jpg gone.jpg").status == 0)
            try FavoriteThumbnails(bench.thumbnails()).update()
            #expect(try await bench.shared("favorites") == bench.expected("gone.jpg"))
        }

        @Test("are not made where something else has their name, which is not followed", arguments: ["", "/large"])
        func foreign(inner: String) async throws {
            let (bench, favorites) = try await bench()
            try bench.link("a.jpg", to: day)
            let script = """
                mkdir elsewhere && cp -r 2026/11/.sh_thumbnails/. elsewhere && (cd elsewhere && ls -lR) >before && cd favorites &&
                \(inner.isEmpty ? ":" : "mkdir .sh_thumbnails") && ln -s "$1/elsewhere\(inner)" .sh_thumbnails\(inner)
                """
            #expect(try await bench.shell(script).status == 0)
            try favorites.update()
            bench.uses = []
            try bench.thumbnails().tidy()
            #expect(
                try await bench.shell(
                    "(cd elsewhere && ls -lR) | cmp - before && readlink favorites/.sh_thumbnails\(inner)"
                ).status == 0)
        }

        @Test("let a member of the group delete what they have made", .enabled(if: geteuid() == 0))
        func member() async throws {
            let (bench, favorites) = try await bench()
            try bench.link("album/a.jpg", to: day)
            // As `systemd/install` leaves it, and a member makes an album.
            let script = """
                chmod 755 "$(dirname "$1")" . && chgrp nogroup favorites favorites/album && chmod 2775 favorites favorites/album &&
                chown nobody favorites/album
                """
            #expect(try await bench.shell(script).status == 0)
            umask(0o022)
            try favorites.update()
            let modes = try await bench.shell("find favorites/album -type d -printf '%m %g\\n' | sort -u")
            #expect(modes.output == "2775 nogroup\n")
            let person = "setpriv --reuid nobody --regid nogroup --clear-groups"
            // What is theirs to delete is not theirs to change.
            let change = try await bench.shell(
                "\(person) sh -c 'for f in favorites/album/.sh_thumbnails/*/*; do echo x >$f; done'")
            #expect(change.status != 0)
            #expect(try await bench.shell("\(person) rm -r favorites/album").status == 0)
            #expect(access(bench.path("favorites/album"), F_OK) != 0)
            try FavoriteThumbnails(bench.thumbnails()).update()
            try favorites.update()
            #expect(access(bench.path("favorites/album"), F_OK) != 0)
        }

        @Test("are not made in an album that is somebody else's alone", .enabled(if: geteuid() == 0))
        func privateAlbum() async throws {
            let (bench, favorites) = try await bench()
            try bench.link("album/a.jpg", to: day)
            try favorites.update()
            #expect(access(bench.path("favorites/album/.sh_thumbnails"), F_OK) == 0)
            let script = """
                chmod 755 "$(dirname "$1")" . && chgrp nogroup favorites favorites/album && chmod 2775 favorites &&
                chmod 2755 favorites/album && chown nobody favorites/album
                """
            #expect(try await bench.shell(script).status == 0)
            try FavoriteThumbnails(bench.thumbnails()).update()
            #expect(access(bench.path("favorites/album/.sh_thumbnails"), F_OK) != 0)
            let person = "setpriv --reuid nobody --regid nogroup --clear-groups"
            #expect(try await bench.shell("\(person) rm -r favorites/album").status == 0)
        }

        @Test(
            "are not the month's, wherever that is mounted", .enabled(if: Disk.canBeMade),
            arguments: [
                ("2026/11", "favorites/nov"), ("2026", "favorites/2026"), ("", "favorites/all"),
                ("2026/11/.sh_thumbnails", "favorites/nov"), ("2026/11", "favorites"), ("2026", "favorites"),
            ])
        func month(part: String, place: String) async throws {
            for isKnown in [false, true] { try await month(part, at: place, isKnown: isKnown) }
        }

        private func month(_ part: String, at place: String, isKnown: Bool) async throws {
            let (bench, favorites) = try await bench()
            let list = "find 2026 -printf '%P %i %s %T@\\n' | sort"
            try bench.link("\(Self.file)", to: day)
            for album in ["nov", "2026/11", "all/2026/11"] { try bench.link("\(album)/\(Self.file)", to: day) }
            if isKnown { try favorites.update() }
            let before = try await bench.shell(list).output
            let month = try await bench.shared("2026/11")
            do {
                let mount = try BindMount(of: bench.path(part), over: bench.path(place))
                try favorites.forget(day)
                try favorites.update()
                #expect(try await bench.shared("2026/11") == month)
                #expect(try await bench.shell(list).output == before)
                try await bench.put("grey.jpg", on: day)
                #expect(try await bench.make().map(\.isMade) == [true])
                #expect(try await bench.shared("2026/11") == month)
                withExtendedLifetime(mount) {}
            }
        }

        @Test("do without names that are no text")
        func bytes() async throws {
            let (bench, favorites) = try await bench()
            mkdir(bench.path("favorites"), 0o755)
            let name = try #require(Name([0xff, UInt8(ascii: "."), UInt8(ascii: "j")]))
            #expect(
                try await bench.shell("cd favorites && ln -s ../2026/11/*-20*.jpg \"$(printf '\\377.j')\"").status == 0)
            var change = FolderChange()
            change.seen = [(Place(name, in: .top), .day(day, file: Self.file))]
            try bench.shelf.archive().catalog.record(change, at: 0)
            try favorites.update()
            let paths = try await bench.shared("favorites")
            #expect(paths.count == 4)
            #expect(try await bench.read("favorites/.sh_thumbnails/\(paths[0])")?.uri == "./%FF.j")
        }
    }
}
