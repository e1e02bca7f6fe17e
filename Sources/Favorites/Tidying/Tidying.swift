internal import Apod
internal import Archive
internal import Catalog
internal import Files

/// The link that takes the place of a thing in the favorites folder, to put it in order.
struct Tidying: Equatable {
    let target: String
    /// The link's new name, perhaps with a number.
    var name: Name?
    /// The link leads to another file than before, or the thing was no link.
    var isOther = true
}

extension Sighting {
    /// For a link that is not tidy; nil if it is in order, or not the mirror's to change. `stored`: its day or
    /// item. `hasFile`: the file that it names is here.
    func tidying(stored: StoredDay?, hasFile: Bool) -> Tidying? {
        guard let subject, let target, let stored else { return nil }
        let named = target.namesFile && hasFile ? self.file : nil
        // A link that asks for the day waits for its picture: led to the JSON or a poster, it would stay there. One that
        // names a further picture waits for that.
        let number = target.number(in: stored.name)
        let further = stored.files.first { $0.role.number == number && number > 1 }
        if named == nil, further == nil, number > 1, stored.lacks > 0 { return nil }
        guard
            let file = named ?? further.map(stored.name.with) ?? (target.subject == subject ? stored.view : stored.main)
        else { return nil }
        let new = LinkTarget.own(file, of: subject, in: place.album.depth)
        if new.utf8.elementsEqual(target.bytes) { return nil }
        // A request that is called by its date gets the picture's name.
        let front = subject.front.utf8
        let isWish = place.name.bytes.elementsEqual(front) && target.name.elementsEqual(front)
        return Tidying(target: new, name: isWish ? Name(file) : nil, isOther: self.file != file)
    }

    /// For a hard link of a file in the tree.
    var tidying: Tidying? { original.map(link) }

    /// For a file with the same content as one in the tree.
    func link(to original: TreeFile) -> Tidying {
        Tidying(target: LinkTarget.own(original.name, of: original.subject, in: place.album.depth))
    }

    var needsWork: Bool {
        switch finding {
        case .copy, .leftover: true
        case .favorite: !isTidy
        case .unrecognised, .album, .nothing, .unknown: false
        }
    }
}
