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
        return try #require(WantedFile.wantedFiles(of: media, settings, having: []).first)
    }

    @Test("is as good as it can be as it was uploaded; all else is worse")
    func original() throws {
        let wanted = try wanted(.original)
        #expect(wanted.addresses == [large, small])
        #expect(!wanted.isWorse(large) && wanted.isWorse(small))
    }

    @Test("for screens is as good as a rendition or as it was uploaded")
    func screen() throws {
        let wanted = try wanted(.screen)
        #expect(wanted.addresses.count == 3 && wanted.addresses[0].path.hasPrefix("/dynamicimage/"))
        #expect(wanted.addresses.map(wanted.isWorse) == [false, false, true])
    }

    /// What of the tree stands in for a file that could not be had.
    private func substitute(_ role: StoredFile.Role, from good: [StoredFile]) -> FileResult.Had? {
        let wanted = WantedFile(role: role, kind: .image, addresses: [large, small])
        let failure = FetchFailure(large, .status(404, retryAfter: nil))
        return FileResult(wanted: wanted, outcome: .failure(failure)).substituted(from: good).had
    }

    private func file(_ role: StoredFile.Role, _ address: WebAddress) -> StoredFile {
        StoredFile(
            role: role, type: .jpeg, address: address, bytes: 1,
            sha256: Digest([UInt8](repeating: 0, count: 32))!)
    }

    @Test("that cannot be had stays what it is, a picture only where it is still the one meant")
    func substitutes() {
        let other = WebAddress("https://h.example/other.jpg")!
        for (address, isWorse) in [(large, false), (small, true)] {
            let had = substitute(.picture, from: [file(.picture, address)])
            #expect(had?.file == file(.picture, address) && had?.isWorse == isWorse && had?.isNew == false)
        }
        #expect(substitute(.picture, from: [file(.picture, other)]) == nil)
        #expect(substitute(.picture, from: [file(.poster, large)]) == nil)
        #expect(substitute(.picture, from: []) == nil)
        #expect(substitute(.poster, from: [file(.poster, other)])?.file == file(.poster, other))
        #expect(substitute(.poster, from: [file(.picture, other)])?.file == file(.poster, other))
    }
}
