import Apod
import Testing

@testable import Service

@Suite("A part of a day")
struct PartTests {
    private let large = WebAddress("https://h.example/content/dam/a.jpg")!
    private let small = WebAddress("https://h.example/b.jpg")!

    private func part(_ pictures: Settings.Pictures) throws -> Part {
        var settings = Settings(root: "/")
        settings.pictures = pictures
        let media = Media.image(Source([large, small], width: 9000, height: 9000)!)
        return try #require(Part.parts(of: media, settings, having: []).first)
    }

    @Test("is as good as it can be as it was uploaded; all else is worse")
    func original() throws {
        let part = try part(.original)
        #expect(part.addresses == [large, small])
        #expect(!part.isWorse(large) && part.isWorse(small))
    }

    @Test("for screens is as good as a rendition or as it was uploaded")
    func screen() throws {
        let part = try part(.screen)
        #expect(part.addresses.count == 3 && part.addresses[0].path.hasPrefix("/dynamicimage/"))
        #expect(part.addresses.map(part.isWorse) == [false, false, true])
    }
}
