import Apod

/// Finds a day's media: in the picture's place on its page, else at its `hdurl`. The pictures beside the first are in
/// that place alone.
struct MediaFinder {
    private enum Shown {
        case image([WebAddress])
        case video(WebAddress, posters: [WebAddress])
        case embedded(WebAddress)
    }

    private let base: WebAddress
    /// The picture, or the video's poster.
    private let hdurl: WebAddress?
    private var film: Shown?
    private var frame: Shown?
    private var picture: Shown?

    /// All pictures of the place in their order: the first with those beside it.
    private var pictures: [(addresses: [WebAddress], alt: String?, isRollover: Bool)] = []

    private var link: WebAddress?
    private var isInFilm = false
    private var posters: [WebAddress] = []

    private static let site = WebAddress("https://science.nasa.gov/")!

    init(_ block: ArraySlice<MarkupPiece>, at permalink: WebAddress?, hdurl: String?) {
        let base = permalink ?? Self.site
        self.base = base
        self.hdurl = Self.address(hdurl, relativeTo: base)
        for piece in block { read(piece) }
    }

    private mutating func read(_ piece: MarkupPiece) {
        if case .open(_, let attributes) = piece { readRollover(attributes) }
        switch piece {
        case .open("a", let attributes): link = address(attributes["href"])
        case .close("a"): link = nil
        case .open("img", let attributes):
            let images = images(address(attributes["src"]))
            if !isInFilm, !Self.isOrnament(attributes) {
                pictures.append((images, Self.alt(attributes["alt"] ?? ""), isRollover: false))
            }
            picture = picture ?? image(images)
        case .open("video", let attributes):
            isInFilm = true
            posters = [address(attributes["poster"])].compactMap(\.self)
            film = film ?? video(address(attributes["src"]))
        case .open("source", let attributes) where isInFilm: film = film ?? video(address(attributes["src"]))
        case .close("video"): isInFilm = false
        case .open("iframe", let attributes), .open("embed", let attributes):
            frame = frame ?? framed(address(attributes["src"]))
        case .open("object", let attributes): frame = frame ?? framed(address(attributes["data"]))
        default: break
        }
    }

    private func address(_ text: String?) -> WebAddress? { Self.address(text, relativeTo: base) }

    /// nil for what cannot be media: a placeholder, or a day's article.
    private static func address(_ text: String?, relativeTo base: WebAddress) -> WebAddress? {
        guard let address = text.flatMap({ WebAddress(decoding: $0, relativeTo: base) }) else { return nil }
        let isMedia = !address.isPlaceholder && address.withoutQuery != base && Day(article: address) == nil
        return isMedia ? address : nil
    }

    private func video(_ address: WebAddress?) -> Shown? {
        guard let address, [.video, nil].contains(address.kind) else { return nil }
        return .video(address, posters: posters)
    }

    private func framed(_ address: WebAddress?) -> Shown? {
        guard let address else { return nil }
        switch address.kind {
        case .image: return .image([address])
        case .video: return .video(address, posters: [])
        case .page, nil: return .embedded(address)
        }
    }

    /// An `<img>` is a smaller copy or a still of the file that it links to. A link to a page is ignored.
    private func images(_ address: WebAddress?) -> [WebAddress] {
        [link?.kind == .image ? link : nil, address?.kind == .video ? nil : address].compactMap(\.self)
    }

    private func image(_ images: [WebAddress]) -> Shown? {
        if let link, link.kind == .video { return .video(link, posters: images) }
        return images.isEmpty ? nil : .image(images)
    }

    /// The pictures that scripts of an element put in another's place: the addresses among the texts between their quotes,
    /// as in `document.imagename1.src='OTHER'`. The first stands there again when the pointer leaves.
    private mutating func readRollover(_ attributes: [String: String]) {
        for name in ["onmouseover", "onmouseenter"] {
            for text in attributes[name]?.split(whereSeparator: { $0 == "'" || $0 == "\"" }) ?? [] {
                guard let other = address(String(text)), other.kind == .image else { continue }
                pictures.append(([other], nil, isRollover: true))
            }
        }
    }

    /// Buttons and lines are no pictures of the day.
    private static func isOrnament(_ attributes: [String: String]) -> Bool {
        let sizes = ["width", "height"].compactMap { attributes[$0].flatMap { Int($0) } }
        return sizes.contains { $0 < 32 }
    }

    /// An alternative text; nil for NASA's usual words.
    static func alt(_ html: String) -> String? {
        let alt = HTMLText(html).text
        return alt.isEmpty || alt.lowercased().hasPrefix("see explanation") ? nil : alt
    }

    private var shown: Shown? { film ?? frame ?? picture }

    var media: Media {
        switch shown ?? hdurl.flatMap(fallback) {
        case .image(let candidates): source(candidates + [still].compactMap(\.self)).map(Media.image) ?? .none
        case .video(let address, let posters): .video(address, poster: source(posters + [still].compactMap(\.self)))
        case .embedded(let address): .embedded(address, poster: poster(of: address))
        case nil: .none
        }
    }

    private static let mostFurther = FileName.furtherNumbers.count

    /// The pictures beside the first, none of them twice.
    var further: [FurtherPicture] {
        let first: [WebAddress?] =
            switch shown ?? hdurl.flatMap(fallback) {
            case .image(let candidates): candidates.map(Optional.some)
            case .video(let address, let posters): [address, still] + posters
            case .embedded(let address): [address, still]
            case nil: []
            }
        let place = first.firstValue { $0?.original }
        var known = Set(first.compactMap { $0?.asOriginal })
        var found: [FurtherPicture] = []
        for (addresses, alt, isRollover) in pictures where found.count < Self.mostFurther {
            let addresses = addresses.flatMap { Self.moved($0, beside: place) }
            let originals = addresses.map(\.asOriginal)
            if known.isDisjoint(with: originals), let source = Source(candidates: addresses) {
                found.append(FurtherPicture(source, alt: alt, isRollover: isRollover))
            }
            known.formUnion(originals)
        }
        return found
    }

    /// The address of a picture; of one of the old site (`…/image/0612/m42.jpg`), which leads away from it, first the place
    /// beside the day's first picture, where all of them were moved.
    private static func moved(_ address: WebAddress, beside place: WebAddress?) -> [WebAddress] {
        let parts = address.path.split(separator: "/")
        guard let place, parts.dropLast(2).last == "image",
            let there = parts.last.flatMap({ WebAddress($0, relativeTo: place) })
        else { return [address] }
        return [there, address]
    }

    private func fallback(_ hdurl: WebAddress) -> Shown? {
        switch hdurl.kind {
        case .image, nil: .image([hdurl])
        case .video: .video(hdurl, posters: [])
        case .page: nil
        }
    }

    /// `hdurl`, unless its name says that it is no image.
    private var still: WebAddress? { hdurl.flatMap { [.image, nil].contains($0.kind) ? $0 : nil } }

    private func source(_ candidates: [WebAddress]) -> Source? { Source(candidates: candidates, sizedBy: still) }

    private func poster(of address: WebAddress) -> Source? {
        source([still ?? address.youTubeStill].compactMap(\.self))
    }
}

extension WebAddress {
    /// Reads an address in which each ampersand may be escaped as in HTML.
    init?(decoding text: String, relativeTo base: WebAddress? = nil) {
        guard text.utf8.contains("&") else {
            self.init(text, relativeTo: base)
            return
        }
        self.init(["&amp;", "&#038;", "&#38;"].reduce(text) { $0.replacing($1, with: "&") }, relativeTo: base)
    }

    var kind: MediaType.Kind? { MediaType.kind(ofExtension: pathExtension) }
}
