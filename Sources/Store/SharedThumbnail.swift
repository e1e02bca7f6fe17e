import Apod
import Files

/// The names of thumbnails for file managers: `2026/11/.sh_thumbnails/large/MD5.png`, with the MD5 of the file's `uri`.
package enum SharedThumbnail {
    /// The address of a file in its own folder, as GLib writes it (g_filename_to_uri).
    package static func uri(of file: some Sequence<UInt8>) -> String {
        "./" + Percent.encoded(bytes: file) { !plain.contains($0) }
    }

    private static let plain = ASCIISet(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,=:@")

    /// The MD5 as Xfce's libraries compute it up to 4.18 (without `./`), and since.
    package static func digests(of file: some Sequence<UInt8>) -> [String] {
        let uri = uri(of: file).bytes
        return [uri.dropFirst(2), uri[...]].map { MD5.text(of: Array($0)) }
    }
}
