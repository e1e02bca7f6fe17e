import Apod
import Configuration
import Files
import Glibc
import Store
import Syncing
import TestSupport
import Testing

@testable import Service

struct FullDiskFilterTests {
    @Test("A full disk is told once, whatever part of the service meets it, until something has found room")
    func once() throws {
        let folder = try TemporaryFolder()
        let settings = Settings(root: folder.path)
        let told = Awaited<[String]>([])
        let filter = FullDiskFilter { event in told.update { $0.append("\(event)") } }
        func fail(_ part: String, code: Int32 = ENOSPC, in root: String? = nil) {
            let error = Problem("write", "\(root ?? folder.path)/\(part)", code: code)
            filter.tell(.workFailed(part, why: Problem(error, in: settings), asks: false, pause: 1))
        }
        fail("gallery")
        fail("control")
        let words = try #require(told.value.first)
        #expect(words.hasPrefix("no space left on the disk of \(folder.path), of which the mirror keeps "))
        #expect(told.value.count == 1)
        // What is not the mirror's disk, and what is not about room.
        fail("a", in: "/elsewhere")
        fail("b", code: EIO)
        fail("c", code: EDQUOT)
        #expect(told.value.dropFirst().map { $0.prefix(3) } == ["a: ", "b: ", "c: "])
        filter.tell(.backfilled(oldest: nil))
        fail("gallery")
        #expect(told.value.suffix(2) == ["all days were asked for", words])
    }

    @Test("A full disk is one line of what the service says of itself, with all that it concerns")
    func grouped() {
        var state = Activity.Snapshot()
        state.troubles = [
            .refresh: .init("no space", retry: 30), .gallery: .init("another", retry: 5),
            .control: .init("no space", retry: 20),
        ]
        let groups = state.groupedTroubles
        #expect(groups.map(\.parts.names) == ["refresh, control", "gallery"])
        #expect(groups.map(\.trouble.retry) == [20, 5])
    }
}
