import Apod
import TestSupport
import Testing

@testable import Upstream

@Suite(.enabled(if: Places.shared != nil, "needs captured answers, beside the project"))
struct CapturedTests {
    private static let originals = "https://assets.science.nasa.gov/content/dam/science/cds/apod/apod/"

    private func bytes(_ file: String) throws -> [UInt8] {
        try contents("\(#require(Places.shared))/upstream/\(file)")
    }

    private func picture(_ file: String) throws -> Picture { try Picture(record: JSONText(bytes(file))) }

    @Test("A captured answer is read exactly")
    func reads() throws {
        let picture = try picture("v2/single-261002-large-png.json")
        #expect("\(picture.key)" == "2026-10-02" && picture.namesItsDay)
        #expect(picture.title == "The Complete Sharpless Catalog: 313 Nebulas" && picture.credit == "Bing Xin")
        #expect(picture.copyright == nil && picture.explanation.hasPrefix("What does it take to image"))
        #expect(picture.explanation.hasSuffix("Which object is your favorite?"))
        let rendition =
            "\(Self.originals.replacing("content/dam", with: "dynamicimage/assets"))2026/october/"
            + "sharpless_catalog.png?w=4455&h=5592&fit=clip&crop=faces%2Cfocalpoint"
        #expect(
            picture.media == image(["\(Self.originals)2026/october/sharpless_catalog.png", rendition], 4455, 5592))
    }

    @Test("A captured video is read with its poster")
    func video() throws {
        let picture = try picture("v2/single-260913-video-mp4.json")
        #expect(picture.alt == "Comet in the sky low to the horizon above the clouds.")
        guard case .video(let film, let poster) = picture.media else { return #expect(picture.media == .none) }
        #expect(film == address(Self.originals + "2026/september/NoctilucentNeowise_Girotti.mp4"))
        #expect(poster?.best == address(Self.originals + "2026/september/Comet_snapshot.png") && poster?.width == 1080)
    }

    @Test("The old service's whole year can be read, and its junk shows nothing")
    func old() throws {
        let records = try #require(try JSONText(bytes("v1/talegriat-apods2017.json"))["apods"]?.elements)
        let pictures = try records.map { try Picture(record: $0) }
        #expect(pictures.count == 336 && pictures.allSatisfy { !$0.title.isEmpty && !$0.explanation.isEmpty })
        let junk = try picture("v1/trimmed-placeholder-after-move.json")
        #expect(junk.media == .none && junk.permalink == nil)
        #expect(throws: BadRecord.noDate) { try picture("v2/error-404-apod_basic_not_found.json") }
    }
}
