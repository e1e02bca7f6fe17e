import Apod
import Archive
import Catalog
import Files
import Glibc
import TestSupport
import Testing

@testable import Thumbnails

extension ThumbnailTests {
    @Suite("Thumbnails for file managers") struct Shared {
        private static let file = "2026-11-20 A Title.jpg"
        private static let month = "2026/11"

        private func bench(_ names: String..., uses: ThumbnailUses = .fileManagers) async throws -> Bench {
            let bench = try Bench()
            bench.uses = uses
            try await bench.put(names)
            return bench
        }

        @Test(
            "are told with how much was made: those for screens are named before the others",
            arguments: [ThumbnailUses.screens, .fileManagers, .all])
        func bytes(uses: ThumbnailUses) async throws {
            let bench = try await bench("plain.jpg", uses: uses)
            guard case .made(let paths, let bytes) = try await bench.make().first?.outcome else {
                Issue.record("none were made")
                return
            }
            func there(_ path: String) async throws -> Int {
                let find = "find . -path '*/\(path)/*' -type f ! -name '.made*' -printf '%s\\n'"
                return try await bench.lines(find).compactMap { Int($0) }.reduce(0, +)
            }
            let (screens, shared) = (try await there("gallery"), try await there(".sh_thumbnails"))
            #expect((screens > 0) == (uses != .fileManagers) && (shared > 0) == (uses != .screens))
            // Each has two names, which are in the files, too.
            #expect(uses == .screens ? bytes == screens : screens < bytes && bytes < screens + shared)
            #expect(paths.allSatisfy { $0.hasPrefix("gallery/") == (uses != .fileManagers) } && paths.count > 1)
        }

        @Test(
            "all go, and are forgotten, also where one month lets nothing be done, or the catalog was lost",
            .enabled(if: ImmutableFolder.canBeMade), arguments: [false, true])
        func unwanted(isRefused: Bool) async throws {
            let bench = try await bench("plain.jpg")
            let early = Day("2026-10-01")!
            try await bench.put("small.jpg", on: early)
            try await bench.makeAll(2)
            let folder = bench["2026/10/.sh_thumbnails/normal"]
            let fixed = isRefused ? try ImmutableFolder(folder) : nil
            // Somebody has deleted some of them already.
            #expect(try await bench.shell("rm -r 2026/11/.sh_thumbnails/normal").status == 0)
            if !isRefused {
                try await bench.shelf.forget()
            }
            bench.uses = []
            try bench.tidy()
            #expect(!exists(bench["2026/11/.sh_thumbnails"]))
            #expect(exists(folder) == isRefused)
            #expect(try bench.catalog.sharedThumbnails().isEmpty)
            withExtendedLifetime(fixed) {}
        }

        @Test(
            "leave nothing half made where one size's folder cannot be changed, and are made when it can be",
            .enabled(if: ImmutableFolder.canBeMade))
        func half() async throws {
            let bench = try await bench("plain.jpg")
            let folder = bench["\(Self.month)/.sh_thumbnails"]
            for path in [folder, "\(folder)/large", "\(folder)/normal"] { mkdir(path, 0o755) }
            var fixed: ImmutableFolder? = try ImmutableFolder("\(folder)/large")
            for isFirst in [true, false] {
                try bench.tidy()
                // Nothing is decoded again for nothing.
                #expect(try await bench.make().map(\.isMade) == (isFirst ? [true] : []))
                #expect(listing(folder) == ["large/", "normal/"])
            }
            _ = fixed.take()
            try bench.tidy()
            try await bench.makeAll()
            #expect(try await bench.shared(Self.month) == bench.expected(Self.file))
        }

