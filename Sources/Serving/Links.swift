import Apod

/// Addresses of a day's files on this server.
struct Links {
    /// The address that was asked.
    let origin: String

    /// The address names the content, so that it may be kept for good.
    func file(_ file: StoredFile, of day: IndexedDay) -> String {
        "\(origin)/\(Percent.path(day.name.path(file)))?sha256=\(file.sha256)"
    }

    /// The smaller copy of a day's picture; the picture where there is none.
    func screen(of day: IndexedDay) -> String? {
        guard let image = day.files.image else { return nil }
        guard day.hasCopies else { return file(image, of: day) }
        return "\(origin)/\(GallerySize.large.path(of: day.key))?sha256=\(image.sha256)"
    }
}

extension IndexedDay {
    /// A JPEG of the picture, by its path below the root.
    var jpeg: String? {
        guard let image = files.image else { return nil }
        if image.type == .jpeg { return name.path(image) }
        return hasCopies ? GallerySize.large.path(of: key) : nil
    }
}
