internal import Archive
package import Catalog
internal import Files

/// What is said of something in the favorites folder that is left alone.
package enum LeftAlone {
    /// With what to do, where it can be told what was meant.
    package static func words(for place: Place, _ why: String) -> String {
        guard why == LinkResolver.foreign, let day = place.name.text.flatMap(GallerySize.day(of:)) else { return why }
        return """
            a smaller copy from the gallery; put the picture itself here, or a link to it: \
            `apod-mirror favorites add \(day)` makes one
            """
    }
}
