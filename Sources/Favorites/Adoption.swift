internal import Apod
internal import Archive
internal import Catalog
internal import Files
import Glibc
internal import Watching

/// Puts what is in the favorites folder in order: links become relative, copies become links, and a picture that was
/// moved here goes back to its place. Does not touch what it does not understand.
struct Adoption {
    let tree: Tree
    let catalog: Catalog
    let resolver: LinkResolver
    /// Otherwise, only the tree is put in order.
    let isAllowed: Bool
    let isStopped: @Sendable () -> Bool
    let raceHook: RaceHook

    struct Progress {
        fileprivate let own: OwnFolders
        /// Files as they were the last time.
        let growing: [Place: File.Facts]
        /// How many more things that are not recognised can be listed.
        private(set) var room: Int
        /// What is not listed, and last changed before this, was compared.
        let compared: Int?
        /// What files turned out to be, by their content.
        fileprivate(set) var recognised: [(place: Place, meaning: Meaning, facts: File.Facts)] = []
        /// Files that somebody may still be writing, or whose time somebody may yet set by their names.
        var later: [Place: File.Facts] = [:]
        /// Folders in which something was replaced.
        fileprivate(set) var touched: Set<Album> = []
        /// Links that lead to another file now than they did before, by their names of before and of now, and what was none
        /// before.
        fileprivate(set) var changed: Set<Place> = []
        /// Links that have other names now.
        fileprivate(set) var renamed: [(link: Link, name: Name)] = []
        /// There was no room for something.
        var failure: StorageError?
        /// What has to stay as it is, as nothing can be changed there.
        fileprivate(set) var unwritable = Unwritable()
        /// The last folder of which that is so, and the system's reason: its other links need not be tried.
        fileprivate var refusing: (album: Album, code: Int32)?

        /// For one run: what is mounted is read once.
        init(own: OwnFolders, growing: [Place: File.Facts], room: Int, compared: Int?) {
            self.own = own
            self.growing = growing
            self.room = room
            self.compared = compared
        }

        /// What is neither the mirror's nor listed is not kept in memory, either.
        fileprivate mutating func recognise(_ original: TreeFile?, at place: Place, isListed: Bool, _ facts: File.Facts)
        {
            if original == nil, !isListed {
                guard room > 0 else { return }
                room -= 1
            }
            let meaning = original.map { Meaning.day($0.day, file: $0.name) } ?? LinkResolver.foreign
            recognised.append((place, meaning, facts))
        }
    }

    func run(_ dirty: DirtyPaths, _ progress: inout Progress) {
        switch dirty {
        case .places(let places):
            for (album, places) in Dictionary(grouping: places, by: \.album) {
                guard let folder = try? progress.own.album(album) else { continue }
                for place in places { put(place, in: folder, &progress) }
            }
        case .everywhere:
            let walk = AlbumWalk(in: tree.root, isStopped: isStopped)
            for case (let album, .success(let folder)) in walk { putAll(in: folder, album, walk, &progress) }
        }
    }

    private func putAll(in folder: Folder, _ album: Album, _ walk: AlbumWalk, _ progress: inout Progress) {
        var names: [Name] = []
        var leftovers: [Name] = []
        try? walk.visit(folder) { name, kind in
            if Replacement.isTemporary(name) { return leftovers.append(name) }
            if kind == .folder { return }
            let target = folder.targetBytes(of: name).map { LinkTarget($0) }
            if !isInOrder(Sighting(place: Place(name, in: album), target: target), in: folder) { names.append(name) }
            // Not all of very many are in memory at once.
            if names.count == Self.portion { put(&names, in: folder, album, &progress) }
        }
        // Nothing is being replaced meanwhile: whoever does that, does this.
        for name in leftovers {
            progress.touched.insert(album)
            try? LeftoverLink(name: name, folder: folder, album: album, resolver: resolver).clear()
        }
        put(&names, in: folder, album, &progress)
    }

    private static let portion = 1000

    private func put(_ names: inout [Name], in folder: Folder, _ album: Album, _ progress: inout Progress) {
        for name in names where !wasCompared(Place(name, in: album), in: folder, progress) {
            put(Place(name, in: album), in: folder, &progress)
        }
        names = []
    }

    private func wasCompared(_ place: Place, in folder: Folder, _ progress: Progress) -> Bool {
        guard let compared = progress.compared, let facts = try? folder.facts(of: place.name), facts.isRegular,
            facts.changed < compared
        else { return false }
        return (try? catalog.meaning(of: place))?.day == nil
    }

    /// A link as the mirror makes it, to something that is there and on the same disk: another may be away.
    private func isInOrder(_ sighting: Sighting, in folder: Folder) -> Bool {
        sighting.isOwn && (try? folder.nearEnd(of: sighting.place.name)) != nil
    }

