internal import Apod
internal import Archive
internal import Catalog
internal import Files
import Glibc
import Synchronization
internal import Watching

extension Reconciler {
    /// Remembers what had to stay as it is after some work, and tells of it in the catalog.
    func rememberUnwritable(_ unwritable: Unwritable, after work: DirtyPaths) throws(StorageError) {
        let (all, told) = state.withLock { state in
            if case .places(let places) = work {
                state.unwritable.update(places, with: unwritable)
            } else {
                state.unwritable = unwritable
            }
            return (state.unwritable, state.toldUnwritable)
        }
        let words = words(for: all) ?? ""
        if told == words { return }
        try catalog.setRemark(.unwritable, words.isEmpty ? nil : words)
        state.withLock { ($0.toldUnwritable, $0.isNews) = (words, true) }
    }

    /// A line for each album.
    private func words(for unwritable: Unwritable) -> String? {
        let albums = unwritable.albums.sorted { $0.key.path.lexicographicallyPrecedes($1.key.path) }
        return FolderRemark.text(albums, others: unwritable.otherAlbums) { line(for: $0.key, $0.value) }
    }

    private func line(for album: Album, _ unwritable: Unwritable.Count) -> String {
        let favorites = tree.root.path(of: Tree.favorites)
        let path = album == .top ? favorites : "\(favorites)/\(String(decoding: album.path, as: UTF8.self))"
        let count = unwritable.things
        let things = count == 1 ? "1 link or copy stays as it is" : "\(count) links or copies stay as they are"
        let facts = try? tree.root.favorites(album)?.facts()
        return "\(Text.shown(path)): \(things), \(Self.reason(unwritable.codes, path, facts))"
    }

    /// Why, and what to do.
    private static func reason(_ codes: Set<Int32>, _ path: String, _ facts: File.Facts?) -> String {
        let folder = Text.quoted(path)
        if codes.contains(EACCES) {
            return "as the service may not write there; \(commands(opening: path, facts))"
        }
        if let facts, facts.permissions & 0o1000 != 0 {
            return "as the folder's sticky bit keeps others' things in their places; "
                + "`sudo chmod -t \(folder)` lets the service replace them"
        }
        return "as nobody may change anything there: where `lsattr -d \(folder)` shows an i or an a, "
            + "`sudo chattr -ia \(folder)` helps; some disks have no links at all"
    }

    /// What lets the service, which is this user with this group, write in a folder. Whoever owns it needs no sudo, unless
    /// it is to go to a group that they are not in.
    static func commands(
        opening path: String, _ facts: File.Facts?, for user: UInt32 = geteuid(), _ group: UInt32 = getegid()
    ) -> String {
        let (folder, owner) = (Text.quoted(path), facts.map(FileOwner.init))
        let isOwn = facts.map { $0.owner == user && $0.permissions & 0o300 != 0o300 } ?? false
        var commands = ["chmod \(isOwn ? "u+rwx" : "g+rwxs") \(folder)"]
        if !isOwn, owner?.group != group { commands.insert("chgrp \(FileOwner.name(ofGroup: group)) \(folder)", at: 0) }
        if let owner, owner.isPerson, isOwn || owner.isMember(of: group) {
            return "as \(owner.name), `\(commands.joined(separator: " && "))` lets it"
        }
        return "`\(commands.map { "sudo \($0)" }.joined(separator: " && "))` lets it"
    }
}
