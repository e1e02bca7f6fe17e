import Apod
import Files
import Glibc
import Store
import TestSupport
import Testing

@testable import Thumbnails

extension ThumbnailTests {
    struct Shared {
        private static let file = "2026-11-20 A Title.jpg"
        private static let month = "2026/11"

        private func fixture(_ names: String..., uses: ThumbnailUses = .fileManagers) async throws
            -> ThumbnailsFixture
        {
            let fixture = try ThumbnailsFixture()
            fixture.uses = uses
            try await fixture.put(names)
            return fixture
        }

        @Test(
            "Shared thumbnails all go, also where a month lets nothing be done, or the catalog was lost",
            .firmFolders,
            arguments: [false, true])
        func unwanted(isRefused: Bool) async throws {
            let fixture = try await fixture("plain.jpg")
            let early = Day("2026-10-01")!
            try await fixture.put("small.jpg", on: early)
            try await fixture.makeAll(2)
            let folder = fixture["2026/10/.sh_thumbnails/normal"]
            let fixed = isRefused ? try ImmutableFolder(folder) : nil
            // Somebody has deleted some of them already.
            #expect(try await fixture.shell("rm -r 2026/11/.sh_thumbnails/normal").status == 0)
            if !isRefused {
                try await fixture.mirror.forget()
            }
            fixture.uses = []
            try fixture.tidy()
            #expect(!exists(fixture["2026/11/.sh_thumbnails"]))
            #expect(exists(folder) == isRefused)
            #expect(try fixture.catalog.sharedThumbnails().isEmpty)
            withExtendedLifetime(fixed) {}
        }

        @Test(
            "Shared thumbnails come in two sizes under two names, and tell which file they are of"
        )
        func form() async throws {
            let fixture = try await fixture("plain.jpg", uses: .all)
            try await fixture.makeAll()
            #expect(try await fixture.shared(Self.month) == fixture.expected(Self.file))
            #expect(try await fixture.gallery == fixture.paths(ThumbnailsFixture.newest))
            let (uri, modified) = ("./2026-11-20%20A%20Title.jpg", "\(ThumbnailsFixture.newest.noon)")
            for (size, pixels) in [("normal", ["128", "96"]), ("large", ["256", "192"])] {
                for old in [false, true] {
                    let seen = try await fixture.thumbnail(of: Self.file, in: Self.month, size, old: old)
                    #expect(seen == pixels + ["gb", uri, modified, "apod-mirror"])
                }
            }
            let links = try await fixture.shell("stat -c '%h %Y' 2026/11/.sh_thumbnails/*/* | sort -u")
            #expect(links.output == "2 \(ThumbnailsFixture.newest.noon)\n")
        }

        @Test(
            "Thumbnails of one use are made where only they are missing, and go alone"
        )
        func upgrade() async throws {
            let fixture = try await fixture("plain.jpg", "cut.jpg", uses: .screens)
            #expect(try await fixture.make().count == 2)
            #expect(!exists(fixture["2026/11/.sh_thumbnails"]))
            fixture.uses = .all
            #expect(try fixture.missing == [ThumbnailsFixture.newest])
            try await fixture.makeAll()
            #expect(try fixture.missing == [])
            #expect(try await fixture.shared(Self.month).count == 4)
            fixture.uses = .fileManagers
            try fixture.tidy()
            #expect(try await fixture.gallery.isEmpty)
            #expect(try await fixture.shared(Self.month).count == 4)
            fixture.uses = .all
            try await fixture.makeAll()
            fixture.uses = .screens
            try fixture.tidy()
            #expect(try await fixture.gallery == fixture.paths(ThumbnailsFixture.newest))
            #expect(!exists(fixture["2026/11/.sh_thumbnails"]))
        }

