import Apod
import Concurrency
import Decoding
import Files
import Glibc
import TestSupport
import Testing

@testable import Thumbnails

extension ThumbnailTests {
    struct PictureChecks {
        private func finding(_ path: String, worker: String? = ThumbnailsFixture.worker) async throws
            -> PictureCheck.Finding
        {
            await PictureCheck(worker: worker).finding(of: try File.reading(path))
        }

        private func isRefused(_ path: String) async throws -> Bool {
            if case .refused = try await finding(path) { true } else { false }
        }

        @Test(
            "Before one picture takes the place of another it is decoded to its end, where there is somebody to decode it"
        )
        func cut() async throws {
            #expect(try await finding(Specimens.path("plain.jpg")) == .whole)
            #expect(try await isRefused(Specimens.path("cut.avif")))
            #expect(try await finding(Specimens.path("cut.avif"), worker: nil) == .whole)
        }

        @Test(
            "Before one picture takes the place of another it is told that its end comes too soon, or some of its bytes are others",
            arguments: ["jpg", "png"])
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
            #expect(try await isRefused(path))
        }

        @Test(
            "Before one picture takes the place of another nothing is known of it when whoever decodes it does not start",
            arguments: ["/bin/true", "/nowhere"])
        func notStarted(worker: String) async throws {
            guard case .unanswered(let why) = try await finding(Specimens.path("plain.jpg"), worker: worker) else {
                return #expect(Bool(false), "\(worker)")
            }
            #expect(why.hasPrefix(worker == "/nowhere" ? "cannot start /nowhere: " : "apod-thumbnailer "), "\(why)")
        }

        @Test(
            "Before one picture takes the place of another whoever decodes it is killed, and it is tried once more",
            arguments: [1, 2])
        func killed(times: Int) async throws {
            let folder = try TemporaryFolder()
            let marks = folder.appending("marks")
            let text = """
                #!/bin/sh
                echo x >> '\(marks)'
                [ $(wc -l < '\(marks)') -gt \(times) ] || kill -9 $$
                exec '\(ThumbnailsFixture.worker)'
                """
            let worker = try script(text, in: folder)
            let finding = try await finding(Specimens.path("plain.jpg"), worker: worker)
            let killed = PictureCheck.Finding.unanswered(why: "the decoder was killed twice, as when memory is short")
            #expect(finding == (times == 1 ? .whole : killed), "\(finding)")
        }

        @Test("Before one picture takes the place of another nothing is known of it when the system cannot read it")
        func unread() async throws {
            // At its beginning, there is no memory.
            let finding = try await finding("/proc/self/mem")
            #expect(finding == .unanswered(why: "the decoder could not read the file"))
        }

        @Test(
            "Before one picture takes the place of another it is told that whoever decodes it crashes: no whole picture does that"
        )
        func crashed() async throws {
            let folder = try TemporaryFolder()
            // It says that it is ready, and is given the picture.
            let text = """
                #!/bin/sh
                printf '\\0\(String(DecodingAnswer.greeting, radix: 8))' >&0
                head -c 1 >/dev/null
                kill -SEGV $$
                """
            let worker = try script(text, in: folder)
            let finding = try await finding(Specimens.path("plain.jpg"), worker: worker)
            guard case .refused(let why) = finding else { return #expect(Bool(false), "\(finding)") }
            #expect(why.contains("signal"), "\(why)")
        }

        @Test("Before one picture takes the place of another no more than two are decoded at a time")
        func together() async throws {
            let path = Specimens.path("heavy.png")
            let checks = Task {
                await withTaskGroup { group in
                    for _ in 0..<5 { group.addTask { (try? await finding(path)) ?? .whole } }
                    return await group.reduce(into: []) { $0.append($1) }
                }
            }
            var most = 0
            while most < 2 { most = max(most, workers().count) }
            for _ in 0..<20 {
                most = max(most, workers().count)
                try await sleep(for: .milliseconds(5))
            }
            #expect(most == 2)
            checks.cancel()
            #expect(await checks.value.count == 5)
            #expect(workers().isEmpty)
        }

        @Test("Before one picture takes the place of another it stops when nobody waits any more")
        func cancelled() async throws {
            let path = Specimens.path("heavy.png")
            let task = Task { try await finding(path) }
            task.cancel()
            #expect(try await task.value == .unanswered(why: "stopped"))
            #expect(workers().isEmpty)
        }
    }
}
