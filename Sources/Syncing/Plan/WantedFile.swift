import Apod
import Configuration
import Upstream

/// A file to ask for.
struct WantedFile: Sendable, Equatable {
    let role: StoredFile.Role
    let kind: MediaType.Kind
    /// Where to fetch it, best first. A page is made here, for its only address.
    var addresses: [WebAddress]
    /// How many addresses, from the first, bring a good copy.
    var good = 1
    /// Validators of the file here, from the only address. They make the request conditional.
    var known: Validators?
    /// What was here, and is lost.
    var digest: Digest?

    /// Whether the day keeps its former files if this one cannot be had.
    var isEssential: Bool { role != .poster && !role.isFurther }

    /// Returns the files of the first picture that a record shows. `hasVideo`: a video is here, and stays whatever `videos`
    /// says.
    static func files(of media: Media, _ settings: Settings, hasVideo: Bool) -> [WantedFile] {
        switch media {
        case .image(let source): image(.picture, source, settings)
        case .video(let address, let poster):
            [
                settings.videos == .yes || hasVideo
                    ? WantedFile(role: .video, kind: .video, addresses: [address]) : page(address)
            ]
                + image(.poster, poster, settings)
        case .embedded(let address, let poster): [page(address)] + image(.poster, poster, settings)
        case .none: []
        }
    }

    private static func page(_ address: WebAddress) -> WantedFile {
        WantedFile(role: .page, kind: .page, addresses: [address])
    }

    static func image(_ role: StoredFile.Role, _ source: Source?, _ settings: Settings) -> [WantedFile] {
        guard let source else { return [] }
        guard settings.pictures == .screen, let screen = source.screen(longest: Settings.screen) else {
            return [WantedFile(role: role, kind: .image, addresses: source.addresses)]
        }
        return [WantedFile(role: role, kind: .image, addresses: [screen] + source.addresses, good: 2)]
    }
}

extension StoredFile {
    /// Whether it came from this address, whole or as a rendition. For a page, the query counts, too.
    func isFrom(_ address: WebAddress) -> Bool {
        role == .page ? self.address == address : self.address.asOriginal == address.asOriginal
    }

    /// A picture as it was uploaded, and no still of a video.
    var isOriginalPicture: Bool { role == .picture && !address.isRendition }
}
