import Apod
import Fetching
import Testing

@testable import Configuration
@testable import Syncing

@Suite("A part of a day")
struct WantedFileTests {
    private let large = WebAddress("https://h.example/content/dam/a.jpg")!
    private let small = WebAddress("https://h.example/b.jpg")!

    private func wanted(_ pictures: Settings.Pictures) throws -> WantedFile {
        var settings = Settings(root: "/")
        settings.pictures = pictures
        let media = Media.image(Source([large, small], width: 9000, height: 9000)!)
        return try #require(WantedFile.files(of: media, settings, hasVideo: false).first)
    }

    @Test("is as good as it can be as it was uploaded; all else is worse")
    func original() throws {
        let wanted = try wanted(.original)
        #expect(wanted.addresses == [large, small])
        #expect(wanted.good == 1)
    }

    @Test("for screens is as good as a rendition or as it was uploaded")
    func screen() throws {
        let wanted = try wanted(.screen)
        #expect(wanted.addresses.count == 3 && wanted.addresses[0].path.hasPrefix("/dynamicimage/"))
        #expect(wanted.good == 2)
    }
}
