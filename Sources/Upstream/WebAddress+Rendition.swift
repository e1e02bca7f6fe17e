package import Apod

/// The upstream serves each picture as it was uploaded and as renditions; each address follows from the others.
/// The host does not count, as the upstream can be another server.
extension WebAddress {
    private static let originals = "/content/dam/"
    private static let renditions = "/dynamicimage/assets/"

    /// The picture as it was uploaded; nil where the address does not tell it.
    package var original: WebAddress? {
        if path.hasPrefix(Self.originals) { return withoutQuery }
        guard path.hasPrefix(Self.renditions) else { return nil }
        return WebAddress("\(origin)\(Self.originals)\(path.dropFirst(Self.renditions.count))")
    }

    package var isRendition: Bool { path.hasPrefix(Self.renditions) }

    /// The same address for an original and all its renditions, whatever size the query asks for.
    package var asOriginal: WebAddress { original ?? withoutQuery }

    /// A rendition no larger than `longest` pixels either way; nil where there is none, as for GIFs.
    package func rendition(longest: Int) -> WebAddress? {
        guard let original, original.pathExtension != "gif" else { return nil }
        let rest = original.path.dropFirst(Self.originals.count)
        return WebAddress("\(origin)\(Self.renditions)\(rest)?w=\(longest)&h=\(longest)&fit=clip")
    }

    /// A stand-in for a missing picture: NASA's logo, or a part of the site's design.
    package var isPlaceholder: Bool {
        let path = path.lowercased()
        let file = path.split(separator: "/").last ?? ""
        return path.contains("/wp-content/") || file == "news-thumbnail.png"
            || ["nasa-meatball", "nasa-logo"].contains { file.hasPrefix($0) }
    }

    /// The size in the query `w=…&h=…`; nil without one, or where it is 0 for unknown.
    var size: (width: Int, height: Int)? {
        var numbers: [Substring: Int] = [:]
        for part in (query ?? "").split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1)
            if pair.count == 2, let number = Int(pair[1]), 1...1_000_000 ~= number { numbers[pair[0]] = number }
        }
        guard let width = numbers["w"], let height = numbers["h"] else { return nil }
        return (width, height)
    }
}

extension Source {
    /// Lists the original of the first address, then the addresses as given, then the originals of the others.
    init?(candidates: [WebAddress], sizedBy sized: WebAddress? = nil) {
        var seen: Set<WebAddress> = []
        let originals = candidates.map(\.original)
        let all = originals.prefix(1) + candidates.map(Optional.some) + originals.dropFirst()
        let size = sized?.size
        self.init(
            all.compactMap(\.self).filter { seen.insert($0).inserted }, width: size?.width, height: size?.height)
    }

    /// A rendition no larger than `longest` pixels either way, of the first address that has one; nil for GIFs, and
    /// where the picture is not larger anyway, since the upstream would enlarge it.
    package func screen(longest: Int) -> WebAddress? {
        if let width, let height, max(width, height) <= longest { return nil }
        guard best.pathExtension != "gif" else { return nil }
        return addresses.lazy.compactMap { $0.rendition(longest: longest) }.first
    }
}
