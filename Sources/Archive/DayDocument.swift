package import Apod
package import Files
internal import Glibc

/// A day as its JSON file describes it, for anybody who can read the tree.
package struct DayDocument: Sendable {
    package let name: FileName
    private let kept: StoredMetadata

    /// The files that should be in the tree.
    package var files: [StoredFile] { kept.files }
    /// Whether `keep` or `max-total` deleted its files.
    package var isPruned: Bool { kept.isPruned }
    /// The files and records that a person does not want (`revert`).
    var setAside: Set<Digest> { kept.setAside }
    package var title: String { text("title") ?? "" }
    package var explanation: String { text("explanation") ?? "" }

    /// A member of the JSON that is a string.
    package func text(_ name: String) -> String? { kept.members[name]?.string }

    /// NASA's page of the day.
    package var permalink: String {
        let known = text("permalink").flatMap { WebAddress($0) }
        return known?.description ?? "https://apod.nasa.gov/apod/ap\(name.day.compact).html"
    }

    /// The upstream record, as it came.
    package var record: JSONText { kept.record }

    /// The picture, the video or the page that opens it; the poster if there is nothing else.
    package var view: StoredFile? { files.main ?? files.first }

    /// Whether the file is in the tree with its size. Anything else is not shown as the day's.
    package func has(_ file: StoredFile, in root: String) -> Bool {
        guard let folder = try? Tree.existingFolder(of: name.day, in: Folder.open(root)) else { return false }
        return (try? folder.has(file, as: name)) ?? false
    }

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

    /// nil also if the day's JSON cannot be read now.
    package static func of(_ name: FileName, in root: Folder) throws(StorageError) -> DayDocument? {
        do throws(StorageError) {
            guard let folder = try Tree.existingFolder(of: name.day, in: root) else { return nil }
            return try DayDocument(name, in: folder)
        } catch {
            guard error.isAboutPlace || error.code == EIO else { throw error }
            return nil
        }
    }

    /// The day of the newest picture, to which the `latest` links lead.
    package static func latest(root: String) throws(StorageError) -> Day? {
        let folder = try Folder.open(root)
        return LatestLinks.names.lazy.compactMap { LatestLinks.day(of: $0, in: folder) }.first
    }

    /// Returns nil if the file is not one of the mirror's.
    package init?(_ name: FileName, in folder: Folder) throws(StorageError) {
        guard let kept = try StoredMetadata(name, in: folder) else { return nil }
        (self.name, self.kept) = (name, kept)
    }
}
