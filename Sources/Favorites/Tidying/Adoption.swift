internal import Apod
internal import Archive
internal import Catalog
internal import Files
import Glibc

/// Puts what is in the favorites folder in order: links become relative, copies become links, and a picture that was
/// moved here goes back to its place. Does not touch what it does not understand.
struct Adoption {
    let archive: Archive
    let resolver: LinkResolver
    let raceHook: RaceHook

    private var tree: Tree { archive.tree }

    /// Called with what a thing is before it is put in order.
    typealias Recording = (Sighting, File.Facts) throws(StorageError) -> Void

    struct Outcome {
        fileprivate let resting: [Place: File.Facts]
        /// Files to compare later: somebody may still be writing them or setting their times, or their day is changing.
        fileprivate(set) var later: [Place: File.Facts] = [:]
        /// Albums in which something may have been replaced.
        fileprivate(set) var touched: Set<Album> = []
        /// Links that lead to another file than before, by their old and new names, and links that were copies.
        fileprivate(set) var changed: Set<Place> = []
        fileprivate(set) var renamed: [(link: Link, name: Name)] = []
        /// A full or failing disk: the work must be done again.
        fileprivate(set) var failure: StorageError?
        /// Albums in which a change was refused, with the last error codes (errno(3)).
        fileprivate(set) var unwritable: [Album: Int32] = [:]

        fileprivate init(resting: [Place: File.Facts]) { self.resting = resting }

        /// After other errors, the work waits for the next full scan.
        fileprivate mutating func fail(with error: StorageError) {
            if !error.isRefusal, error.isGeneral || error.isAway { failure = error }
        }
    }

    /// Puts these places in order. `resting`: files as last seen; only those that have not changed are compared.
    func run(_ dirty: DirtyPaths, resting: [Place: File.Facts], _ record: Recording) -> Outcome {
        var outcome = Outcome(resting: resting)
        switch dirty {
        case .places(let places):
            for (album, places) in Dictionary(grouping: places, by: \.album) {
                do throws(StorageError) {
                    guard let folder = try tree.root.favorites(album) else { continue }
                    for place in places { put(place, in: folder, &outcome, record) }
                } catch {
                    outcome.fail(with: error)
                }
            }
        case .everywhere:
            do throws(StorageError) {
                try resolver.lookEverywhere { sighting, folder in
                    if sighting.needsWork { put(sighting.place, in: folder, &outcome, record) }
                }
            } catch {
                outcome.fail(with: error)
            }
        }
        return outcome
    }

    /// Puts one place in order. It stays as it is in a read-only folder and on a disk without links.
    private func put(_ place: Place, in folder: Folder, _ outcome: inout Outcome, _ record: Recording) {
        do throws(StorageError) {
            guard !Task.isCancelled, let facts = try folder.facts(of: place.name) else { return }
            let sighting = resolver.look(at: place, in: folder, facts: facts)
            switch sighting.finding {
            case .leftover:
                outcome.touched.insert(place.album)
                try LeftoverLink(name: place.name, folder: folder, album: place.album, resolver: resolver).clear()
            case .copy: try compare(sighting, facts, in: folder, &outcome, record)
            case .unknown(let error): throw error
            default:
                let tidying = sighting.isLink ? try tidying(ofLink: sighting) : sighting.tidying
                if tidying != nil { try record(sighting, facts) }
                try carryOut(tidying, sighting, facts, in: folder, &outcome)
            }
        } catch {
            outcome.fail(with: error)
        }
    }

    private func tidying(ofLink sighting: Sighting) throws(StorageError) -> Tidying? {
        guard !sighting.isTidy, let subject = sighting.subject else { return nil }
        let place = sighting.place
        let here = try resolver.meant(by: subject, at: place)
        guard let stored = try archive.catalog.status(of: here ?? subject)?.whole else { return nil }
        if let here {
            return stored.view.map { Tidying(target: LinkTarget.own($0, of: here, in: place.album.depth)) }
        }
        // An untidy link of the mirror's own form leads to nothing; others have a file only if it is there.
        return sighting.tidying(stored: stored, hasFile: !sighting.isOwn)
    }

