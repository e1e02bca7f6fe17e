package import Apod
package import Files

/// A day as its JSON file tells of it, to anybody who may read in the tree.
package struct DayDocument: Sendable {
    package let name: FileName
    private let kept: StoredMetadata

    /// Those that should stand beside it.
    package var files: [StoredFile] { kept.files }
    /// Its files were deleted.
    package var isPruned: Bool { kept.isPruned }
    package var title: String { text("title") ?? "" }
    package var explanation: String { text("explanation") ?? "" }

    /// One of the members that are text.
    package func text(_ name: String) -> String? { kept.members[name]?.string }

    /// The record that it was read from.
    package var record: JSONText { kept.record }

    /// The picture, the video or the page that opens it; where there is nothing else, the poster.
    package var view: StoredFile? { files.main ?? files.first }

    /// Whether one of the files is there as it was. What stands in its place otherwise is not shown as the day's.
    package func has(_ file: StoredFile, in root: String) -> Bool {
        guard let folder = try? Tree.existingFolder(of: name.day, in: Folder.open(root)) else { return false }
        return (try? folder.has(file, as: name)) ?? false
    }

    /// nil if there is nothing of the day in this root.
    package static func of(_ day: Day, root: String) throws(StorageError) -> DayDocument? {
        guard let folder = try Tree.existingFolder(of: day, in: Folder.open(root)) else { return nil }
        var refusal: StorageError?
        for name in try Tree.days(in: folder).filter({ $0.day == day }).sorted(by: { $0.stem < $1.stem }) {
            do throws(StorageError) {
                if let document = try DayDocument(name, in: folder) { return document }
            } catch {
                refusal = error
            }
        }
        if let refusal { throw refusal }
        return nil
    }

    /// The same of a day whose name is known.
    package static func of(_ name: FileName, in root: Folder) throws(StorageError) -> DayDocument? {
        guard let folder = try Tree.existingFolder(of: name.day, in: root) else { return nil }
        return try DayDocument(name, in: folder)
    }

    /// The day of the newest picture, where `latest` leads.
    package static func latest(root: String) throws(StorageError) -> Day? {
        let folder = try Folder.open(root)
        return LatestLinks.names.lazy.compactMap { LatestLinks.day(of: $0, in: folder) }.first
    }

    /// nil for what is not one of the mirror's JSON files.
    private init?(_ name: FileName, in folder: Folder) throws(StorageError) {
        guard let kept = try StoredMetadata(name, in: folder) else { return nil }
        (self.name, self.kept) = (name, kept)
    }
}
