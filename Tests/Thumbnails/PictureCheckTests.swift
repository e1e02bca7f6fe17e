import Apod
import Decoding
import Files
import Glibc
import TestSupport
import Testing

@testable import Thumbnails

extension ThumbnailTests {
    struct PictureChecks {
        private func judgement(_ path: String, worker: String? = ThumbnailsFixture.worker) async throws
            -> PictureCheck.Judgement
        {
            await PictureCheck(worker: worker).judgement(of: try File.reading(path))
        }

        private func isRefused(_ path: String) async throws -> Bool {
            if case .refused = try await judgement(path) { true } else { false }
        }

        @Test(
            "A check decodes a picture to its end, where there is a decoder"
        )
        func cut() async throws {
            #expect(try await judgement(Specimens.path("plain.jpg")) == .whole)
            #expect(try await isRefused(Specimens.path("cut.avif")))
            #expect(try await judgement(Specimens.path("cut.avif"), worker: nil) == .whole)
        }

        @Test(
            "A check finds an end that comes too soon, and bytes that are others",
            arguments: ["jpg", "png"])
        func damagedInside(suffix: String) async throws {
            let folder = try TemporaryFolder()
            var bytes = try contents(Specimens.path(suffix == "jpg" ? "plain.jpg" : "interlaced.png"))
            let middle = bytes.count / 3
            if suffix == "jpg" {
                bytes = bytes.prefix(middle) + [0xff, 0xd9]
            } else {
                bytes.replaceSubrange(middle..<middle + 200, with: nulls(200))
            }
            let path = folder.appending("x.\(suffix)")
            try save(bytes, to: path)
            #expect(try await isRefused(path))
        }

        private static let ready =
            "printf '\\0\(String(DecodingAnswer.greeting, radix: 8))' >&0; head -c 1 >/dev/null"

        @Test(
            "A check refuses a picture over which the decoder crashes, and not where it is killed",
            arguments: [
                ("exit 0", "unanswered"), ("[ -e MARK ] || { : >MARK; kill -9 $$; }; exec WORKER", "whole"),
                ("kill -9 $$", "unanswered"), ("\(ready); kill -SEGV $$", "refused"), (nil, "unanswered"),
            ] as [(String?, String)])
        func ends(text: String?, expected: String) async throws {
            let folder = try TemporaryFolder()
            let words = text?.replacing("MARK", with: "'\(folder.appending("mark"))'")
                .replacing("WORKER", with: "'\(ThumbnailsFixture.worker)'")
            let worker = try words.map { try script("#!/bin/sh\n\($0)\n", in: folder) } ?? "/nowhere"
            let judgement = try await judgement(Specimens.path("plain.jpg"), worker: worker)
            #expect("\(judgement)".hasPrefix(expected), "\(judgement)")
            // At its beginning, there is no memory.
            if text == nil {
                #expect(try await "\(self.judgement("/proc/self/mem"))".hasPrefix("unanswered"))
            }
        }

        @Test("No more than two pictures are checked at a time")
        func together() async throws {
            let path = Specimens.path("heavy.png")
            let checks = Task {
                await withTaskGroup { group in
                    for _ in 0..<5 { group.addTask { (try? await judgement(path)) ?? .whole } }
                    return await group.reduce(into: []) { $0.append($1) }
                }
            }
            var most = 0
            try await lookOut(for: "two") {
                most = max(most, workers().count)
                return most > 1
            }
            for _ in 0..<20 {
                most = max(most, workers().count)
                try await sleep(for: .milliseconds(5))
            }
            #expect(most == 2)
            checks.cancel()
            #expect(await checks.value.count == 5)
            #expect(workers().isEmpty)
        }
    }
}
