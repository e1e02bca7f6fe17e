internal import Catalog
internal import Watching

/// Places that could not be changed: all are counted, and the first are remembered.
struct Unwritable {
    struct Count {
        fileprivate(set) var things: Int
        /// Error codes (errno(3)).
        fileprivate(set) var codes: Set<Int32>
    }

    static let mostPlaces = 1000
    static let mostAlbums = 1000

    /// The places that are remembered, with their error codes.
    private(set) var codes: [Place: Int32] = [:]
    private(set) var albums: [Album: Count] = [:]
    private var count = 0

    private var hasOthers: Bool { count > codes.count }

    /// The places to try again.
    var places: DirtyPaths { hasOthers ? .everywhere : .places(Set(codes.keys)) }

    /// Adds a place that was not added before.
    mutating func add(_ place: Place, _ code: Int32) {
        add(Count(things: 1, codes: [code]), in: place.album)
        remember(place, code)
    }

    /// Updates places that were tried again; `others` could still not be changed.
    mutating func update(_ places: Set<Place>, with others: Unwritable) {
        // A place that is counted and not remembered must not be counted twice: the next full scan counts anew.
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
