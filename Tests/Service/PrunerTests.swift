import Apod
import Favorites
import Files
import Glibc
import Store
import Syncing
import TestMirror
import TestSupport
import Testing

@testable import Configuration
@testable import Service

@Suite(.patience)
struct PrunerTests {
    @Test(
        "A lost favorites folder does not change what is deleted"
    )
    func lost() async throws {
        let service = try TestService(days: 10)
        try await service.startUp()
        try await service.eventually { try service.days.count == 10 }
        symlink("\(ago(9))", service["favorites/old"])
        try await service.eventually { try service.log.favorites.count == 1 }
        await service.stop()
        rename(service["favorites"], service["away"])
        service.settings.keep = Span("5d")
        try await service.start(until: .pruned)
        await service.stop()
        #expect(try service.log.favorites.map(\.day) == [ago(9)])
        #expect(try service.catalog.item(of: ago(9))?.state == .mirrored)
    }

    @Test("Nothing is deleted before the favorites are known")
    func unknown() async throws {
        let testMirror = try await TestMirror.fetched(days: 10)
        testMirror.settings.keep = Span("5d")
        let time = testMirror.clock
        try await testMirror.mirror { mirror in
            let context = ServiceContext(mirror: mirror, time: time, activity: Activity()) { _ in }
            // Nobody has looked into their folder.
            let favoritesService = mirror.favoritesService { _ in }
            try await Pruner(context, favoritesService).round()
            #expect(try mirror.archive.catalog.summary().pruned == 0)
        }
    }
}