        @Test(
            "Shared thumbnails of a video are those of its poster"
        )
        func video() async throws {
            let fixture = try await fixture()
            try await fixture.put(
                "plain.jpg", on: ThumbnailsFixture.newest, role: .poster, beside: [(.page, .html)])
            try await fixture.makeAll()
            let poster = "2026-11-20 A Title"
            #expect(
                try await fixture.shared(Self.month) == fixture.expected("\(poster).jpg", "\(poster).html"))
            try await fixture.put(
                "plain.jpg", on: ThumbnailsFixture.newest, role: .poster, beside: [(.video, .mp4)])
            try fixture.thumbnails().checkShared(of: [.day(ThumbnailsFixture.newest)])
            try await fixture.makeAll()
            #expect(
                try await fixture.shared(Self.month) == fixture.expected("\(poster).jpg", "\(poster).mp4"))
            let seen = try await fixture.thumbnail(of: "\(poster).mp4", in: Self.month)
            #expect(seen.dropFirst(2).prefix(2) == ["gb", "./2026-11-20%20A%20Title.mp4"])
            #expect(try fixture.missing.isEmpty)
        }

        private static let losses = [
            "rm 2026/11/.sh_thumbnails/normal/*",
            // With the time that it should have.
            """
            f=$(ls 2026/11/.sh_thumbnails/large/* | head -1) && : >"$f" && touch -r '2026/11/\(file)' "$f"
            """,
            "rm -r 2026/11/.sh_thumbnails", "touch '2026/11/\(file)'",
        ]

        @Test(
            "Shared thumbnails that are lost, empty or of another time are made again",
            arguments: losses)
        func damaged(script: String) async throws {
            let fixture = try await fixture("plain.jpg", uses: .all)
            try await fixture.makeAll()
            #expect(try await fixture.shell(script).status == 0)
            try fixture.tidy()
            #expect(try fixture.missing == [ThumbnailsFixture.newest])
            try await fixture.makeAll()
            #expect(try await fixture.shared(Self.month) == fixture.expected(Self.file))
            let modified = try await fixture.shell("stat -c %Y '2026/11/\(Self.file)'").output
            let seen = try await fixture.thumbnail(of: Self.file, in: Self.month)
            #expect(seen.count == 6 && seen[2] == "gb" && "\(seen[4])\n" == modified)
            try fixture.tidy()
            #expect(try fixture.missing.isEmpty)
        }

        @Test("Shared thumbnails that nobody knows go, and those of other programs stay")
        func others() async throws {
            let fixture = try await fixture("plain.jpg")
            try await fixture.makeAll()
            let script = """
                cd 2026/11/.sh_thumbnails/normal && own=$(ls | head -1) && cp "$own" 0123456789abcdef0123456789abcdef.png &&
                echo x >11111111111111111111111111111111.png &&
                cp "$own" mine.png && mkdir 22222222222222222222222222222222.png
                """
            #expect(try await fixture.shell(script).status == 0)
            try fixture.tidy()
            let strange = ["11111111111111111111111111111111.png", "mine.png"].map { "normal/\($0)" }
            #expect(
                try await fixture.shared(Self.month) == (fixture.expected(Self.file) + strange).sorted())
            fixture.uses = []
            try fixture.tidy()
            #expect(try await fixture.shared(Self.month) == strange)
        }

        @Test(
            "Shared thumbnails are not made where something else has their name, which is not followed",
            arguments: ["", "/normal"])
        func foreign(inner: String) async throws {
            let fixture = try await fixture("plain.jpg", uses: .all)
            let script = """
                mkdir elsewhere && cd 2026/11 && \(inner.isEmpty ? ":" : "mkdir .sh_thumbnails") &&
                ln -s "$1/elsewhere" .sh_thumbnails\(inner)
                """
            #expect(try await fixture.shell(script).status == 0)
            try await fixture.makeAll()
            #expect(try await fixture.gallery == fixture.paths(ThumbnailsFixture.newest))
            fixture.uses = []
            try fixture.tidy()
            #expect(
                try await fixture.shell("ls -A elsewhere; readlink 2026/11/.sh_thumbnails\(inner)").output
                    == "\(fixture.root)/elsewhere\n")
        }

        @Test(
            "Shared thumbnails are called as GLib writes their files' names",
            .enabled(if: access("/usr/bin/gio", X_OK) == 0, "needs gio"))
        func names() async throws {
            let folder = try TemporaryFolder()
            let name = "a !\"#$%&'()*+,-.:;<=>?@[\\]^_`{|}~ä\u{2019}\n.jpg"
            try save([], to: folder.appending(name))
            let info = try await Program.run("/usr/bin/gio", ["info", folder.appending(name)])
            let uri = info.output.split(separator: "\n").first { $0.hasPrefix("uri: ") }
            #expect(
                uri.map { $0.hasSuffix(SharedThumbnailName(name).uri.dropFirst()) } == true, "\(info)")
        }
    }
}
