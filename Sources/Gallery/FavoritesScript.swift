internal import Apod
internal import Archive

/// `gallery/data/favorites.js`: the favorites and their albums, newest day first.
enum FavoritesScript {
    static let name = "favorites.js"

    static func bytes(_ favorites: KnownFavorites) -> [UInt8] {
        var bytes = Array("\(GeneratedFile.script)apod.favorites([\n".utf8)
        for day in favorites.days.sorted(by: >) {
            let entry: [JSON] = [.day(day), .strings(favorites.albums(of: day))]
            bytes += Script.value(.array(entry)) + ",\n".utf8
        }
        return bytes + Array("]);\n".utf8)
    }
}