    private func carryOut(
        _ tidying: Tidying?, _ sighting: Sighting, _ facts: File.Facts, in folder: Folder, _ outcome: inout Outcome
    ) throws(StorageError) {
        guard let tidying, let subject = sighting.subject else { return }
        var place = sighting.place
        if let name = tidying.name, try isInPlace(folder, place.album) {
            place = try rename(
                Link(place, to: subject), like: name, facts, leadingTo: tidying.target, in: folder, &outcome)
        }
        guard try replace(place, in: folder, facts, by: tidying.target, &outcome) else { return }
        if tidying.isOther { outcome.changed.insert(place) }
    }

    /// Returns false if somebody has moved the folder meanwhile, perhaps out of the mirror.
    private func isInPlace(_ folder: Folder, _ album: Album) throws(StorageError) -> Bool {
        guard let there = try tree.root.favorites(album) else { return false }
        return try there.identity() == folder.identity()
    }

    /// Renames a link that asks for a day, before its target is changed: after a kill in between, it still asks for it.
    /// `target`: the new one. Returns the link's place.
    private func rename(
        _ link: Link, like name: Name, _ facts: File.Facts, leadingTo target: String, in folder: Folder,
        _ outcome: inout Outcome
    ) throws(StorageError) -> Place {
        let place = link.place
        outcome.touched.insert(place.album)
        var number = 1
        while true {
            let new = name.numbered(number)
            do throws(StorageError) { try folder.rename(place.name, toNew: new) } catch {
                // The link keeps its name where it cannot be renamed without overwriting.
                if error.isFull || error.isAway || error.isOfProcess { throw error }
                guard error.code == EEXIST else { return place }
                // A repeated request keeps its name, or there would be a link for each number.
                if (try? folder.readTarget(of: new)) == Array(target.utf8) { return place }
                number += 1
                continue
            }
            raceHook(.renamed(Place(new, in: place.album)))
            // nil: somebody has removed the link by its new name.
            let there = try? folder.facts(of: new)
            if there?.isSame(as: facts) ?? true {
                outcome.renamed.append((link, new))
                outcome.changed.formUnion([place, Place(new, in: place.album)])
                return Place(new, in: place.album)
            }
            // Somebody has replaced the link: the new thing gets its name back.
            try? folder.rename(new, toNew: place.name)
            return place
        }
    }

    private func compare(
        _ sighting: Sighting, _ facts: File.Facts, in folder: Folder, _ outcome: inout Outcome,
        _ record: Recording
    ) throws(StorageError) {
        let place = sighting.place
        // While the file is open, no other file can get its inode.
        guard outcome.resting[place] == facts, let file = try folder.file(place.name) else {
            outcome.later[place] = facts
            return
        }
        defer { withExtendedLifetime(file) {} }
        let copied = try resolver.original(of: file, named: place.name)
        raceHook(.compared(place))
        var sighting = sighting
        guard let copied else {
            sighting.finding = .unrecognised(.file)
            return try record(sighting, facts)
        }
        let original = copied.original
        guard archive.dayLocks.lockIfFree(original.subject.day) else {
            outcome.later[place] = facts
            return
        }
        defer { archive.dayLocks.unlock(original.subject.day) }
        // The day's files may have changed during the comparison.
        guard try resolver.copied(place.name, bytes: facts.bytes).contains(copied) else {
            outcome.later[place] = facts
            return
        }
        sighting.finding = .favorite(original.subject, file: original.name)
        try record(sighting, facts)
        if copied.copy == nil {
            try RestoreOriginal(archive: archive, original: original).run(file)
        }
        try carryOut(sighting.link(to: original), sighting, facts, in: folder, &outcome)
    }

    /// Returns false if nothing was replaced.
    private func replace(
        _ place: Place, in folder: Folder, _ facts: File.Facts, by target: String, _ outcome: inout Outcome
    ) throws(StorageError) -> Bool {
        raceHook(.replacing(place))
        outcome.touched.insert(place.album)
        do throws(StorageError) {
            return try LinkExchange(name: place.name, facts: facts, folder: folder).link(to: target) {
                () throws(StorageError) in try isInPlace(folder, place.album)
            }
        } catch {
            if error.isRefusal { outcome.unwritable[place.album] = error.code }
            throw error
        }
    }
}
