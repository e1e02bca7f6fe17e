import Apod
import CVips
import TestSupport

/// A drawing in SVG as a JPEG; nil where libvips refuses.
func drawn(_ svg: String) -> Body? {
    let svg = svg.bytes
    return svg.withUnsafeBytes { bytes in
        guard let source = vips_source_new_from_memory(bytes.baseAddress, bytes.count) else { return nil }
        defer { release(source) }
        guard let image = open_picture(source) else { return nil }
        defer { release(image) }
        var file: UnsafeMutableRawPointer?
        var count = 0
        guard save_jpeg(image, &file, &count) == 0, let file else { return nil }
        defer { g_free(file) }
        return Body(Array(UnsafeRawBufferPointer(start: file, count: count)))
    }
}
