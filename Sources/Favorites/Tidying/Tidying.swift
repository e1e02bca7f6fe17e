internal import Apod
internal import Catalog
internal import Files

/// What is to be done about something in the favorites folder, as far as what was seen of it says.
enum Tidying: Equatable {
    /// It is in order, or not for the mirror to change.
    case leave
    /// A link takes its place. `name`: it is called so, or much like it, from then on. `isOther`: it leads to another file
    /// than before, or was none.
    case replace(target: String, name: Name? = nil, isOther: Bool = true)
}

extension Sighting {
    /// Of a link that does not lead where it should. `stored`: what is here of its day. `hasFile`: so is the file that it
    /// names.
    func tidying(stored: StoredDay?, hasFile: Bool) -> Tidying {
        guard let day, let target, let stored else { return .leave }
        let named = target.namesFile && hasFile ? self.file : nil
        // Who asked for the day waits for its picture: a link to the JSON or to a poster would stay one.
        guard let file = named ?? (target.day == day ? stored.view : stored.main) else { return .leave }
        let new = LinkTarget.own(file, of: day, in: place.album.depth)
        if new.utf8.elementsEqual(target.bytes) { return .leave }
        // What is called by the date alone that it asks for is called like the picture when that has come.
        let date = "\(day)".utf8
        let isWish = place.name.bytes.elementsEqual(date) && target.name.elementsEqual(date)
        return .replace(target: new, name: isWish ? Name(file) : nil, isOther: self.file != file)
    }

    /// Of a file: another name of one in the tree.
    var tidying: Tidying { original.map(link) ?? .leave }

    /// Of a file with the same content as one of the tree.
    func link(to original: TreeFile) -> Tidying {
        .replace(target: LinkTarget.own(original.name, of: original.day, in: place.album.depth))
    }

    /// Whether there may be something to put in order.
    var needsWork: Bool {
        switch finding {
        case .copy, .leftover: true
        case .day: !isTidy
        case .unrecognised, .album, .nothing, .unknown: false
        }
    }
}
