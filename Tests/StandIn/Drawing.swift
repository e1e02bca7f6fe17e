import CVips
import TestSupport

/// A drawing in SVG as a file; nil where libvips refuses.
func drawn(_ svg: String, as format: Entry.Format = .jpg) -> Body? {
    let svg = Array(svg.utf8)
    return svg.withUnsafeBytes { bytes in
        guard let source = vips_source_new_from_memory(bytes.baseAddress, bytes.count) else { return nil }
        defer { release(source) }
        guard let image = open_picture(source) else { return nil }
        defer { release(image) }
        var file: UnsafeMutableRawPointer?
        var count = 0
        let code = format == .png ? save_png(image, &file, &count) : save_jpeg(image, &file, &count)
        guard code == 0, let file else { return nil }
        defer { g_free(file) }
        return Body(Array(UnsafeRawBufferPointer(start: file, count: count)))
    }
}

/// A nebula that nobody has seen. Its stars make it no easier to pack than a photograph.
func sky(width: Int, height: Int, seed: UInt64, isInOtherLight: Bool) -> String {
    let (warm, cold) = ("2.8 .6 0 0 -1.2", "2 0 1.5 0 -1.4")
    func noise(_ name: String, _ frequency: Double, _ layers: Int, _ colors: String) -> String {
        """
        <filter id="\(name)" x="0" y="0" width="1" height="1"><feTurbulence type="fractalNoise" seed="\(seed % 9999)"
        baseFrequency="\(frequency)" numOctaves="\(layers)"/><feColorMatrix values="\(colors) 0 0 0 0 1"/></filter>
        """
    }
    let clouds = isInOtherLight ? "\(cold) 2.4 0 .3 0 -1.2 \(warm)" : "\(warm) 2.4 0 .3 0 -1.2 \(cold)"
    let all = "<rect width=\"100%\" height=\"100%\""
    return """
        <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" color-interpolation-filters="sRGB">
        \(noise("clouds", 4.8 / Double(width), 7, clouds))\(noise("stars", 0.4, 2, "9 3 0 0 -7.6 9 2 1 0 -7.6 9 0 3 0 -7.6"))
        <radialGradient id="edge"><stop offset=".1" stop-opacity="0"/><stop offset="1" stop-opacity=".9"/></radialGradient>
        \(all) filter="url(#clouds)"/>\(all) fill="url(#edge)"/>
        \(all) filter="url(#stars)" style="mix-blend-mode:screen"/></svg>
        """
}
