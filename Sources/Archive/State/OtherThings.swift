internal import Files

/// What is in a folder and is no mirror's.
package enum OtherThings {
    /// Something in a folder without a mirror that no mirror is begun beside; nil where one may be begun. Favorites, and
    /// what was left of a mirror, may be there first.
    package static func first(in path: String) -> String? {
        guard !KnownRoots.isMirror(path), let root = try? Folder.open(path) else { return nil }
        let names = (try? root.names()) ?? []
        return names.filter { !$0.hasPrefix(".") && !isUsual($0) && !holdsOnlyDays($0, in: root) }.min()
    }

    /// The mirror itself makes such things, or new disks, other systems and shares do.
    private static func isUsual(_ name: String) -> Bool {
        let name = name.lowercased()
        return name.hasPrefix("@") || name.hasPrefix("#") || name.hasPrefix("$")
            || name == "latest" || name.hasPrefix("latest.") || usual.contains(name)
    }

    private static let usual: Set<String> = [
        Tree.favorites, Tree.favoritesList, GalleryFolder.name, "index.html", "feed.xml", "lost+found", "aquota.user",
        "aquota.group", "system volume information", "recycler", "found.000", "lost.dir", "wpsettings.dat",
        "desktop.ini", "thumbs.db", "network trash folder", "temporary items", "icon\r",
    ]

    /// A year without anything but months, in which nothing is but what begins with a day.
    private static func holdsOnlyDays(_ name: String, in root: Folder) -> Bool {
        guard Tree.isYear(name), let year = try? root.folder(name), let months = try? year.names() else { return false }
        return months.allSatisfy { month in
            guard month.utf8.count == 2, Int(month) != nil else { return month.hasPrefix(".") }
            // What may not be looked into is told of as that.
            return ((try? year.folder(month)?.names()) ?? []).allSatisfy {
                $0.hasPrefix(".") || $0.hasPrefix("\(name)-\(month)-")
            }
        }
    }
}
