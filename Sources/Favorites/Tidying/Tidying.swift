internal import Apod
internal import Catalog
internal import Files

/// A change that puts a thing in the favorites folder in order.
enum Tidying: Equatable {
    /// The thing is in order, or not the mirror's to change.
    case leave
    /// A link takes its place. `name`: the link's new name, perhaps with a number. `isOther`: the link leads to another
    /// file than before, or the thing was no link.
    case replace(target: String, name: Name? = nil, isOther: Bool = true)
}

extension Sighting {
    /// For a link that is not tidy. `stored`: the files of its day. `hasFile`: the file that it names is here.
    func tidying(stored: StoredDay?, hasFile: Bool) -> Tidying {
        guard let day, let target, let stored else { return .leave }
        let named = target.namesFile && hasFile ? self.file : nil
        // A link that asks for the day waits for its picture: led to the JSON or a poster, it would stay there.
        guard let file = named ?? (target.day == day ? stored.view : stored.main) else { return .leave }
        let new = LinkTarget.own(file, of: day, in: place.album.depth)
        if new.utf8.elementsEqual(target.bytes) { return .leave }
        // A request that is called by its date gets the picture's name.
        let date = "\(day)".utf8
        let isWish = place.name.bytes.elementsEqual(date) && target.name.elementsEqual(date)
        return .replace(target: new, name: isWish ? Name(file) : nil, isOther: self.file != file)
    }

    /// For a hard link of a file in the tree.
    var tidying: Tidying { original.map(link) ?? .leave }

    /// For a file with the same content as one in the tree.
    func link(to original: TreeFile) -> Tidying {
        .replace(target: LinkTarget.own(original.name, of: original.day, in: place.album.depth))
    }

    var needsWork: Bool {
        switch finding {
        case .copy, .leftover: true
        case .day: !isTidy
        case .unrecognised, .album, .nothing, .unknown: false
        }
    }
}
