import Apod
import Testing

@testable import Upstream

@Suite(.enabled(if: Captured.isHere, "needs captured answers, beside the project"))
struct CapturedTests {
    private static let originals = "https://assets.science.nasa.gov/content/dam/science/cds/apod/apod/"
    private static let renditions = "https://assets.science.nasa.gov/dynamicimage/assets/science/cds/apod/apod/"
    private static let crop = "&fit=clip&crop=faces%2Cfocalpoint"

    @Test("Captured answers an old image is read exactly")
    func oldImage() throws {
        let picture = try Captured.picture("v2/single-150603.json")
        #expect(picture.day == Day("2015-06-03"))
        #expect(picture.title == "Flyby Image of Saturn's Sponge Moon Hyperion")
        #expect(picture.credit == "NASA, JPL-Caltech, SSI" && picture.copyright == nil && picture.alt == nil)
        #expect(picture.permalink?.path.hasPrefix("/image-article/apod-2015-june-3-") == true)
        #expect(picture.namesItsDay)
        #expect(picture.explanation.hasPrefix("Why does this moon look like a sponge? To better investigate, NASA and"))
        #expect(picture.explanation.contains("featured above, raw"))
        #expect(picture.explanation.hasSuffix("flyby of Saturn's Dione in about two weeks."))
        let file = Self.originals + "2015/june/hyperion02_cassini_1024.jpg"
        #expect(picture.media == image([file, "\(file)?w=1024&h=1024\(Self.crop)"], 1024, 1024))
    }

    @Test("Captured answers a copyrighted image is read exactly")
    func copyrighted() throws {
        let picture = try Captured.picture("v2/range-150603-150604.json", 0)
        #expect(picture.day == Day("2015-06-04") && picture.namesItsDay)
        #expect(picture.title == "NGC 2419: Intergalactic Wanderer")
        #expect(picture.credit == "Bob Franke" && picture.copyright == "Bob Franke" && picture.alt == nil)
        #expect(picture.explanation.hasPrefix("Three objects stand out in this thoughtful telescopic image, a view"))
        #expect(picture.explanation.contains("sometimes called “the Intergalactic Wanderer”, an"))
        #expect(picture.explanation.hasSuffix("roam the halo of our Milky Way galaxy."))
        let file = Self.originals + "2015/june/ngc2419Frankebig.jpg"
        #expect(picture.media == image([file, "\(file)?w=1500&h=1000\(Self.crop)"], 1500, 1000))
    }

    @Test("Captured answers a video with its poster is read exactly")
    func video() throws {
        let picture = try Captured.picture("v2/single-260913-video-mp4.json")
        #expect(picture.day == Day("2026-09-13"))
        #expect(picture.title == "Comet NEOWISE Rising Over the Adriatic Sea")
        #expect(picture.credit == "Paolo Girotti" && picture.copyright == nil)
        #expect(picture.alt == "Comet in the sky low to the horizon above the clouds.")
        #expect(picture.explanation.hasPrefix("This sight was worth getting out of bed early. Just"))
        #expect(picture.explanation.contains("an inner-Solar System intruder"))
        #expect(picture.explanation.hasSuffix("spanning about five kilometers across."))
        let film = Self.originals + "2026/september/NoctilucentNeowise_Girotti.mp4"
        let poster = "2026/september/Comet_snapshot.png"
        let addresses = [Self.originals + poster, "\(Self.renditions)\(poster)?w=1080&h=1350\(Self.crop)"]
        #expect(picture.media == .video(address(film), poster: source(addresses, 1080, 1350)))
    }

    @Test("Captured answers a day with an empty block and only hdurl is read exactly")
    func onlyHdurl() throws {
        let picture = try Captured.picture("v2/single-261002-large-png.json")
        #expect(picture.day == Day("2026-10-02"))
        #expect(picture.title == "The Complete Sharpless Catalog: 313 Nebulas")
        #expect(picture.credit == "Bing Xin" && picture.copyright == nil)
        #expect(picture.alt?.hasPrefix("313 separate images of nebulae that") == true)
        #expect(picture.explanation.hasPrefix("What does it take to image hundreds of nebulas? Today’s image contains"))
        #expect(picture.explanation.hasSuffix("to complete! Which object is your favorite?"))
        let file = "2026/october/sharpless_catalog.png"
        let addresses = [Self.originals + file, "\(Self.renditions)\(file)?w=4455&h=5592\(Self.crop)"]
        #expect(picture.media == image(addresses, 4455, 5592))
    }

    @Test("Captured answers shortened records without a page are read")
    func shortened() throws {
        let galaxy = try Captured.picture("v2/trimmed-single-260916.json")
        #expect(galaxy.day == Day("2026-09-16") && galaxy.title == "Webb's View of M64" && galaxy.copyright == nil)
        #expect(galaxy.credit?.hasSuffix("D. Thilker (JHU); Processing: G. Kober (NASA/Catholic University)") == true)
        let shrimp = try Captured.picture("v2/trimmed-single-260929.json")
        #expect(shrimp.explanation == "What causes the swirl in the Shrimp Nebula? Stars & gas.")
        #expect(shrimp.alt == nil)
        let file = "2026/september/Shrimp_Pawel_2048.jpg"
        let addresses = [Self.originals + file, "\(Self.renditions)\(file)?w=2048&h=2560\(Self.crop)"]
        #expect(shrimp.media == image(addresses, 2048, 2560))
    }

    @Test("Captured answers an error answer is no record")
    func error() throws {
        #expect(throws: BadRecord.noDate) { try Captured.picture("v2/error-404-apod_basic_not_found.json") }
    }

    @Test("Captured answers the old service's junk has no media and no article")
    func junk() throws {
        let picture = try Captured.picture("v1/trimmed-placeholder-after-move.json")
        #expect(picture.media == .none)
        #expect(picture.permalink == nil)
    }

    @Test("Captured answers a whole year of the old service can be read")
    func year() throws {
        let records = try #require(try JSONText(Captured.bytes("v1/talegriat-apods2017.json"))["apods"]?.elements)
        #expect(records.count == 336)
        for record in records {
            let picture = try Picture(record: record)
            #expect(!picture.title.isEmpty && !picture.explanation.isEmpty)
        }
    }
}