        @Test("are beside the pictures in two sizes under two names, and tell which file they are of")
        func form() async throws {
            let bench = try await bench("plain.jpg", uses: .all)
            try await bench.makeAll()
            #expect(try await bench.shared(Self.month) == bench.expected(Self.file))
            #expect(try await bench.gallery == bench.paths(Bench.newest))
            for (size, pixels) in [("normal", [128, 96]), ("large", [256, 192])] {
                for old in [false, true] {
                    let seen = try await bench.thumbnail(of: Self.file, in: Self.month, size, old: old)
                    let wanted = SharedFile(
                        size: pixels, colours: "gb", uri: "./2026-11-20%20A%20Title.jpg",
                        modified: "\(Bench.newest.noon)", software: "apod-mirror")
                    #expect(seen == wanted)
                }
            }
            let links = try await bench.shell("stat -c '%h %Y' 2026/11/.sh_thumbnails/*/* | sort -u")
            #expect(links.output == "2 \(Bench.newest.noon)\n")
        }

        @Test(
            "are no larger than their pictures, and whole for every kind",
            arguments: [
                "one.png", "grey.jpg", "alpha.png", "palette.png", "cmyk.jpg", "wide.jpg", "16bit.png",
            ])
        func kinds(name: String) async throws {
            let bench = try await bench(name)
            try await bench.makeAll()
            let paths = try await bench.shared(Self.month)
            #expect(paths.count == 4)
            for path in paths {
                let seen = try await bench.read("\(Self.month)/.sh_thumbnails/\(path)")
                let box = path.hasPrefix("normal") ? 128 : 256
                #expect(seen.map { $0.size.max()! <= box && (name != "one.png" || $0.size == [1, 1]) } == true)
            }
        }

        @Test("are made beside those for screens where only they are missing, and the other way round")
        func upgrade() async throws {
            let bench = try await bench("plain.jpg", "cut.jpg", uses: .screens)
            #expect(try await bench.make().count == 2)
            #expect(!exists(bench["2026/11/.sh_thumbnails"]))
            let before = try await bench.shell("stat -c '%i %Z' gallery/2026/*").output
            bench.uses = .all
            #expect(try bench.missing == [Bench.newest])
            try await bench.makeAll()
            #expect(try bench.missing == [])
            #expect(try await bench.shared(Self.month).count == 4)
            #expect(try await bench.shell("stat -c '%i %Z' gallery/2026/*").output == before)
            bench.uses = .fileManagers
            try bench.tidy()
            #expect(try await bench.gallery.isEmpty)
            #expect(try await bench.shared(Self.month).count == 4)
            bench.uses = .all
            try await bench.makeAll()
            bench.uses = .screens
            try bench.tidy()
            #expect(try await bench.gallery == bench.paths(Bench.newest))
            #expect(!exists(bench["2026/11/.sh_thumbnails"]))
        }

        @Test("are those of a poster for its video, also for one that comes later or another that goes")
        func video() async throws {
            let bench = try await bench()
            try await bench.put("plain.jpg", on: Bench.newest, role: .poster, beside: [(.page, .html)])
            try await bench.makeAll()
            let poster = "2026-11-20 A Title"
            #expect(try await bench.shared(Self.month) == bench.expected("\(poster).jpg", "\(poster).html"))
            try await bench.put("plain.jpg", on: Bench.newest, role: .poster, beside: [(.video, .mp4)])
            #expect(try bench.missing.isEmpty)
            try bench.thumbnails(worker: nil).follow([Bench.newest])
            #expect(try await bench.shared(Self.month) == bench.expected("\(poster).jpg", "\(poster).mp4"))
            let seen = try await bench.thumbnail(of: "\(poster).mp4", in: Self.month, "large")
            #expect(seen?.uri == "./2026-11-20%20A%20Title.mp4" && seen?.colours == "gb")
            #expect(try bench.missing.isEmpty)
        }

        @Test("follow a picture that becomes another, one that cannot be decoded, and one that goes")
        func changes() async throws {
            let bench = try await bench("plain.jpg", "small.jpg")
            try await bench.makeAll(2)
            try await bench.put("one.png", on: Bench.newest)
            try await bench.makeAll()
            let other = "2026-11-19 A Title.jpg"
            #expect(try await bench.shared(Self.month) == bench.expected("2026-11-20 A Title.png", other))
            #expect(try await bench.thumbnail(of: "2026-11-20 A Title.png", in: Self.month)?.size == [1, 1])
            try await bench.put("cut.png", on: Bench.newest)
            #expect(try await bench.make().map { $0.refusal != nil } == [true])
            #expect(try await bench.shared(Self.month) == bench.expected(other))
            try await bench.shelf.prune(
                [Bench.newest.advanced(by: -1)], at: Bench.newest.noon + 90 * 86_400)
            try bench.thumbnails().removeStale()
            #expect(!exists(bench["2026/11/.sh_thumbnails"]))
        }

