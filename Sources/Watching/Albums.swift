package import Files

/// The folders in a folder that the person sees, one after the other: there may be more than fits in memory.
package final class Albums {
    private let folder: Folder
    private let entries: Entries

    package init(in folder: Folder) throws(DiskError) {
        self.folder = folder
        entries = try Entries(of: folder)
    }

    /// nil when that was all.
    package func next() throws(DiskError) -> Name? {
        while let (name, kind) = try entries.next() {
            if name.isHidden { continue }
            let kind = if let kind { kind } else { try folder.kind(of: name) }
            if kind == .folder { return name }
        }
        return nil
    }
}
