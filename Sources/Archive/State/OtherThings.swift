internal import Apod
internal import Files

/// The things in a folder that do not come from a mirror.
package enum OtherThings {
    /// Something beside which no mirror is begun; nil if there is none. Favorites and remains of a mirror are allowed.
    package static func first(in path: String) -> String? {
        guard !KnownRoots.isMirror(path), let root = try? Folder.open(path) else { return nil }
        let names = (try? root.names()) ?? []
        return names.filter { !$0.hasPrefix(".") && !isUsual($0) && !holdsOnlyDays($0, in: root) }.min()
    }

    /// Whether a name is one that mirrors, new disks, other systems or shares create.
    private static func isUsual(_ name: String) -> Bool {
        let name = name.lowercased()
        return name.hasPrefix("@") || name.hasPrefix("#") || name.hasPrefix("$")
            || name == "latest" || name.hasPrefix("latest.") || usual.contains(name)
    }

    private static let usual: Set<String> = [
        Tree.favorites, Tree.favoritesList, GalleryFolder.name, "index.html", Tree.feed, "lost+found", "aquota.user",
        "aquota.group", "system volume information", "recycler", "found.000", "lost.dir", "wpsettings.dat",
        "desktop.ini", "thumbs.db", "network trash folder", "temporary items", "icon\r",
    ]

    /// Whether a year holds nothing but months, and these nothing but names that begin with a day.
    private static func holdsOnlyDays(_ name: String, in root: Folder) -> Bool {
        guard FileName.isYear(name), let year = try? root.folder(name), let months = try? year.names() else {
            return false
        }
        return months.allSatisfy { month in
            guard FileName.isMonth(month) else { return month.hasPrefix(".") }
            // A month that cannot be read does not count.
            return ((try? year.folder(month)?.names()) ?? []).allSatisfy {
                $0.hasPrefix(".") || $0.hasPrefix("\(name)-\(month)-")
            }
        }
    }
}
