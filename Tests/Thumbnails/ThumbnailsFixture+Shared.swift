import Apod
import Archive
import Catalog
import Files
import Glibc
import TestSupport
import Testing

@testable import Thumbnails

/// A thumbnail as other programs read it.
struct SharedFile: Equatable {
    let size: [Int]
    /// At the upper left, and at the right.
    let colours: String
    let uri: String
    let modified: String
    let software: String
}

extension ThumbnailsFixture {
    /// All in `.sh_thumbnails` of a folder, by their paths in it.
    func shared(_ folder: String) async throws -> [String] {
        try await lines("cd \(folder)/.sh_thumbnails && find . -type f -printf '%P\\n' | sort")
    }

    /// What there should be for some files of a folder.
    func expected(_ names: String...) -> [String] {
        let sums = names.flatMap { [sum($0, old: true), sum($0)] }
        return ["large", "normal"].flatMap { size in sums.map { "\(size)/\($0).png" } }.sorted()
    }

    private func sum(_ name: String, old: Bool = false) -> String {
        MD5.text(of: Array(((old ? "" : "./") + name.replacing(" ", with: "%20")).utf8))
    }

    private static let reader = """
        import sys
        from PIL import Image
        image = Image.open(sys.argv[1]); image.load(); w, h = image.size
        pixels = [image.convert("RGB").getpixel(p) for p in [(w // 10, h // 10), (w - 1 - w // 10, h // 10)]]
        print(w, h, "".join("rgb"[p.index(max(p))] for p in pixels), *(image.text[k] for k in ["Thumb::URI", "Thumb::MTime", "Software"]))
        """

    func read(_ path: String) async throws -> SharedFile? {
        let told = try await Program.run("/usr/bin/python3", ["-c", Self.reader, self[path]])
        let words = told.output.split(whereSeparator: \.isWhitespace).map(String.init)
        guard words.count == 6 else { return nil }
        return SharedFile(
            size: words[0..<2].compactMap { Int($0) }, colours: words[2], uri: words[3], modified: words[4],
            software: words[5])
    }

    /// The thumbnail of a file in a folder, as older or newer file managers find it.
    func thumbnail(of name: String, in folder: String, _ size: String = "normal", old: Bool = false) async throws
        -> SharedFile?
    {
        try await read("\(folder)/.sh_thumbnails/\(size)/\(sum(name, old: old)).png")
    }

    /// Where something in the mirror is.
    subscript(path: String) -> String { mirror[path] }

    func shell(_ script: String) async throws -> Program.Outcome {
        try await Program.run("/bin/sh", ["-c", "cd \"$1\" && \(script)", "sh", root])
    }

    func lines(_ script: String) async throws -> [String] {
        try await shell(script).output.split(separator: "\n").map(String.init)
    }
}
