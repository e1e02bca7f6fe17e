import CVips
import Decoding
import Glibc

/// Decodes one picture with libvips. Nothing else in the project decodes.
struct Decoder {
    private typealias Source = UnsafeMutablePointer<VipsSource>
    private typealias Image = UnsafeMutablePointer<VipsImage>

    private let descriptor: Int32
    private static let canWrite = CommandLine.arguments.contains("captions") && load_font() != 0

    /// No picture of a day has more pixels.
    private static let mostPixels = 1_000_000_000
    /// In bytes, for pictures that can only be decoded as a whole.
    private static let mostMemory = 1_000_000_000

    /// Made if no file is asked for. Even a small copy decodes the whole picture.
    private static let smallest = Rendition(.jpeg, box: 64)

    /// The kinds that are decoded, by libvips's names of their loaders.
    private enum Kind: String, CaseIterable {
        case jpeg = "Jpeg"
        case png = "Png"
        case gif = "Nsgif"
        case webp = "Webp"
        case tiff = "Tiff"
        case avif = "Heif"

        var loader: String { "VipsForeignLoad\(rawValue)" }
    }

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Loads all libraries and modules: once the sandbox is locked, no file can be opened.
    static func start() -> Bool {
        // Before libvips 8.15, the generator of vector code needs executable memory.
        if vips_version(0) == 8, vips_version(1) < 15 { setenv("VIPS_NOVECTOR", "1", 1) }
        guard vips_init("apod-thumbnailer") == 0 else { return false }
        vips_block_untrusted_set(1)
        let loaders = Kind.allCases.map { strdup($0.loader) }
        block_all_loaders_but(loaders.map { UnsafePointer($0) } + [nil])
        // Each process decodes one picture, in one thread.
        vips_concurrency_set(1)
        vips_cache_set_max(0)
        end_where_reading_fails()
        let nothing: [UInt8] = [0, 0, 0, 16] + Array("ftypavif".utf8) + [0, 0, 0, 0]
        use_avif_loader(nothing, nothing.count)
        _ = canWrite
        return true
    }

    func answer(to request: DecodingRequest) -> DecodingAnswer {
        guard let source = vips_source_new_from_descriptor(descriptor) else { return .refused(Self.reason) }
        defer { release(source) }
        guard let kind = kind(of: source) else { return .refused("it is of no kind that can be decoded") }
        guard let header = open_picture(source) else { return .refused(Self.reason) }
        let refusal = refusal(header, kind)
        let hasProfile = Self.hasProfile(header)
        release(header)
        if let refusal { return .refused(refusal) }
        guard let (files, color) = files(request, of: source, hasProfile) else {
            return .refused(Self.reason)
        }
        if Self.isTruncated { return .refused(Self.reason) }
        return .made(color: color, files: files)
    }

    private func kind(of source: Source) -> Kind? {
        defer { vips_error_clear() }
        guard let loader = vips_foreign_find_load_source(source).map({ String(cString: $0) }) else { return nil }
        return Kind.allCases.first { loader.hasPrefix($0.loader) }
    }

    /// The reason not to decode a picture, as far as its header tells.
    private func refusal(_ image: Image, _ kind: Kind) -> String? {
        let (width, height) = (Int(vips_image_get_width(image)), Int(vips_image_get_height(image)))
        let size = "\(width) × \(height) pixels"
        let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
        if overflow || pixels > Self.mostPixels { return "\(size) are more than are decoded" }
        let perPixel: Int
        switch kind {
        // For several scans, libjpeg keeps all coefficients in memory, two bytes each.
        case .jpeg: perPixel = has("jpeg-multiscan", image) ? 2 * Int(vips_image_get_bands(image)) : 0
        case .png: perPixel = has("interlaced", image) ? Self.bytesPerPixel(image) : 0
        case .gif, .webp, .avif: perPixel = 4
        case .tiff: perPixel = 0
        }
        let memory = pixels * perPixel
        guard memory > Self.mostMemory else { return nil }
        return "\(size), all of them at once, need \(memory / 1_000_000) MB of memory"
    }

    private static func bytesPerPixel(_ image: Image) -> Int {
        Int(vips_format_sizeof(vips_image_get_format(image))) * Int(vips_image_get_bands(image))
    }

