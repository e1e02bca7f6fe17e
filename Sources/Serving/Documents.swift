internal import Apod
internal import Files

/// Days' JSON files, as they lie in the tree.
struct Documents {
    let root: Folder

    private static let longest = 8 << 20

    /// nil where the file is away or damaged.
    func members(of day: IndexedDay) -> [String: JSONText]? {
        let path = "\(day.name.folder)/\(day.name.with(Metadata.suffix))"
        guard case .file(let file)? = try? root.content(below: path),
            let bytes = try? file.contents(atMost: Self.longest)
        else { return nil }
        return (try? JSONText(bytes))?.members
    }
}
