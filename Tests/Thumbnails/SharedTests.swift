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

        @Test("are made beside those for screens where only they are missing, and the other way round")
        func upgrade() async throws {
            let bench = try await bench("plain.jpg", "cut.jpg", uses: .screens)
            #expect(try await bench.make().count == 2)
            #expect(!exists(bench["2026/11/.sh_thumbnails"]))
            bench.uses = .all
            #expect(try bench.missing == [Bench.newest])
            try await bench.makeAll()
            #expect(try bench.missing == [])
            #expect(try await bench.shared(Self.month).count == 4)
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
            try bench.thumbnails().follow([Bench.newest])
            try await bench.makeAll()
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
        ]

        @Test(
            "are looked at when the program starts, and made again where a crash has left them empty",
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
                echo x >11111111111111111111111111111111.png &&
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

        @Test("are called as GLib writes their files' names", .enabled(if: access("/usr/bin/gio", X_OK) == 0))
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
