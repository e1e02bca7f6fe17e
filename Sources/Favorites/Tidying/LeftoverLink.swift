internal import Apod
internal import Archive
internal import Catalog
internal import Files

/// A hidden thing that a kill has left between the steps of a `LinkExchange`: the new link, or what it replaces.
struct LeftoverLink {
    let name: Name
    let folder: Folder
    let album: Album
    let resolver: LinkResolver

    /// Deletes the leftover link if its place is empty or has a link to the same subject, or a copy. Any other gets its
    /// name back.
    func clear() throws(StorageError) {
        let original = LinkExchange.name(behind: name)
        let subject = try resolver.subject(ofNameless: name, in: folder, album)
        guard let original else {
            if subject != nil { try folder.remove(name) }
            return
        }
        let there = resolver.look(at: Place(original, in: album), in: folder)
        let subjectThere =
            there.finding == .copy ? try resolver.subject(ofNameless: original, in: folder, album) : there.subject
        if let subject, there.finding == .nothing || subjectThere == subject { return try folder.remove(name) }
        // `toNew` never overwrites what comes to this name meanwhile.
        let free = try free(like: original)
        do throws(StorageError) {
            try folder.rename(name, toNew: free)
        } catch {
            // NFS has no RENAME_NOREPLACE, but has hard links.
            guard error.isUnsupported else { throw error }
            try folder.makeHardLink(name, in: folder, as: free)
            try folder.remove(name)
        }
    }

    private func free(like original: Name) throws(StorageError) -> Name {
        var number = 1
        while try folder.facts(of: original.numbered(number)) != nil { number += 1 }
        return original.numbered(number)
    }
}
