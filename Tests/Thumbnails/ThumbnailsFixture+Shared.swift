import Apod
import Files
import Glibc
import Store
import TestSupport
import Testing

@testable import Thumbnails

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

    /// What other programs read of the thumbnail of a file in a folder, as older or newer file managers find it: its size,
    /// its colours at the upper left and the right, and what it tells of its file.
    func thumbnail(of name: String, in folder: String, _ size: String = "large", old: Bool = false) async throws
        -> [String]
    {
        let path = "\(folder)/.sh_thumbnails/\(size)/\(sum(name, old: old)).png"
        return try await seen(path, [(0.1, 0.1), (0.9, 0.1)])
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
