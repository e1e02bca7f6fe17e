import Apod
import Archive
import Catalog
import Concurrency
import Configuration
import Glibc
import Syncing
import TestMirror
import TestSupport
import Testing

struct MeanwhileTests {
    @Test(
        "A link that is dropped while pictures go saves its picture, though nobody watches", arguments: [false, true])
    func link(inNewAlbum: Bool) async throws {
        let testMirror = try await TestMirror.fetched(days: 60)
        testMirror.settings.keep = Span("30d")
        let (first, last) = (ago(59), ago(31))
        let root = testMirror.root
        func path(_ day: Day) throws -> String {
            let name = try #require(testMirror.files(day).first { $0.hasSuffix(".jpg") })
            return "\(root)/\(day.folder)/\(name)"
        }
        let (gone, picture) = (try path(first), try path(last))
        let album = "\(root)/favorites" + (inNewAlbum ? "/new" : "")
        let mirror = try OpenMirror(testMirror.settings, version: "1", environment: [:], time: testMirror.clock)
        // Pictures go in small portions, and the folder is read before each.
        async let linked: Void = blocking {
            let end = ContinuousClock.now + .seconds(60)
            while Facts(gone) != nil, .now < end {}
            for folder in ["\(root)/favorites", album] { mkdir(folder, 0o755) }
            symlink(picture, "\(album)/x")
        }
        let went = try await mirror.retention.apply(isAsked: true).days.map(\.day)
        await linked
        #expect(went == Array(first..<last) && target(of: "\(album)/x") == picture)
        #expect(Facts(picture) != nil)
    }
}
