/// The name of a sidecar: the whole name of a picture or video, and a suffix (`2026-11-20 Orion Rising.jpg.xmp`).
///
/// Always below 255 bytes, as `FileName` leaves room.
package struct SidecarName: Hashable, Sendable, CustomStringConvertible {
    /// That of the day, or of the item.
    package let name: FileName
    /// The name of the picture or video.
    package let file: String

    private static let suffix = "xmp"

    /// nil for a page: no program looks for its sidecar.
    package init?(of file: StoredFile, named name: FileName) {
        guard file.type.kind != .page else { return nil }
        self.name = name
        self.file = name.with(file)
    }

    /// A name as found on the disk; nil for any other.
    package init?(_ text: String, of list: ListName? = nil) {
        guard text.utf8.reversed().starts(with: ".\(Self.suffix)".utf8.reversed()),
            let file = FileName.parts(of: text)?.stem, let parts = FileName.parts(of: file),
            MediaType.allCases.contains(where: { $0.suffix == parts.suffix && $0.kind != .page }),
            let name = FileName(stem: parts.stem, of: list)
                ?? FileName(stem: FileName.splitting(parts.stem).front, of: list)
        else { return nil }
        self.name = name
        self.file = file
    }

    package var description: String { "\(file).\(Self.suffix)" }

    /// Of a further picture, a name that is read back has the picture's number, which may be a part of the title.
    package static func == (one: SidecarName, other: SidecarName) -> Bool { one.file == other.file }
    package func hash(into hasher: inout Hasher) { hasher.combine(file) }
}
