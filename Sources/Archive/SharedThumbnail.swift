package import Apod
internal import Files

/// What file managers show for a file: `2026/11/.sh_thumbnails/large/MD5.png`, the MD5 being that of the file's name.
package struct SharedThumbnail: Sendable, Equatable {
    /// Any day of its month.
    package let month: Day
    package let size: String
    package let md5: String

    static let sizes = ["normal", "large"]

    /// From a path that ends with one; nil for any other.
    package init?(path: [UInt8]) {
        guard path.suffix(4).elementsEqual(".png".utf8) else { return nil }
        let parts = path.split(separator: UInt8(ascii: "/")).suffix(5).map { String(decoding: $0, as: UTF8.self) }
        // All months of APOD have a day of this number.
        guard parts.count == 5, let month = Day("\(parts[0])-\(parts[1])-28"), parts[2] == Tree.sharedThumbnails,
            Self.sizes.contains(parts[3]), parts[4].utf8.count == 36
        else { return nil }
        self.month = month
        size = parts[3]
        md5 = String(parts[4].dropLast(4))
    }

    /// Below the root.
    package var path: String { "\(month.folder)/\(Tree.sharedThumbnails)/\(size)/\(md5).png" }

    package func isOf(_ file: String) -> Bool { Self.digests(of: file.utf8).contains(md5) }

    /// The address of a file in its own folder, as GLib writes it (g_filename_to_uri).
    package static func uri(of file: some Sequence<UInt8>) -> String {
        "./" + Percent.encoded(bytes: file) { !plain.contains($0) }
    }

    private static let plain = ASCIISet(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,=:@")

    /// As Xfce's libraries up to 4.18 call it, and since.
    package static func digests(of file: some Sequence<UInt8>) -> [String] {
        let uri = Array(uri(of: file).utf8)
        return [uri.dropFirst(2), uri[...]].map { MD5.text(of: Array($0)) }
    }
}
