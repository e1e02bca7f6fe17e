import Apod
import Glibc
import Store
import TestSupport
import Testing

@testable import Thumbnails

extension ThumbnailTests {
    struct FrameFolderTests {
        @Test("The folder for frames has the favorites in one size, and what a person puts in")
        func follows() async throws {
            let fixture = try ThumbnailsFixture()
            let days = try await fixture.put("alpha.png", "cut.png", "plain.jpg")
            let log = try fixture.mirror.favorites
            func update(_ size: String?) async throws -> [String] {
                try await FrameFolder(
                    fixture.mirror.archive(), size.flatMap(FrameSize.init), worker: ThumbnailsFixture.worker
                ).update()
                return listing(fixture["frame"])
            }
            try log.favor(Array(days.prefix(2)), at: 1)
            let stopped = FrameFolder(
                try fixture.mirror.archive(), FrameSize("favorites 800x600"), worker: ThumbnailsFixture.worker)
            try await cancelled { try await stopped.update() }
            #expect(listing(fixture["frame"]) == [])
            let name = "2026-11-20 A Title.jpg"
            #expect(try await update("favorites 800x600") == [name])
            try save("mine", to: fixture["frame/2026-11-18 A Title.jpg"])
            let before = Facts(fixture["frame/\(name)"])?.inode
            #expect(
                try await update("favorites 800x600").count == 2 && Facts(fixture["frame/\(name)"])?.inode == before)
            let cat = try await ListArchive("cats", of: fixture.mirror.archive()).add(
                "Tom", content: contents(Specimens.path("plain.jpg")))
            try log.favor([Link("x", to: cat.key)], at: 2)
            try log.favor([days[2]], at: 2)
            #expect(try await update("favorites 200x200").contains("cats Tom.jpg"))
            // Words stand on a dark strip.
            func look() async throws -> String {
                try await fixture.seen("frame/\(name)", [(0.9, 0.5), (0.9, 0.99)]).joined(separator: " ")
            }
            #expect(try await look() == "200 150 bw")
            _ = try await update("favorites 200x200 titles")
            #expect(try await look() == "200 150 br")
            try log.unfavor([days[0]], at: 3)
            #expect(try await update("favorites 200x200 titles").count == 2)
            #expect(try await update(nil) == ["2026-11-18 A Title.jpg"])
            #expect(try fileText(fixture["frame/2026-11-18 A Title.jpg"]) == "mine")
        }

        @Test("A decoder that answers with the beginning of a JPEG fills no frame", arguments: [3, 4, 5, 6, 7])
        func cut(length: Int) async throws {
            let fixture = try ThumbnailsFixture()
            let jpeg = "377 330 377 340 0 20 0".split(separator: " ").prefix(length).map { "\\\($0)" }.joined()
            let program = try fixture.write(
                "#!/bin/bash\nprintf '\\010\\000\\1\\2\\3\\\(length)\\0\\0\\0\(jpeg)' >&0; sleep 9\n")
            try fixture.mirror.favorites.favor(try await fixture.put("plain.jpg"), at: 1)
            try await FrameFolder(
                fixture.mirror.archive(), FrameSize("favorites 800x600"), worker: program
            ).update()
            #expect(listing(fixture["frame"]) == [])
        }

        @Test("What a person puts into the folder for frames while a picture is made for that name stays")
        func meanwhile() async throws {
            let fixture = try ThumbnailsFixture()
            try fixture.mirror.favorites.favor(try await fixture.put("plain.jpg"), at: 1)
            let (folder, path) = (try TemporaryFolder(), fixture["frame/2026-11-20 A Title.jpg"])
            let program = "#!/bin/sh\nprintf mine >'\(path)'\nexec '\(ThumbnailsFixture.worker)' \"$@\"\n"
            let worker = try script(program, in: folder)
            try await FrameFolder(fixture.mirror.archive(), FrameSize("favorites 800x600"), worker: worker).update()
            #expect(try fileText(path) == "mine" && listing(fixture[".apod-mirror/unfinished"]).isEmpty)
        }
    }
}
