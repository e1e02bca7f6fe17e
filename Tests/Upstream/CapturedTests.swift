import Apod
import Testing

@testable import Upstream

@Suite(.enabled(if: Captured.isHere, "needs captured answers, beside the project"))
struct CapturedTests {
    private static let originals = "https://assets.science.nasa.gov/content/dam/science/cds/apod/apod/"
    private static let renditions = "https://assets.science.nasa.gov/dynamicimage/assets/science/cds/apod/apod/"

    /// File, index, day, title, credit, copyright; the explanation's beginning and end; the picture, its size and that
    /// its address is a rendition's.
    private static let rows: [(String, String, [String?], [String], String, (Int, Int), Bool)] = [
        (
            "single-150603", "2015-06-03",
            ["Flyby Image of Saturn's Sponge Moon Hyperion", "NASA, JPL-Caltech, SSI", nil],
            ["Why does this moon look", "Dione in about two weeks."],
            "2015/june/hyperion02_cassini_1024.jpg", (1024, 1024), false
        ),
        (
            "single-261002-large-png", "2026-10-02",
            ["The Complete Sharpless Catalog: 313 Nebulas", "Bing Xin", nil],
            ["What does it take to image", "Which object is your favorite?"],
            "2026/october/sharpless_catalog.png", (4455, 5592), true
        ),
    ]

    @Test("A captured answer is read exactly", arguments: rows.indices)
    func reads(index: Int) throws {
        let (name, day, words, explanation, file, size, isRendition) = Self.rows[index]
        let picture = try Captured.picture("v2/\(name).json")
        #expect("\(picture.day)" == day && picture.namesItsDay)
        #expect([picture.title, picture.credit, picture.copyright] == words)
        #expect(picture.explanation.hasPrefix(explanation[0]) && picture.explanation.hasSuffix(explanation[1]))
        let second =
            (isRendition ? Self.renditions : Self.originals) + file
            + "?w=\(size.0)&h=\(size.1)&fit=clip&crop=faces%2Cfocalpoint"
        #expect(picture.media == image([Self.originals + file, second], size.0, size.1))
    }

    @Test("A captured video is read with its poster")
    func video() throws {
        let picture = try Captured.picture("v2/single-260913-video-mp4.json")
        #expect(picture.alt == "Comet in the sky low to the horizon above the clouds.")
        guard case .video(let film, let poster) = picture.media else { return #expect(picture.media == .none) }
        #expect(film == address(Self.originals + "2026/september/NoctilucentNeowise_Girotti.mp4"))
        #expect(poster?.best == address(Self.originals + "2026/september/Comet_snapshot.png") && poster?.width == 1080)
    }

    @Test("The old service's whole year can be read, and its junk shows nothing")
    func old() throws {
        let records = try #require(try JSONText(Captured.bytes("v1/talegriat-apods2017.json"))["apods"]?.elements)
        let pictures = try records.map { try Picture(record: $0) }
        #expect(pictures.count == 336 && pictures.allSatisfy { !$0.title.isEmpty && !$0.explanation.isEmpty })
        let junk = try Captured.picture("v1/trimmed-placeholder-after-move.json")
        #expect(junk.media == .none && junk.permalink == nil)
        #expect(throws: BadRecord.noDate) { try Captured.picture("v2/error-404-apod_basic_not_found.json") }
    }
}
