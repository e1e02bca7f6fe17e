import Apod
import Archive
import Catalog
import Configuration
import Files
import Glibc
import TestMirror
import TestSupport
import Testing

@testable import Daemon

@Suite("The service's thumbnails", .serialized, .timeLimit(.minutes(1)))
struct ThumbnailServiceTests {
    private func gallery(_ root: String) -> [String] {
        (try? Folder.open("\(root)/gallery/2026").names().sorted()) ?? []
    }

    @Test("come with the pictures, and go when nobody wants them any more")
    func comes() async throws {
        let service = try TestService(days: 3) { $0.gallery = .yes }
        service.start()
        try await service.eventually { gallery(service.root).count == 6 }
        await service.stop()
        #expect(gallery(service.root).first == "2026-11-18-1280.jpg")
        service.settings.gallery = .no
        service.start()
        try await service.eventually { access("\(service.root)/gallery", F_OK) != 0 }
        await service.stop()
    }

    @Test("are made of all other pictures where one of the newest is damaged")
    func damaged() async throws {
        let service = try TestService(days: 120)
        service.start()
        try await service.told(.backfilled)
        await service.stop()
        let name = try #require(try service.catalog().status(of: TestService.today)?.stored).main
        truncate("\(service.root)/2026/11/\(name)", 1000)
        service.settings.gallery = .yes
        service.start()
        try await service.eventually { gallery(service.root).count == 2 * 119 }
        await service.stop()
    }

    @Test("that could not be made are made when the next day comes")
    func later() async throws {
        let service = try TestService(days: 2)
        service.start()
        try await service.told(.refreshed)
        await service.stop()
        let name = try #require(try service.catalog().status(of: TestService.today)?.stored).main
        let picture = "\(service.root)/2026/11/\(name)"
        rename(picture, "\(picture).aside")
        service.settings.gallery = .yes
        service.start()
        try await service.told(.noted, "no thumbnail was made")
        rename("\(picture).aside", picture)
        let tomorrow = TestService.today.advanced(by: 1)
        service.nasa.add(Entry(tomorrow))
        service.time.set(NewYork.moment(of: tomorrow, second: 300 + RefreshSchedule.mostJitter))
        try await service.eventually { gallery(service.root).count == 6 }
        await service.stop()
    }

    private func shared(_ folder: String) -> [String] {
        (try? Folder.open("\(folder)/.sh_thumbnails/normal").names().filter { !$0.hasPrefix(".") }) ?? []
    }

    @Test("for file managers come with the pictures and the favorites, and go with the links and the setting")
    func favorites() async throws {
        let service = try TestService(days: 2) { $0.thumbnails = .yes }
        service.start()
        try await service.eventually { shared("\(service.root)/2026/11").count == 4 }
        let name = try #require(try service.catalog().status(of: TestService.today)?.stored).main
        let album = "\(service.root)/favorites/album"
        mkdir(album, 0o755)
        symlink("../../2026/11/\(name)", "\(album)/mine.jpg")
        try await service.eventually { shared(album).count == 2 }
        // What is made there is nothing that the service would look at.
        let settled = service.told.value.count
        rename("\(album)/mine.jpg", "\(album)/other.jpg")
        try await service.eventually { access("\(album)/.sh_thumbnails/normal/\(SharedNames.other)", F_OK) == 0 }
        try await service.eventually { shared(album).count == 2 }
        #expect(service.told.value.count == settled)
        unlink("\(album)/other.jpg")
        try await service.eventually { access("\(album)/.sh_thumbnails", F_OK) != 0 }
        await service.stop()
        service.settings.thumbnails = .no
        service.start()
        try await service.eventually { access("\(service.root)/2026/11/.sh_thumbnails", F_OK) != 0 }
        await service.stop()
    }
}

private enum SharedNames {
    /// Of `./other.jpg`.
    static let other = "f692c347d451f29e09ebec7147a1a4b8.png"
}
