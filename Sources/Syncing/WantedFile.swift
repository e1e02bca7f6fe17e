internal import Apod
internal import Configuration
internal import Upstream

/// One file that a day should have.
struct WantedFile: Sendable {
    let role: StoredFile.Role
    let kind: MediaType.Kind
    /// Where it can be had, best first. A page is made here, from the only address.
    var addresses: [WebAddress]
    /// So many of the addresses, from the first, are as good as can be.
    var good = 1
    /// Stays as it is, and is not asked for. Pages are always made anew.
    var staying: [StoredFile] = []
    /// What is damaged, and taken only if nothing else comes.
    var damaged: Set<Digest> = []

    /// Without a poster, a video is still there.
    var isEssential: Bool { role != .poster }

    func isWorse(_ address: WebAddress) -> Bool { !addresses.prefix(good).contains(address) }

    /// `files` are there already, from times when the settings were others: no video becomes a page, and no original
    /// a rendition. Those that are `staying` are not asked for; `isDowngraded`: and they are worse copies.
    static func wantedFiles(
        of media: Media, _ settings: Settings, having files: [StoredFile], staying: [StoredFile] = [],
        isDowngraded: Bool = false
    ) -> [WantedFile] {
        wantedFiles(of: media, settings, hasVideo: files.contains { $0.role == .video }).map { wanted in
            var wanted = wanted
            let good = wanted.addresses.prefix(wanted.good)
            if let index = good.firstIndex(where: { address in files.contains { $0.address == address } }) {
                wanted.addresses.swapAt(0, index)
            }
            // What is here is better than all that is behind it.
            let here = files.filter { $0.role == wanted.role }.map(\.address)
            if let last = wanted.addresses.firstIndex(where: here.contains) { wanted.addresses[(last + 1)...] = [] }
            wanted.staying = staying.filter { $0.role == wanted.role && $0.role != .page }
            if isDowngraded { wanted.good = 0 }
            return wanted
        }
    }

    private static func wantedFiles(of media: Media, _ settings: Settings, hasVideo: Bool) -> [WantedFile] {
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
