internal import Apod
internal import Catalog
internal import Files

/// A hidden thing that a kill has left between the steps of a `Replacement`: the link that was to come, or what it came
/// for.
struct LeftoverLink {
    let name: Name
    let folder: Folder
    let album: Album
    let resolver: LinkResolver

    /// What there is of it elsewhere goes. What may be the only one gets its name back.
    func clear() throws(StorageError) {
        let original = Replacement.name(behind: name)
        let day = try resolver.day(ofNameless: name, in: folder, album)
        let there = original.map { resolver.look(at: Place($0, in: album), in: folder) }
        if let day, there?.finding ?? .nothing == .nothing || there?.day == day {
            return try folder.remove(name)
        }
        guard let original else { return }
        // It takes nobody's place, whoever is quicker.
        let free = try free(like: original)
        do throws(StorageError) {
            try folder.rename(name, toNew: free)
        } catch {
            // NFS cannot do that, but has other names for the same.
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