        private static let losses = [
            "rm 2026/11/.sh_thumbnails/normal/*",
            // With the time that it should have.
            """
            f=$(ls 2026/11/.sh_thumbnails/large/* | head -1) && : >"$f" && touch -r '2026/11/\(file)' "$f"
            """,
            "rm -r 2026/11/.sh_thumbnails", "touch '2026/11/\(file)'",
            "truncate -s 500 2026/11/.sh_thumbnails/large/*",
        ]

        @Test(
            "are looked at when the program starts, and made again where a crash has left them damaged",
            arguments: losses)
        func damaged(script: String) async throws {
            let bench = try await bench("plain.jpg", uses: .all)
            try await bench.makeAll()
            #expect(try await bench.shell(script).status == 0)
            try bench.tidy()
            #expect(try bench.missing == [Bench.newest])
            try await bench.makeAll()
            #expect(try await bench.shared(Self.month) == bench.expected(Self.file))
            let modified = try await bench.shell("stat -c %Y '2026/11/\(Self.file)'").output
            let seen = try await bench.thumbnail(of: Self.file, in: Self.month, "large")
            #expect(seen.map { "\($0.modified)\n" } == modified && seen?.colours == "gb")
            try bench.tidy()
            #expect(try bench.missing.isEmpty)
        }

        @Test("that nobody knows go, and those of other programs stay")
        func others() async throws {
            let bench = try await bench("plain.jpg")
            try await bench.makeAll()
            let script = """
                cd 2026/11/.sh_thumbnails/normal && own=$(ls | head -1) && cp "$own" 0123456789abcdef0123456789abcdef.png &&
                : >.00000000000000000000000000000000.png.part && echo x >11111111111111111111111111111111.png &&
                cp "$own" mine.png && mkdir 22222222222222222222222222222222.png
                """
            #expect(try await bench.shell(script).status == 0)
            try bench.tidy()
            let strange = ["11111111111111111111111111111111.png", "mine.png"].map { "normal/\($0)" }
            #expect(try await bench.shared(Self.month) == (bench.expected(Self.file) + strange).sorted())
            bench.uses = []
            try bench.tidy()
            #expect(try await bench.shared(Self.month) == strange)
        }

        @Test("are not made where something else has their name, which is not followed", arguments: ["", "/normal"])
        func foreign(inner: String) async throws {
            let bench = try await bench("plain.jpg", uses: .all)
            let script = """
                mkdir elsewhere && cd 2026/11 && \(inner.isEmpty ? ":" : "mkdir .sh_thumbnails") &&
                ln -s "$1/elsewhere" .sh_thumbnails\(inner)
                """
            #expect(try await bench.shell(script).status == 0)
            try await bench.makeAll()
            #expect(try await bench.gallery == bench.paths(Bench.newest))
            try bench.tidy()
            #expect(try bench.missing.isEmpty)
            bench.uses = []
            try bench.tidy()
            #expect(
                try await bench.shell("ls -A elsewhere; readlink 2026/11/.sh_thumbnails\(inner)").output
                    == "\(bench.root)/elsewhere\n")
        }

        @Test("are not made where a folder has their name; what else is to be made is")
        func folderInTheWay() async throws {
            let bench = try await bench("plain.jpg", uses: .all)
            for path in bench.expected("\(Bench.newest) A Title.jpg") {
                #expect(try await bench.shell("mkdir -p '2026/11/.sh_thumbnails/\(path)'").status == 0)
            }
            try await bench.makeAll()
            #expect(try await bench.gallery == bench.paths(Bench.newest))
        }

