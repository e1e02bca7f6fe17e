import Apod
import Files
import Glibc
import Store

/// Puts what is in the favorites folder in order: links become relative, copies become links, and a picture that was
/// moved here goes back to its place. What is not understood is not touched.
extension Keeper {
    /// What was done in one go.
    private struct Tidied {
        /// Albums in which something may have been replaced.
        var touched: Set<Album> = []
        /// What was replaced, also by its old name.
        var changed: Set<Place> = []
        var renamed: [(link: Link, name: Name)] = []
        /// Albums in which a change was refused, with the last error codes (errno(3)).
        var unwritable: [Album: Int32] = [:]
        /// A full or failing disk: the work must be done again. After other errors, it waits for the next scan.
        var failure: (any Error)?
    }

    /// How long it goes on though the bell has rung: each link that it changes rings it.
    private static let longestStep = Duration.milliseconds(50)

    func tidy(until isRung: @Sendable () -> Bool) throws {
        var tidied = Tidied()
        if queue.isEmpty { swap(&queue, &work) }
        let albums = Dictionary(grouping: queue.keys, by: \.album)
        let pause = ContinuousClock.now + Self.longestStep
        func mustPause() -> Bool { listing.isStopped() || .now > pause && isRung() }
        for (album, all) in albums where tidied.failure == nil {
            do {
                let folder = try root.favorites(album)
                for place in all where tidied.failure == nil && !mustPause() {
                    guard let work = queue.removeValue(forKey: place), let folder else { continue }
                    do { try put(place, work, in: folder, &tidied) } catch {
                        if error.problem.isRefusal || !(error.problem.isGeneral || error.problem.isAway) { continue }
                        (queue[place], tidied.failure) = (work, error)
                    }
                }
            } catch {
                if !error.problem.isRefusal, error.problem.isGeneral || error.problem.isAway {
                    tidied.failure = error
                } else {
                    for place in all { queue[place] = nil }
                }
            }
        }
        try self.albums.sync(tidied.touched)
        // The mirror has renamed these links: nobody has removed them.
        try favorites.append(
            tidied.renamed.flatMap { link, name in
                favorites.links(at: link.place).filter { $0.link.key == link.key }.map { known in
                    HistoryLine(
                        .moved, Link(Place(name, in: link.place.album), to: link.key, file: known.link.file),
                        at: clock(), from: link.place, isLink: known.isLink)
                }
            })
        state.stay(at: Set(tidied.renamed.map(\.link.place)))
        if !tidied.changed.isEmpty { try see(.places(tidied.changed)) }
        for album in tidied.touched { unwritable[album] = tidied.unwritable[album] }
        if try catalog.setUnwritable(unwritable) { isNews = true }
        if let failure = tidied.failure { throw failure }
    }

    /// Puts one place in order. It stays as it is in a read-only folder and on a disk without links.
    private func put(_ place: Place, _ work: Visit, in folder: Folder, _ tidied: inout Tidied) throws {
        guard let facts = try folder.facts(of: place.name) else { return }
        let sighting = listing.look(at: place, in: folder, facts: facts)
        switch sighting.finding {
        case .leftover:
            tidied.touched.insert(place.album)
            try clear(place, in: folder)
        case .copy: try compare(sighting, work, facts, in: folder, &tidied)
        case .unknown(let error): throw error
        default:
            guard let tidying = sighting.isLink ? try tidying(ofLink: sighting) : sighting.original.map(sighting.link)
            else { return }
            try record(sighting, facts)
            try carryOut(tidying, sighting, facts, in: folder, &tidied)
        }
    }

    private func tidying(ofLink sighting: Sighting) throws -> Tidying? {
        guard !sighting.isTidy, let key = sighting.key else { return nil }
        let place = sighting.place
        let here = try listing.meant(by: key, at: place)
        guard let stored = try catalog.item(of: here ?? key)?.whole else { return nil }
        if let here {
            return stored.view.map { Tidying(target: LinkTarget.own($0, of: here, in: place.album.depth)) }
        }
        // An untidy link of the mirror's own form leads to nothing; others have a file only if it is there.
        return sighting.tidying(stored: stored, hasFile: !sighting.isOwn)
    }

    private func carryOut(
        _ tidying: Tidying, _ sighting: Sighting, _ facts: File.Facts, in folder: Folder, _ tidied: inout Tidied
    ) throws {
        guard let key = sighting.key else { return }
        var place = sighting.place
        if let name = tidying.name, try isInPlace(folder, place.album) {
            place = try rename(
                Link(place, to: key), like: name, leadingTo: tidying.target, in: folder, &tidied)
        }
        tidied.touched.insert(place.album)
        do {
            let isDone = try LinkExchange(name: place.name, facts: facts, folder: folder).link(to: tidying.target) {
                () throws in try isInPlace(folder, place.album)
            }
            if isDone { tidied.changed.insert(place) }
        } catch {
            if error.problem.isRefusal { tidied.unwritable[place.album] = error.problem.errorNumber }
            throw error
        }
    }

    /// Returns false if somebody has moved the folder meanwhile, perhaps out of the mirror.
    private func isInPlace(_ folder: Folder, _ album: Album) throws -> Bool {
        try root.favorites(album)?.identity() == folder.identity()
    }

