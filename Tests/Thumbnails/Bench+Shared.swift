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

extension Bench {
    /// All in `.sh_thumbnails` of a folder, by their paths in it.
    func shared(_ folder: String) async throws -> [String] {
        let script = "cd \"$1\" && cd .sh_thumbnails && find . -type f -printf '%P\\n' | sort"
        let found = try await Program.run("/bin/sh", ["-c", script, "sh", "\(root)/\(folder)"])
        return found.output.split(separator: "\n").map(String.init)
    }

    /// What there should be for some files of a folder.
    func expected(_ names: String...) async throws -> [String] {
        var paths: [String] = []
        for name in names {
            for form in [encoded(name), "./\(encoded(name))"] {
                let sum = try await Program.run("/bin/sh", ["-c", "printf %s \"$1\" | md5sum", "sh", form])
                paths += ["normal", "large"].map { "\($0)/\(sum.output.prefix(32)).png" }
            }
        }
        return paths.sorted()
    }

    private func encoded(_ name: String) -> String { name.replacing(" ", with: "%20").replacing("#", with: "%23") }

    private static let reader = """
        import sys
        from PIL import Image
        image = Image.open(sys.argv[1]); image.load(); w, h = image.size
        pixels = [image.convert("RGB").getpixel(p) for p in [(w // 10, h // 10), (w - 1 - w // 10, h // 10)]]
        print(w, h, "".join("rgb"[p.index(max(p))] for p in pixels), *(image.text[k] for k in ["Thumb::URI", "Thumb::MTime", "Software"]))
        """

    func read(_ path: String) async throws -> SharedFile? {
        let told = try await Program.run("/usr/bin/python3", ["-c", Self.reader, "\(root)/\(path)"])
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
        let sum = try await Program.run(
            "/bin/sh", ["-c", "printf %s \"$1\" | md5sum", "sh", (old ? "" : "./") + encoded(name)])
        return try await read("\(folder)/.sh_thumbnails/\(size)/\(sum.output.prefix(32)).png")
    }

    func path(_ path: String) -> String { "\(root)/\(path)" }

    func shell(_ script: String, _ words: String...) async throws -> Program.Outcome {
        try await Program.run("/bin/sh", ["-c", "cd \"$1\" && \(script)", "sh", root] + words)
    }
}
