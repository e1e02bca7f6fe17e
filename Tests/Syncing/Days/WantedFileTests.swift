import Apod
import Fetching
import Testing

@testable import Configuration
@testable import Syncing

struct WantedFileTests {
    private let large = WebAddress("https://h.example/content/dam/a.jpg")!
    private let small = WebAddress("https://h.example/b.jpg")!

    @Test(
        "A part of a day is as good as it can be as it was uploaded, or for screens as a rendition, too; all else is worse"
    )
    func good() throws {
        var settings = Settings(root: "/")
        let media = Media.image(Source([large, small], width: 9000, height: 9000)!)
        let original = try #require(WantedFile.files(of: media, settings, hasVideo: false).first)
        #expect(original.addresses == [large, small] && original.good == 1)
        settings.pictures = .screen
        let screen = try #require(WantedFile.files(of: media, settings, hasVideo: false).first)
        #expect(screen.addresses.count == 3 && screen.addresses[0].path.hasPrefix("/dynamicimage/"))
        #expect(screen.good == 2)
    }
}