    /// Renames a link that asks for a day, before its target is changed: after a kill in between, it still asks for it.
    /// `target`: the new one. Returns the link's place.
    private func rename(
        _ link: Link, like name: Name, leadingTo target: String, in folder: Folder, _ tidied: inout Tidied
    ) throws -> Place {
        let place = link.place
        tidied.touched.insert(place.album)
        var number = 1
        while true {
            let new = name.numbered(number)
            do { try folder.rename(place.name, toNew: new) } catch {
                // The link keeps its name where it cannot be renamed without overwriting.
                if error.problem.isFull || error.problem.isAway || error.problem.isOfProcess { throw error }
                guard error.problem.errorNumber == EEXIST else { return place }
                // A repeated request keeps its name, or there would be a link for each number.
                if (try? folder.readTarget(of: new)) == target.bytes { return place }
                number += 1
                continue
            }
            tidied.renamed.append((link, new))
            tidied.changed.formUnion([place, Place(new, in: place.album)])
            return Place(new, in: place.album)
        }
    }

    private func compare(
        _ sighting: Sighting, _ work: Visit, _ facts: File.Facts, in folder: Folder, _ tidied: inout Tidied
    ) throws {
        let place = sighting.place
        func rest() {
            let isTouched = work.isTouched || self.work[place]?.isTouched ?? false
            self.work[place] = Visit(isTouched: isTouched, rested: facts)
        }
        // While the file is open, no other file can get its inode.
        guard work.rested == facts, let file = try folder.file(place.name) else { return rest() }
        defer { withExtendedLifetime(file) {} }
        var sighting = sighting
        guard let copied = try listing.original(of: file, named: place.name) else {
            sighting.finding = .unrecognised(.file)
            // A known copy of a picture that was corrected stays, unless somebody has changed it.
            if work.isTouched || favorites.links(at: place).isEmpty { try record(sighting, facts) }
            return
        }
        let original = copied.original
        guard archive.keyLocks.lockIfFree(original.key) else { return rest() }
        defer { archive.keyLocks.unlock(original.key) }
        // The day's files may have changed during the comparison.
        guard try listing.copied(place.name, bytes: facts.bytes).contains(copied) else { return rest() }
        sighting.finding = .favorite(original.key, file: original.name)
        try record(sighting, facts)
        if copied.copy == nil { try putBack(original, from: file) }
        try carryOut(sighting.link(to: original), sighting, facts, in: folder, &tidied)
    }

    /// Restores a picture that was moved out of the tree, or is damaged there. A hard link would do with less room, but the
    /// file's owner could change it.
    private func putBack(_ original: TreeFile, from file: File) throws {
        let (folder, unfinished) = (try archive.tree.folder(original.key.folder), archive.tree.unfinished)
        let isStopped = listing.isStopped
        if try folder.has(original.name, bytes: original.bytes, sha256: original.sha256, unless: isStopped) { return }
        let temporary = "back \(original.name)"
        do {
            try unfinished.remove(temporary)
            let copy = try unfinished.makeFile(temporary)
            try copy.append(file, unless: isStopped)
            guard try Digest(of: copy, unless: isStopped) == original.sha256 else {
                throw Problem("copy", file.path, code: EIO)
            }
            let modified = if let noon = original.key.noon { noon } else { try file.facts().modified }
            let staged = try Staged(copy, in: unfinished, as: temporary, bytes: original.bytes, modified: modified)
            try archive.setAside(original.name, in: folder)
            try staged.publishDurably(in: folder, as: original.name)
        } catch {
            try? unfinished.remove(temporary)
            throw error
        }
    }

    /// Deletes what a kill left between the steps of a `LinkExchange`, if its place is empty or has a link to the same
    /// key, or a copy. Any other gets its name back.
    private func clear(_ place: Place, in folder: Folder) throws {
        let (name, album) = (place.name, place.album)
        let key = try listing.key(ofNameless: name, in: folder, album)
        guard let original = LinkExchange.name(behind: name) else {
            if key != nil { try folder.remove(name) }
            return
        }
        let there = listing.look(at: Place(original, in: album), in: folder)
        let keyThere =
            there.finding == .copy ? try listing.key(ofNameless: original, in: folder, album) : there.key
        if let key, there.finding == .nothing || keyThere == key { return try folder.remove(name) }
        var number = 1
        while try folder.facts(of: original.numbered(number)) != nil { number += 1 }
        // Never overwrites what comes to this name meanwhile.
        try folder.move(name, toNew: original.numbered(number))
    }
}

/// The link that takes the place of a thing in the favorites folder, to put it in order.
struct Tidying: Equatable {
    let target: String
    /// The link's new name, perhaps with a number.
    var name: Name?
}

extension Sighting {
    /// For a link that is not tidy; nil if it is in order, or not the mirror's to change. `stored`: its day or
    /// item. `hasFile`: the file that it names is here.
    func tidying(stored: Item.Stored, hasFile: Bool) -> Tidying? {
        guard let key, let target else { return nil }
        let named = target.namesFile && hasFile ? self.file : nil
        // A link that asks for the day waits for its picture: led to the JSON or a poster, it would stay there. One that
        // names a further picture waits for that.
        let number = target.number(in: stored.name)
        let further = stored.files.first { $0.role.number == number && number > 1 }
        if named == nil, further == nil, number > 1, stored.lacks > 0 { return nil }
        guard
            let file = named ?? further.map(stored.name.with) ?? (target.key == key ? stored.view : stored.main)
        else { return nil }
        let new = LinkTarget.own(file, of: key, in: place.album.depth)
        if new.utf8.elementsEqual(target.bytes) { return nil }
        // A request that is called by its date gets the picture's name.
        let front = key.front.utf8
        let isWish = place.name.bytes.elementsEqual(front) && target.name.elementsEqual(front)
        return Tidying(target: new, name: isWish ? Name(file) : nil)
    }

    /// For a file that is, or has the content of, one in the tree.
    func link(to original: TreeFile) -> Tidying {
        Tidying(target: LinkTarget.own(original.name, of: original.key, in: place.album.depth))
    }
}
