package import Apod
internal import Files

/// A thumbnail for file managers: `2026/11/.sh_thumbnails/large/MD5.png`, with the MD5 of the file's `uri`. The folder may
/// also be that of another list, or of a year in it.
package struct SharedThumbnail: Sendable, Equatable {
    /// The folder of its picture below the root.
    package let folder: String
    package let list: ListName?
    /// The days whose files the folder may have; all items for a list.
    package let days: ClosedRange<Day>
    package let size: String
    package let md5: String

    /// Reads the end of a path; nil if it is not such a thumbnail's.
    package init?(path: [UInt8]) {
        guard path.suffix(4).elementsEqual(".png".utf8) else { return nil }
        let parts = path.split(separator: UInt8(ascii: "/"))
        let ends = parts.suffix(3).map { String(decoding: $0, as: UTF8.self) }
        guard parts.count > 4, ends[0] == Tree.sharedThumbnails, ["normal", "large"].contains(ends[1]),
            ends[2].utf8.count == 36
        else { return nil }
        size = ends[1]
        md5 = String(ends[2].dropLast(4))
        let above = parts.dropLast(3)
        let names = above.suffix(2).map { String(decoding: $0, as: UTF8.self) }
        // Every month has a 28th, also the first month of APOD.
        if let month = Day("\(names[0])-\(names[1])-28") {
            (folder, list, days) = (month.folder, nil, month.advanced(by: -27)...month.advanced(by: 3))
        } else if let list = ListName(atEndOf: above) {
            (folder, self.list, days) = (list.path(), list, Day.items)
        } else if FileName.isYear(names[1]), let list = ListName(atEndOf: above.dropLast()) {
            (folder, self.list, days) = (list.path(names[1]), list, Day.items)
        } else {
            return nil
        }
    }

    /// The path below the root.
    package var path: String { "\(folder)/\(Tree.sharedThumbnails)/\(size)/\(md5).png" }

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
