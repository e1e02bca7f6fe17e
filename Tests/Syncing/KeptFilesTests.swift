import Apod
import Testing

@testable import Syncing

/// The files of a day that is here, and what a new record says of it.
struct StayingCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let here: [StoredFile]
    let says: Media
    var kind: Picture.Kind?
    var isOnPage = true
    /// So many of the files stay.
    let stay: Int
    /// The picture stays as a poster.
    let isPoster: Bool

    init(
        _ words: String, _ here: [StoredFile], _ says: Media, _ kind: Picture.Kind? = nil, onPage: Bool = true,
        stay: Int, isPoster: Bool = false
    ) {
        testDescription = words
        self.here = here
        self.says = says
        self.kind = kind
        isOnPage = onPage
        self.stay = stay
        self.isPoster = isPoster
    }

    private static let front = "https://h.example/content/dam/"

    private static func address(_ name: String) -> WebAddress { WebAddress(front + name)! }

    static func source(_ name: String, _ width: Int? = nil, _ height: Int? = nil) -> Source {
        let rendition = WebAddress("https://h.example/dynamicimage/assets/\(name.dropFirst(2))?w=9&h=9")!
        return Source([name.hasPrefix("r/") ? rendition : address(name)], width: width, height: height)!
    }

    private static func file(
        _ role: StoredFile.Role, _ type: MediaType, _ name: String, _ width: Int? = nil, _ height: Int? = nil
    ) -> StoredFile {
        StoredFile(
            role: role, type: type, address: address(name), bytes: width ?? 9,
            sha256: Digest([UInt8](repeating: 1, count: 32))!,
            width: width, height: height)
    }

    private static let video = [file(.video, .mp4, "a.mp4"), file(.poster, .png, "p.png")]
    private static let page = [file(.page, .html, "embed/a"), file(.poster, .jpeg, "p.jpg")]
    private static let bareVideo = [video[0]]
    private static let picture = [file(.picture, .png, "a.png", 4000, 3000)]
    private static let gif = [file(.picture, .gif, "a.gif", 400, 300)]
    private static let unmeasured = [file(.picture, .tiff, "a.tif")]

    /// By its header.
    private static let endless = [file(.picture, .png, "a.png", 4_294_967_295, 4_294_967_295)]

    static let all: [StayingCase] = [
        Self(
            "picture of more pixels than can be counted, another", endless, .image(source("b.jpg", 4000, 3000)),
            onPage: false, stay: 0),
        Self("nothing of a day that has nothing", [], .image(source("b.jpg")), stay: 0),
        Self("nothing of a day that has only a poster", [video[1]], .none, .video, stay: 0),
        // A video of its own.
        Self("video, same video", video, .video(address("a.mp4"), poster: source("p.png")), .video, stay: 0),
        Self("video, another video", video, .video(address("b.mp4"), poster: source("q.png")), .video, stay: 0),
        Self("video, another video without a poster", video, .video(address("b.mp4"), poster: nil), stay: 1),
        Self("page, another page without a poster", page, .embedded(address("embed/b"), poster: nil), stay: 1),
        Self("page, a video of its own without a poster", page, .video(address("b.mp4"), poster: nil), stay: 1),
        Self("video, embedded elsewhere", video, .embedded(address("embed/b"), poster: source("q.png")), stay: 2),
        Self("video, embedded, called a picture", video, .embedded(address("embed/b"), poster: nil), .image, stay: 2),
        Self("video, its poster, called a video", video, .image(source("p.png")), .video, onPage: false, stay: 2),
        Self("video, its poster, called a picture", video, .image(source("p.png")), .image, onPage: false, stay: 2),
        Self("video, its poster's rendition", video, .image(source("r/p.png")), .image, stay: 2),
        Self("video, its poster on the page", video, .image(source("p.png")), stay: 2),
        Self("video, another picture, called a video", video, .image(source("b.jpg")), .video, stay: 2),
        Self("video, an empty block and some address", video, .image(source("b.jpg")), onPage: false, stay: 2),
        Self("video, an address called a picture", video, .image(source("b.jpg")), .image, onPage: false, stay: 0),
        Self("video, another picture", video, .image(source("b.jpg")), .image, stay: 0),
        Self("video, another picture, called nothing", video, .image(source("b.jpg")), stay: 2),
        Self("video, nothing, called a video", video, .none, .video, stay: 2),
        Self("video, nothing", video, .none, stay: 2),
        Self("video, nothing, called a picture", video, .none, .image, stay: 0),
        Self("video without poster, a picture, called a video", bareVideo, .image(source("p.png")), .video, stay: 1),
        Self("video without poster, a picture, called nothing", bareVideo, .image(source("p.png")), stay: 1),
        Self("video without poster, nothing", bareVideo, .none, stay: 1),
        Self("video without poster, a picture", bareVideo, .image(source("p.png")), .image, onPage: false, stay: 0),
        Self("video, same video that lost its poster", video, .video(address("a.mp4"), poster: nil), stay: 1),
        // A page that opens one.
        Self("page, same page", page, .embedded(address("embed/a"), poster: source("p.jpg")), .video, stay: 0),
        Self("page, another page", page, .embedded(address("embed/b"), poster: source("p.jpg")), .video, stay: 0),
        Self("page, a video of its own", page, .video(address("a.mp4"), poster: source("q.jpg")), .video, stay: 0),
        Self("page, its poster", page, .image(source("p.jpg")), .image, onPage: false, stay: 2),
        Self("page, a picture, called a video", page, .image(source("b.jpg")), .video, stay: 2),
        Self("page, another picture", page, .image(source("b.jpg")), .image, stay: 0),
        Self("page, another picture, called nothing", page, .image(source("b.jpg")), stay: 2),
        Self("page, an address, called nothing", page, .image(source("b.jpg")), onPage: false, stay: 2),
        Self("page, an address called a picture", page, .image(source("b.jpg")), .image, onPage: false, stay: 0),
        Self("page, nothing, called a video", page, .none, .video, stay: 2),
        Self("page, nothing", page, .none, stay: 2),
        Self("page, nothing, called a picture", page, .none, .image, stay: 0),
        Self("page, same page that lost its poster", page, .embedded(address("embed/a"), poster: nil), stay: 1),
        // A picture.
        Self("picture, same picture", picture, .image(source("a.png", 10, 10)), .image, stay: 0),
        Self("picture, its own rendition", picture, .image(source("r/a.png")), .image, onPage: false, stay: 0),
        Self("picture, another one on the page", picture, .image(source("b.jpg", 10, 10)), .image, stay: 0),
        Self("picture, a smaller address", picture, .image(source("b.jpg", 1280, 960)), .image, onPage: false, stay: 1),
        Self("picture, hardly smaller", picture, .image(source("b.jpg", 3600, 2700)), .image, onPage: false, stay: 0),
        Self("picture, a bit smaller", picture, .image(source("b.jpg", 3400, 2600)), .image, onPage: false, stay: 1),
        Self("picture, an address of no size", picture, .image(source("b.jpg")), .image, onPage: false, stay: 1),
        Self("picture, one as large", picture, .image(source("b.jpg", 3900, 3000)), .image, onPage: false, stay: 0),
        Self("picture, a larger one", picture, .image(source("b.jpg", 8000, 6000)), .image, onPage: false, stay: 0),
        Self("unmeasured, of some size", unmeasured, .image(source("b.jpg", 1, 1)), .image, onPage: false, stay: 0),
        Self("picture, a video", picture, .video(address("a.mp4"), poster: source("p.png")), .video, stay: 0),
        Self("picture, a page", picture, .embedded(address("embed/a"), poster: source("p.png")), .video, stay: 0),
        Self(
            "picture, a video without a poster", picture, .video(address("a.mp4"), poster: nil), .video, stay: 1,
            isPoster: true),
        Self(
            "picture, a video of which it is the poster", picture,
            .video(address("a.mp4"), poster: source("a.png")), .video, stay: 1, isPoster: true),
        Self(
            "picture, a page of which its rendition is the poster", picture,
            .embedded(address("embed/a"), poster: source("r/a.png")), .video, stay: 1, isPoster: true),
        Self(
            "picture, a page without a poster", picture, .embedded(address("embed/a"), poster: nil), .video, stay: 1,
            isPoster: true),
        Self("picture, nothing", picture, .none, .image, stay: 0),
        Self("gif, its still", gif, .image(source("a.jpg", 400, 300)), .image, onPage: false, stay: 1),
        Self("gif, another gif", gif, .image(source("b.gif", 400, 300)), .image, onPage: false, stay: 0),
        Self("gif, a still on the page", gif, .image(source("b.jpg", 400, 300)), .image, stay: 0),
    ]
}