    /// Some folders cannot be written to, and some file systems have no links: there, things stay as they are.
    private func put(_ place: Place, in folder: Folder, _ progress: inout Progress) {
        do throws(StorageError) {
            guard !isStopped(), !LinkResolver.isTemporary(place.name), let facts = try folder.facts(of: place.name),
                facts.isRegular || isAllowed
            else { return }
            let sighting = resolver.look(at: place, in: folder, facts: facts)
            let tidying = try facts.isRegular ? sighting.tidying : tidying(ofLink: sighting, in: folder)
            try carryOut(tidying, sighting, facts, in: folder, &progress)
        } catch {
            // What cannot be read holds up nothing else.
            if error.isFull { progress.failure = error }
        }
    }

    private func tidying(ofLink sighting: Sighting, in folder: Folder) throws(StorageError) -> Tidying {
        guard !isInOrder(sighting, in: folder), let day = sighting.meaning?.day else { return .leave }
        var hasFile = true
        // What others name was seen to be there.
        if sighting.isOwn, let file = sighting.meaning?.file {
            hasFile = try Tree.existingFolder(of: day, in: tree.root)?.facts(of: file)?.isRegular == true
        }
        return sighting.tidying(stored: (try? catalog.status(of: day))?.whole, hasFile: hasFile)
    }

    private func carryOut(
        _ tidying: Tidying, _ sighting: Sighting, _ facts: File.Facts, in folder: Folder, _ progress: inout Progress
    ) throws(StorageError) {
        guard isAllowed || tidying == .compare else { return }
        var place = sighting.place
        switch tidying {
        case .leave: break
        case .compare: try compare(sighting, facts, in: folder, &progress)
        case .wait: progress.later[place] = try folder.facts(of: place.name)
        case .replace(let target, let name, let isOther):
            if let name, let day = sighting.meaning?.day, isInPlace(folder, place.album, progress) {
                place = rename(Link(place, to: day), like: name, facts, leadingTo: target, in: folder, &progress)
            }
            let isReplaced = try replace(place, in: folder, facts, by: target, &progress)
            if isReplaced, isOther { progress.changed.insert(place) }
        }
    }

    /// Somebody may have moved the folder meanwhile, also out of the mirror.
    private func isInPlace(_ folder: Folder, _ album: Album, _ progress: Progress) -> Bool {
        guard let there = try? progress.own.album(album) else { return false }
        return (try? there.identity()) == (try? folder.identity())
    }

    /// Before it leads elsewhere: cut off in between, it still asks for the day. Returns where it is now. `target`: where it
    /// is about to lead.
    private func rename(
        _ link: Link, like name: Name, _ facts: File.Facts, leadingTo target: String, in folder: Folder,
        _ progress: inout Progress
    ) -> Place {
        let place = link.place
        progress.touched.insert(place.album)
        var number = 1
        while true {
            let new = name.numbered(number)
            do throws(StorageError) { try folder.rename(place.name, toNew: new) } catch {
                // Where no name can be had without taking another's, it keeps its own.
                guard error.code == EEXIST else { return place }
                // The same wish laid down again and again is no more than a second link.
                if folder.targetBytes(of: new) == Array(target.utf8) { return place }
                number += 1
                continue
            }
            raceHook(.renamed(Place(new, in: place.album)))
            // nil: it was taken away since, by its new name.
            let there = try? folder.facts(of: new)
            if there?.isSame(as: facts) ?? true {
                progress.renamed.append((link, new))
                progress.changed.formUnion([place, Place(new, in: place.album)])
                return Place(new, in: place.album)
            }
            // Somebody was quicker: what was not looked at gets its name again.
            try? folder.rename(new, toNew: place.name)
            return place
        }
    }

    private func compare(
        _ sighting: Sighting, _ facts: File.Facts, in folder: Folder, _ progress: inout Progress
    ) throws(StorageError) {
        let place = sighting.place
        // Held open to the end, so that no other file can be taken for it.
        guard let file = try folder.file(place.name) else { return }
        defer { withExtendedLifetime(file) {} }
        raceHook(.comparing(place))
        let original = try resolver.original(of: file, named: place.name)
        let isListed = (try? catalog.meaning(of: place)) != nil
        progress.recognise(original, at: place, isListed: isListed, facts)
        guard let original else { return }
        let restore = RestoreOriginal(tree: tree, original: original, isMove: isAllowed, isStopped: isStopped)
        guard try restore.run(file, facts, place.name, in: folder) else {
            progress.later[place] = facts
            return
        }
        let tidying = sighting.tidying(asCopyOf: original, isAtRest: progress.growing[place] == facts)
        try carryOut(tidying, sighting, facts, in: folder, &progress)
    }

    /// Returns whether it was done.
    private func replace(
        _ place: Place, in folder: Folder, _ facts: File.Facts, by target: String, _ progress: inout Progress
    ) throws(StorageError) -> Bool {
        if let refusing = progress.refusing, refusing.album == place.album {
            progress.unwritable.add(place, refusing.code)
            return false
        }
        raceHook(.replacing(place))
        progress.touched.insert(place.album)
        do throws(StorageError) {
            return try Replacement(of: place.name, facts, in: folder).link(to: target) {
                isInPlace(folder, place.album, progress)
            }
        } catch {
            if error.isRefusal { progress.unwritable.add(place, error.code) }
            if error.isAboutFolder { progress.refusing = (place.album, error.code) }
            throw error
        }
    }
}