        @Test("do not count where the mirror looks at itself")
        func ignored() async throws {
            let bench = try await bench("plain.jpg", "small.jpg")
            let before = try bench.catalog.summary().bytes
            try await bench.makeAll(2)
            #expect(try bench.catalog.summary().bytes == before)
            #expect(try await !bench.shell("cat 2026/11/.hidden").output.contains("sh_thumbnails"))
            try await bench.shelf.forget()
            #expect(try bench.shelf.storedDays().count == 2)
            try bench.tidy()
            #expect(try await bench.make().isEmpty)
        }
    }

    @Suite("A PNG file") struct PNGTests {
        private func specimen() throws -> [UInt8] { try contents(Specimens.path("one.png")) }

        @Test("is taken apart and put together again, with texts")
        func whole() async throws {
            let folder = try TemporaryFolder()
            let png = try #require(PNG(specimen(), box: 1))
            let texts = SharedThumbnailName("ä b").texts(modified: 7)
            #expect(texts[0].text == "./%C3%A4%20b")
            let file = png.file(texts)
            #expect(file.count == png.size + PNG.size(of: texts))
            #expect(PNG(file, box: 1)?.file([]) == png.file([]))
            try save(file, to: folder.appending("a.png"))
            let script = "from PIL import Image; im = Image.open('a.png'); im.load(); print(im.text['Thumb::URI'])"
            let told = try await Program.run(
                "/bin/sh", ["-c", "cd \(folder.path) && /usr/bin/python3 -c \"\(script)\""])
            #expect(told.output == "./%C3%A4%20b\n")
            #expect(SharedThumbnailName.isOwn(Array(file.prefix(SharedThumbnailName.longestBeginning))))
            #expect(try !SharedThumbnailName.isOwn(specimen()))
        }

        @Test("is none without a header, pixels or an end, or with two headers")
        func incomplete() throws {
            let good = try specimen()
            var (chunks, rest): ([[UInt8]], ArraySlice<UInt8>) = ([], good.dropFirst(8))
            while rest.count >= 12 {
                let size = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) } + 12
                chunks.append(Array(rest.prefix(size)))
                rest = rest.dropFirst(size)
            }
            func isPNG(_ types: String...) -> Bool {
                let wanted = types.flatMap { type in chunks.filter { $0[4..<8].elementsEqual(type.utf8) }.joined() }
                return PNG(Array(good.prefix(8)) + wanted, box: 8) != nil
            }
            #expect(isPNG("IHDR", "IDAT", "IEND"))
            #expect(!isPNG("IHDR", "IEND") && !isPNG("IDAT", "IEND") && !isPNG("IHDR", "IDAT"))
            #expect(!isPNG("IHDR", "IHDR", "IDAT", "IEND") && !isPNG())
        }

        @Test("is none when any of it is missing or changed, when there is more, or it is too large")
        func broken() throws {
            let good = try specimen()
            for count in 0..<good.count { #expect(PNG(Array(good.prefix(count)), box: 8) == nil) }
            for index in good.indices {
                var bad = good
                bad[index] ^= 4
                #expect(PNG(bad, box: 8) == nil)
            }
            #expect(PNG(good + [0], box: 8) == nil && PNG(good, box: 0) == nil && PNG(good, box: 8) != nil)
            #expect(try PNG(contents(Specimens.path("small.jpg")), box: 1000) == nil)
            #expect(try PNG(contents(Specimens.path("plain.png")), box: 1599) == nil)
            for name in ["16bit.png", "interlaced.png", "palette.png"] {
                #expect(try PNG(contents(Specimens.path(name)), box: 5000) == nil, "\(name)")
            }
        }

        @Test("names are written as GLib does", .enabled(if: access("/usr/bin/gio", X_OK) == 0))
        func names() async throws {
            let folder = try TemporaryFolder()
            let name = "a !\"#$%&'()*+,-.:;<=>?@[\\]^_`{|}~ä\u{2019}\n.jpg"
            try save([], to: folder.appending(name))
            let info = try await Program.run("/usr/bin/gio", ["info", folder.appending(name)])
            let uri = info.output.split(separator: "\n").first { $0.hasPrefix("uri: ") }
            #expect(uri.map { $0.hasSuffix(SharedThumbnailName(name).uri.dropFirst()) } == true, "\(info)")
        }
    }
}
