package import Apod
internal import Files

/// Parses the upstream record in a day's JSON.
package typealias RecordReader = @Sendable (JSONText) -> Picture?

/// A day's JSON file read back, with the upstream record left unparsed.
struct StoredMetadata {
    let members: [String: JSONText]
    let document: [UInt8]
    let record: JSONText
    let files: [StoredFile]
    let downgraded: Bool
    let isPruned: Bool
    let fetched: Int
    let incomplete: Incomplete?
    let setAside: Set<Digest>

    /// In bytes. The upstream's answers are at most half as long.
    static let longest = 64 << 20

    /// Returns nil if the file is not one of the mirror's.
    init?(_ name: FileName, in folder: Folder) throws(StorageError) {
        let file = name.with(Metadata.suffix)
        guard let facts = try folder.facts(of: file), facts.isRegular, facts.bytes <= Self.longest,
            let bytes = try folder.file(file)?.contents(atMost: Self.longest)
        else { return nil }
        self.init(bytes, name: name)
    }

    init?(_ document: [UInt8], name: FileName) {
        guard let members = (try? JSONText(document))?.members, let record = members["upstream"],
            let mirror = members["mirror"]?.members, let files = mirror["files"]?.elements,
            let fetched = mirror["fetched"]?.moment
        else { return nil }
        let stored = files.compactMap { StoredFile($0, named: name) }
        guard stored.count == files.count, Set(stored.map(\.role)).count == stored.count else { return nil }
        (self.members, self.document, self.record) = (members, document, record)
        self.files = stored
        self.fetched = fetched
        downgraded = mirror["downgraded"]?.bool ?? false
        isPruned = mirror["pruned"]?.bool ?? false
        incomplete = Incomplete(mirror["incomplete"])
        setAside = Set(mirror["set_aside"]?.elements?.compactMap(\.digest) ?? [])
    }
}
