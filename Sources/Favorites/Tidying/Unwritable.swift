internal import Catalog
internal import Watching

/// What had to stay as it is, as nothing can be changed there: counted in full, and remembered up to a limit.
struct Unwritable {
    struct Count {
        fileprivate(set) var things: Int
        /// The system's reasons.
        fileprivate(set) var codes: Set<Int32>
    }

    static let mostPlaces = 1000
    static let mostAlbums = 1000

    /// Of those that are remembered, with the system's reasons.
    private(set) var codes: [Place: Int32] = [:]
    private(set) var albums: [Album: Count] = [:]
    private var count = 0

    private var hasOthers: Bool { count > codes.count }

    /// Where it is to be tried again.
    var places: DirtyPaths { hasOthers ? .everywhere : .places(Set(codes.keys)) }

    /// What was not added before, one folder after the other.
    mutating func add(_ place: Place, _ code: Int32) {
        add(Count(things: 1, codes: [code]), in: place.album)
        remember(place, code)
    }

    /// Some places were tried again, and of these, `others` had to stay as they are once more.
    mutating func update(_ places: Set<Place>, with others: Unwritable) {
        // What is only counted may be among them, and is not to be counted twice: the next look at everything tells.
        let known = hasOthers ? Set(codes.keys) : nil
        for place in places { remove(place) }
        if let known {
            for (place, code) in others.codes where known.contains(place) { add(place, code) }
        } else {
            for (album, count) in others.albums { add(count, in: album) }
            for (place, code) in others.codes { remember(place, code) }
            count += others.count - others.albums.values.reduce(0) { $0 + $1.things }
        }
    }

    private mutating func add(_ more: Count, in album: Album) {
        count += more.things
        if albums[album] != nil || albums.count < Self.mostAlbums {
            albums[album, default: Count(things: 0, codes: [])].things += more.things
            albums[album]!.codes.formUnion(more.codes)
        }
    }

    private mutating func remember(_ place: Place, _ code: Int32) {
        if albums[place.album] != nil, codes.count < Self.mostPlaces { codes[place] = code }
    }

    private mutating func remove(_ place: Place) {
        guard codes.removeValue(forKey: place) != nil else { return }
        count -= 1
        albums[place.album]!.things -= 1
        if albums[place.album]!.things == 0 { albums[place.album] = nil }
    }
}
