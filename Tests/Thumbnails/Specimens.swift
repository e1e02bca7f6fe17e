import Glibc
import TestSupport

/// Pictures of all kinds, made once by other programs. The good ones are red at the left, blue at the right, and green in
/// the corner at the upper left.
enum Specimens {
    static let folder = try! made()

    static func path(_ name: String) -> String { folder.appending(name) }

    private static func made() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let script = folder.appending("make.py")
        guard let file = fopen(script, "we") else { throw SystemError("open \(script)") }
        fputs(python, file)
        fclose(file)
        guard system("cd '\(folder.path)' && /usr/bin/python3 make.py && \(vips)") == 0 else {
            throw SystemError("make pictures")
        }
        // Nobody lets go of it before the tests end.
        atexit { system("rm -rf '\(Specimens.folder.path)'") }
        return folder
    }

    private static let vips = """
        vips copy plain.tif rgb.v && vips linear rgb.v w.v 257 0 && vips cast w.v s.v ushort &&
        vips copy s.v t.v --interpretation rgb16 && vips pngsave t.v 16bit.png &&
        vips pngsave rgb.v interlaced.png --interlace && vips heifsave rgb.v plain.avif --compression av1 &&
        head -c -300 plain.avif >cut.avif && vips black big.v 30000 30000 &&
        vips pngsave big.v heavy.png --bitdepth 1 --compression 1 && rm *.v
        """

    private static let python = #"""
        import struct, zlib, random
        from PIL import Image, ImageDraw
        random.seed(1)
        im = Image.new("RGB", (1600, 1200), (220, 20, 20))
        draw = ImageDraw.Draw(im)
        draw.rectangle((800, 0, 1600, 1200), fill=(20, 20, 220))
        draw.rectangle((0, 0, 400, 300), fill=(20, 220, 20))
        im.save("plain.jpg"); im.save("progressive.jpg", progressive=True); im.convert("CMYK").save("cmyk.jpg")
        exif = Image.Exif(); exif[0x112] = 6; im.rotate(90, expand=True).save("rotated.jpg", exif=exif)
        im.save("plain.png"); im.convert("P", palette=Image.ADAPTIVE).save("palette.png"); im.save("plain.tif")
        im.save("lzw.tif", compression="tiff_lzw"); im.save("plain.webp", quality=90)
        half = im.convert("RGBA"); ImageDraw.Draw(half).rectangle((1000, 900, 1600, 1200), fill=(0, 0, 0, 0)); half.save("alpha.png")
        frames = [im.resize((800, 600)), im.resize((800, 600)).rotate(180)]
        frames[0].save("animated.gif", save_all=True, append_images=frames[1:])
        Image.new("RGB", (1, 1), (220, 20, 20)).save("one.png"); Image.new("RGB", (30000, 200)).save("wide.jpg")
        im.resize((300, 225)).save("small.jpg"); im.convert("L").save("grey.jpg")
        for name, colour in [("red", (220, 20, 20)), ("green", (20, 200, 20)), ("blue", (20, 20, 220))]:
            Image.new("RGB", (800, 600), colour).save(name + ".jpg", quality=95, subsampling=0)
        noise = Image.effect_noise((1600, 1200), 60)
        for kind in ["jpg", "png", "webp"]:
            noise.save("noise." + kind); data = open("noise." + kind, "rb").read()
            open("cut." + kind, "wb").write(data[:len(data) // 2])
        def chunk(kind, data): return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        def png(width, height, *chunks, interlaced=0):
            header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, interlaced))
            return b"\x89PNG\r\n\x1a\n" + header + b"".join(chunks) + chunk(b"IEND", b"")
        open("bomb.png", "wb").write(png(100000, 100000, chunk(b"IDAT", zlib.compress(b"\0" * 100000))))
        open("heavy-interlaced.png", "wb").write(png(30000, 30000, chunk(b"IDAT", zlib.compress(b"\0" * 1000)), interlaced=1))
        packer = zlib.compressobj(1); text = b"".join(packer.compress(b"a" * (1 << 20)) for _ in range(1 << 10))
        text = chunk(b"zTXt", b"Comment\0\0" + text + packer.flush())
        open("text.png", "wb").write(png(64, 64, text, chunk(b"IDAT", zlib.compress((b"\0" + b"\x50" * 192) * 64))))
        data = bytearray(open("plain.jpg", "rb").read()); start = data.index(b"\xff\xc0"); data[start + 4] = 12
        open("12bit.jpg", "wb").write(data)
        data = bytearray(open("progressive.jpg", "rb").read()); start = data.index(b"\xff\xc2")
        data[start + 5:start + 9] = struct.pack(">HH", 20000, 30000); open("heavy.jpg", "wb").write(data)
        open("text.jpg", "w").write("a text\n" * 99)
        """#
}
