import Apod
import Files
import Glibc
import TestSupport
import Testing

@testable import Thumbnails

extension ThumbnailTests {
    @Suite("Before one picture takes the place of another") struct PictureChecks {
        private func damage(_ path: String, worker: String? = Bench.worker) async throws -> String? {
            let type = MediaType(firstBytes: try contents(path)) ?? .jpeg
            return await PictureCheck(worker: worker).damage(of: try File.reading(path), type)
        }

        @Test(
            "it is decoded to its end", arguments: ["plain.jpg", "small.jpg", "16bit.png", "plain.tif", "plain.avif"])
        func whole(name: String) async throws {
            #expect(try await damage(Specimens.path(name)) == nil)
        }

        @Test("it is told that it is cut off", arguments: ["cut.jpg", "cut.png", "cut.tif", "cut.avif"])
        func cut(name: String) async throws { #expect(try await damage(Specimens.path(name)) != nil) }

        @Test("it is told that its end comes too soon, or some of its bytes are others", arguments: ["jpg", "png"])
        func damagedInside(suffix: String) async throws {
            let folder = try TemporaryFolder()
            var bytes = try contents(Specimens.path(suffix == "jpg" ? "plain.jpg" : "interlaced.png"))
            let middle = bytes.count / 3
            if suffix == "jpg" {
                bytes = bytes.prefix(middle) + [0xff, 0xd9]
            } else {
                bytes.replaceSubrange(middle..<middle + 200, with: [UInt8](repeating: 0, count: 200))
            }
            let path = folder.appending("x.\(suffix)")
            try save(bytes, to: path)
            #expect(try await damage(path) != nil)
        }

        @Test("nothing is known of one that nobody can decode", arguments: ["12bit.jpg", "unknown.tif"])
        func unknown(name: String) async throws {
            #expect(try await damage(Specimens.path(name)) == nil)
            #expect(try await damage(Specimens.path("cut.jpg"), worker: nil) == nil)
            #expect(try await damage(Specimens.path("cut.jpg"), worker: "/bin/true") == nil)
        }

        @Test("it stops when nobody waits any more")
        func cancelled() async throws {
            let path = Specimens.path("heavy.png")
            let task = Task { try await damage(path) }
            task.cancel()
            #expect(try await task.value == nil)
            #expect(workers().isEmpty)
        }
    }
}