@Suite("Of a day's files stays")
struct KeptFilesTests {
    private func picture(_ one: StayingCase) -> Picture {
        Picture(
            day: Day("2026-11-20")!, title: "A Title", explanation: "Text.", media: one.says, kind: one.kind,
            isOnPage: one.isOnPage, record: JSONText(""))
    }

    @Test("what is better than what the new record says", arguments: StayingCase.all)
    func table(one: StayingCase) {
        let stay = picture(one).staying(of: one.here)
        #expect(stay.count == one.stay)
        if one.isPoster { return #expect(stay == one.here.map { $0.with(role: .poster) }) }
        // The poster alone, or everything.
        #expect(stay == (one.stay == one.here.count ? one.here : Array(one.here.suffix(one.stay))))
    }

    @Test("what the day then shows", arguments: StayingCase.all)
    func shown(one: StayingCase) {
        let picture = picture(one)
        let media = picture.media(keeping: picture.staying(of: one.here))
        guard one.stay > 0 else { return #expect(media == one.says) }
        if one.stay < one.here.count {
            let poster = one.here.last.flatMap { Source([$0.address]) }
            switch one.says {
            case .video(let address, _): return #expect(media == .video(address, poster: poster))
            case .embedded(let address, _): return #expect(media == .embedded(address, poster: poster))
            default: return #expect(Bool(false))
            }
        }
        let main = one.here.first { $0.role != .poster }!
        if one.isPoster {
            let poster = Source([main.address])!
            switch one.says {
            case .video(let address, _): return #expect(media == .video(address, poster: poster))
            case .embedded(let address, _): return #expect(media == .embedded(address, poster: poster))
            default: return #expect(Bool(false))
            }
        }
        let poster = one.here.first { $0.role == .poster }.flatMap { Source([$0.address]) }
        switch main.role {
        case .video:
            let still = one.says == .none ? nil : StayingCase.source("p.png")
            #expect(media == .video(main.address, poster: poster ?? still))
        case .page: #expect(media == .embedded(main.address, poster: poster))
        default: #expect(media == .image(Source([main.address])!))
        }
    }
}