    /// Whether a colour profile applies: an embedded one, or that of CMYK. Others need no conversion.
    private static func hasProfile(_ image: Image) -> Bool {
        vips_image_get_typeof(image, "icc-profile-data") != 0
            || vips_image_get_interpretation(image) == VIPS_INTERPRETATION_CMYK
    }

    private func has(_ field: String, _ image: Image) -> Bool {
        var value: Int32 = 0
        return vips_image_get_typeof(image, field) != 0 && vips_image_get_int(image, field, &value) == 0 && value != 0
    }

    /// Decodes the picture once, for the largest file, and makes the others from that. Also returns its average colour.
    private func files(
        _ request: DecodingRequest, of source: Source, _ hasProfile: Bool
    ) -> (files: [[UInt8]], color: Int)? {
        let renditions = request.renditions
        let largest = renditions.max { $0.width < $1.width } ?? Self.smallest
        guard var image = shrunk(source, to: largest, hasProfile) else { return nil }
        defer { release(image) }
        guard let color = color(of: image) else { return nil }
        var captioned: Image?
        if Self.canWrite, !request.caption.isEmpty, add_caption(image, &captioned, request.caption) == 0, let captioned
        {
            release(image)
            image = captioned
        }
        var files: [[UInt8]] = []
        for rendition in renditions {
            guard let file = file(rendition, of: image, largest) else { return nil }
            files.append(file)
        }
        return (files, color)
    }

    /// 0xRRGGBB.
    private func color(of image: Image) -> Int? {
        var averages = [0.0, 0, 0]
        guard average_colours(image, &averages) == 0 else { return nil }
        return averages.reduce(0) { $0 << 8 | Int($1.rounded()) }
    }

    private func shrunk(_ source: Source, to size: Rendition, _ hasProfile: Bool) -> Image? {
        typealias Conversion = (Image?, inout Image?) -> Int32
        let steps: [Conversion] = [
            { _, out in shrink_source(source, &out, Self.wanted(size), hasProfile ? 1 : 0) },
            { image, out in to_colours_of_screens(image, &out) },
            { image, out in to_bytes(image, &out) },
        ]
        var image: Image?
        for step in steps {
            var next: Image?
            let code = step(image, &next)
            if let image { release(image) }
            guard code == 0 else { return nil }
            image = next
        }
        defer { if let image { release(image) } }
        // The pixels are decoded here.
        guard let whole = vips_image_copy_memory(image) else { return nil }
        // The colours are sRGB, and other metadata can be larger than a small copy.
        for field in ["icc-profile-data", "exif-data", "xmp-data", "iptc-data", "photoshop-data"] {
            vips_image_remove(whole, field)
        }
        return whole
    }

    private static func wanted(_ size: Rendition) -> wanted_size {
        wanted_size(width: Int32(size.width), height: Int32(size.height), is_filled: size.isFilled ? 1 : 0)
    }

    private func file(_ rendition: Rendition, of image: Image, _ largest: Rendition) -> [UInt8]? {
        var small: Image?
        if rendition.width < largest.width {
            guard shrink_image(image, &small, Self.wanted(rendition)) == 0 else { return nil }
        }
        defer { if let small { release(small) } }
        var (bytes, count): (UnsafeMutableRawPointer?, Int) = (nil, 0)
        let save =
            switch rendition.format {
            case .jpeg: save_jpeg
            case .webp: save_webp
            case .png: save_png
            }
        guard save(small ?? image, &bytes, &count) == 0, let bytes else { return nil }
        defer { g_free(bytes) }
        return Array(UnsafeRawBufferPointer(start: bytes, count: count))
    }

    /// For a JPEG whose end marker comes too soon, libjpeg only warns, and makes the rest grey.
    private static var isTruncated: Bool { String(cString: vips_error_buffer()).contains("premature end") }

    /// The first line of libvips's error buffer, which is nearest to the cause.
    private static var reason: String {
        defer { vips_error_clear() }
        let lines = String(cString: vips_error_buffer()).split(separator: "\n")
        return lines.first.map(String.init) ?? "it cannot be decoded"
    }
}
