internal import Apod
internal import Configuration
internal import Upstream

/// One file that is to be asked for.
struct WantedFile: Sendable, Equatable {
    let role: StoredFile.Role
    let kind: MediaType.Kind
    /// Where it can be had, best first. A page is made here, from the only address.
    var addresses: [WebAddress]
    /// So many of the addresses, from the first, are as good as can be.
    var good = 1
    /// The one that is here, from the only address: the server is asked whether it has another by now.
    var known: Validators?

    /// Without a poster, a video is still there.
    var isEssential: Bool { role != .poster }

    /// All that a record shows. `hasVideo`: a video is here, from times when the settings were others.
    static func files(of media: Media, _ settings: Settings, hasVideo: Bool) -> [WantedFile] {
        switch media {
        case .image(let source): [image(.picture, source, settings)]
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

    private static func image(_ role: StoredFile.Role, _ source: Source?, _ settings: Settings) -> [WantedFile] {
        source.map { [image(role, $0, settings)] } ?? []
    }

    private static func image(_ role: StoredFile.Role, _ source: Source, _ settings: Settings) -> WantedFile {
        guard settings.pictures == .screen, let screen = source.screen(longest: Settings.screen) else {
            return WantedFile(role: role, kind: .image, addresses: source.addresses)
        }
        return WantedFile(role: role, kind: .image, addresses: [screen] + source.addresses, good: 2)
    }
}

extension StoredFile {
    /// Whether it came from this address, whole or as a rendition. What a page opens can depend on the query.
    func isFrom(_ address: WebAddress) -> Bool {
        role == .page ? self.address == address : self.address.asOriginal == address.asOriginal
    }

    /// As the JSON tells it.
    var told: StoredFile {
        var file = self
        file.validators = nil
        return file
    }

    /// A picture as it was uploaded, and no still of a video.
    var isOriginalPicture: Bool { role == .picture && !address.isRendition }
}
