internal import Apod
internal import Upstream

/// What of a day stays as it is, whatever its new record says.
extension Picture {
    /// Those of a day's files that stay, though the record does not show them any more or has something worse in their
    /// place. What is in none of these cases is a correction.
    func staying(of here: [StoredFile]) -> [StoredFile] {
        guard let main = here.first(where: { $0.role != .poster }) else { return [] }
        let poster = here.filter { $0.role == .poster }
        if stays(main, poster.first) { return [main] + poster }
        // A picture that becomes a video is its poster where there is no other.
        if main.role == .picture, media.isVideo, media.still.map({ $0.has(main) }) ?? true {
            return [main.with(role: .poster)]
        }
        // A record that has a video, but no poster any more.
        return main.role != .picture && media.isVideo && media.still == nil ? poster : []
    }

    private func stays(_ main: StoredFile, _ poster: StoredFile?) -> Bool {
        switch (main.role, media) {
        // A file of its own is not given up for a page that leads elsewhere.
        case (.video, .embedded): true
        // A record that does not say what it shows gives nothing up.
        case (.video, .image(let source)), (.page, .image(let source)):
            kind != .image || poster.map(source.has) == true
        case (.video, .none), (.page, .none): kind != .image
        case (.picture, .image(let source)): !isOnPage && source.isLess(than: main)
        default: false
        }
    }

    /// What the day is to show, if these stay.
    func media(keeping files: [StoredFile]) -> Media {
        let kept = files.first { $0.role == .poster }.flatMap { Source([$0.address]) }
        let main = files.first { $0.role != .poster }
        switch (main?.role, media) {
        case (.video, _): return .video(main!.address, poster: kept ?? media.still)
        case (.page, _): return .embedded(main!.address, poster: kept ?? media.still)
        case (.picture, _): return Source([main!.address]).map(Media.image) ?? .none
        case (_, .video(let address, let poster)): return .video(address, poster: kept ?? poster)
        case (_, .embedded(let address, let poster)): return .embedded(address, poster: kept ?? poster)
        default: return media
        }
    }
}

extension Media {
    fileprivate var isVideo: Bool {
        switch self {
        case .video, .embedded: true
        case .image, .none: false
        }
    }

    fileprivate var still: Source? {
        switch self {
        case .image(let source): source
        case .video(_, let poster), .embedded(_, let poster): poster
        case .none: nil
        }
    }
}

extension Source {
    /// The same picture, whole or as a rendition.
    fileprivate func has(_ file: StoredFile) -> Bool {
        func essence(_ address: WebAddress) -> WebAddress { address.original ?? address.withoutQuery }
        return addresses.contains { essence($0) == essence(file.address) }
    }

    /// Another picture, and not known to be as large and as lively.
    fileprivate func isLess(than file: StoredFile) -> Bool {
        if has(file) { return false }
        if file.type == .gif, best.pathExtension != "gif" { return true }
        guard let width, let height else { return true }
        guard let pixels = file.pixels else { return false }
        // What the upstream says of sizes is near them.
        return width * height < pixels / 5 * 4
    }
}
