package import Apod
package import Files

/// `gallery` in the root: smaller copies of the pictures by year (`gallery/2026`), and what shows them in a browser.
package enum GalleryFolder {
    package static let name = "gallery"
    /// By it, the folder is known to be the mirror's, whatever others put into it.
    private static let mark = ".made-by-apod-mirror"

    /// Whether it is the mirror's, or there is none, or nothing but years in it.
    package static func isOwn(in root: Folder) throws(DiskError) -> Bool {
        guard let kind = try root.kind(of: name) else { return true }
        guard kind == .folder, let folder = try root.folder(name) else { return false }
        if try folder.facts(of: mark)?.isRegular == true { return true }
        return try folder.names().allSatisfy { $0.hasPrefix(".") || isYear($0) }
    }

    /// nil where there is none, or another's.
    package static func own(in root: Folder) throws(DiskError) -> Folder? {
        try isOwn(in: root) ? try root.folder(name) : nil
    }

    /// Made if it is missing; nil where it is another's.
    package static func make(in tree: Tree) throws(DiskError) -> Folder? {
        guard try isOwn(in: tree.root) else { return nil }
        let folder = try tree.root.makeFolder(name)
        if try folder.facts(of: mark) == nil {
            try Staged(Array("It goes with the setting `gallery = no`.\n".utf8), in: tree.unfinished, as: mark)
                .publish(in: folder, as: mark)
        }
        return folder
    }

    /// Takes it away when all that was made in it is gone. What others have put there stays.
    package static func removeIfDone(from root: Folder) throws(DiskError) {
        guard let folder = try own(in: root) else { return }
        if try folder.names().contains(where: { isYear($0) || $0 == data }) { return }
        try folder.remove(mark)
        try root.removeEmptyFolder(name)
    }

    /// What a browser reads of all days.
    package static let data = "data"

    package static func years(in folder: Folder) throws(DiskError) -> [(name: String, folder: Folder)] {
        try folder.folders(where: isYear)
    }

    private static func isYear(_ name: String) -> Bool { name.utf8.count == 4 && Int(name) != nil }
}

/// The smaller copies that are made of each picture.
package enum GallerySize: CaseIterable, Sendable {
    /// For grids.
    case small
    /// For phones and web pages.
    case large

    private var suffix: String {
        switch self {
        case .small: "480.webp"
        case .large: "1280.jpg"
        }
    }

    package func name(of day: Day) -> String { "\(day)-\(suffix)" }

    /// Below the root.
    package func path(of day: Day) -> String { "\(GalleryFolder.name)/\(day.year)/\(name(of: day))" }

    /// The day of a file that is called like one of them; nil for any other.
    package static func day(of name: String) -> Day? {
        guard let day = Day(String(decoding: name.utf8.prefix(10), as: UTF8.self)),
            allCases.contains(where: { $0.name(of: day) == name })
        else { return nil }
        return day
    }
}
