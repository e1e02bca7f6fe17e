/// A file in a day's JSON and in the published index.
extension StoredFile {
    package func json(named name: FileName) -> JSON {
        .sparse([
            ("name", .string(name.with(self))),
            ("role", .string(role.word)),
            ("url", .string("\(address)")),
            ("bytes", .integer(bytes)),
            ("sha256", .string("\(sha256)")),
            ("type", .string(type.rawValue)),
            ("width", JSON.optional(width)),
            ("height", JSON.optional(height)),
            ("former", isFormer ? .bool(true) : nil),
            ("alt", alt.map(JSON.string)),
            ("rollover", isRollover ? .bool(true) : nil),
            ("neighbour", isOfNeighbour ? .bool(true) : nil),
            ("etag", (validators?.etag).map(JSON.string)),
            ("modified", (validators?.modified).map(JSON.string)),
        ])
    }

    /// The largest size that is believed, so that sums do not overflow.
    private static let largest = 1 << 42

    /// nil unless it is a file of that name.
    package init?(_ text: JSONText, named name: FileName) {
        guard let members = text.members, let file = members["name"]?.string,
            let number = FileName.parts(of: file).flatMap({ name.number(inStem: $0.stem) }),
            let role = (members["role"]?.string).flatMap({ Role($0, number: number) }),
            let type = (members["type"]?.string).flatMap(MediaType.init),
            let address = (members["url"]?.string).flatMap({ WebAddress($0) }), let bytes = members["bytes"]?.integer,
            0...Self.largest ~= bytes, let sha256 = members["sha256"]?.digest
        else { return nil }
        self.init(
            role: role, type: type, address: address, bytes: bytes, sha256: sha256, width: members["width"]?.integer,
            height: members["height"]?.integer, isFormer: members["former"]?.bool ?? false,
            alt: members["alt"]?.string, isRollover: members["rollover"]?.bool ?? false,
            isOfNeighbour: members["neighbour"]?.bool ?? false,
            validators: Validators(etag: members["etag"]?.string, modified: members["modified"]?.string))
        guard name.with(self) == file else { return nil }
    }
}
