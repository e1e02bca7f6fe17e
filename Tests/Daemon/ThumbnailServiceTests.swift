import Apod
import Archive
import Catalog
import Configuration
import Files
import Glibc
import TestSupport
import Testing

@testable import Daemon

@Suite("The service's thumbnails", .serialized) struct ThumbnailServiceTests {
    private func gallery(_ root: String) -> [String] {
        (try? Folder.open("\(root)/gallery/2026").names().sorted()) ?? []
    }

    private func eventually(_ holds: () -> Bool) -> Bool {
        for _ in 0..<4000 {
            if holds() { return true }
            usleep(5_000)
        }
        return false
    }

    @Test("come with the pictures, and go when nobody wants them any more")
    func comes() async throws {
        let service = try TestService(days: 3) { $0.gallery = .yes }
        service.start()
        #expect(eventually { gallery(service.root).count == 6 })
        await service.stop()
        #expect(gallery(service.root).first == "2026-11-18-1280.jpg")
        service.settings.gallery = .no
        service.start()
        #expect(eventually { access("\(service.root)/gallery", F_OK) != 0 })
        await service.stop()
    }
}
