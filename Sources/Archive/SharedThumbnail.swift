package import Apod
internal import Files

/// A thumbnail for file managers: `2026/11/.sh_thumbnails/large/MD5.png`, with the MD5 of the file's `uri`.
package struct SharedThumbnail: Sendable, Equatable {
    /// The 28th of its month.
    package let month: Day
    package let size: String
    package let md5: String

    /// Reads the end of a path; nil if it is not such a thumbnail's.
    package init?(path: [UInt8]) {
        guard path.suffix(4).elementsEqual(".png".utf8) else { return nil }
        let parts = path.split(separator: UInt8(ascii: "/")).suffix(5).map { String(decoding: $0, as: UTF8.self) }
        // Every month has a 28th, also the first month of APOD.
        guard parts.count == 5, let month = Day("\(parts[0])-\(parts[1])-28"), parts[2] == Tree.sharedThumbnails,
            ["normal", "large"].contains(parts[3]), parts[4].utf8.count == 36
        else { return nil }
        self.month = month
        size = parts[3]
        md5 = String(parts[4].dropLast(4))
    }

    /// The path below the root.
    package var path: String { "\(month.folder)/\(Tree.sharedThumbnails)/\(size)/\(md5).png" }

    package func isOf(_ file: String) -> Bool { Self.digests(of: file.utf8).contains(md5) }

    /// The address of a file in its own folder, as GLib writes it (g_filename_to_uri).
    package static func uri(of file: some Sequence<UInt8>) -> String {
        "./" + Percent.encoded(bytes: file) { !plain.contains($0) }
    }

    private static let plain = ASCIISet(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,=:@")

    /// The MD5 as Xfce's libraries compute it up to 4.18 (without `./`), and since.
    package static func digests(of file: some Sequence<UInt8>) -> [String] {
        let uri = Array(uri(of: file).utf8)
        return [uri.dropFirst(2), uri[...]].map { MD5.text(of: Array($0)) }
    }
}
